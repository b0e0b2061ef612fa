//! An expression as part of an order.

use std::sync::Arc;

use sea_query::Expr;

use crate::error::{Misuse, Result};

/// The expression of a term.
#[derive(Debug, Clone)]
pub struct KeyExpression(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    expr: Expr,
    is_not_null: bool,
    is_stable: bool,
}

impl KeyExpression {
    pub fn new(expr: Expr, is_not_null: bool, is_stable: bool) -> Self {
        Self(Arc::new(Inner { expr, is_not_null, is_stable }))
    }

    pub fn expr(&self) -> &Expr {
        &self.0.expr
    }

    /// Whether the caller states that it is never NULL.
    pub fn is_not_null(&self) -> bool {
        self.0.is_not_null
    }

    /// Whether the caller states that its value does not change between pages.
    pub fn is_stable(&self) -> bool {
        self.0.is_stable
    }

    /// Rejects an expression that sorts nothing.
    ///
    /// # Errors
    /// [`Misuse`] for a value. In an ORDER BY, a number would even be the position of a column in the select list.
    pub fn check(&self, name: &str) -> Result<()> {
        let is_value = match self.expr() {
            Expr::Value(_) | Expr::Constant(_) => true,
            Expr::Custom(sql) => sql.trim().parse::<f64>().is_ok(),
            _ => false,
        };
        if !is_value {
            return Ok(());
        }
        Err(Misuse::new(format!(
            "the expression `{name}` is a value, and an order by a value sorts nothing: write an expression over columns"
        )))
    }
}
