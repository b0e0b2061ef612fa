//! Conditions as text, which know when they need parentheses.

use sea_query::{BinOper, Expr};

use crate::dialect::{Dialect, Sql};

/// A condition of a WHERE, an ON or a CASE.
#[derive(Debug, Clone)]
pub struct Condition {
    sql: Sql,
    joint: Joint,
}

/// How a condition is joined with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    /// As it is.
    Bare,
    /// Conditions that are joined by AND.
    And,
    /// Conditions that are joined by OR.
    Or,
    /// Always in parentheses.
    Loose,
}

impl Joint {
    /// How a condition of sea-query is joined with others.
    pub(super) fn of(expr: &Expr) -> Self {
        match expr {
            Expr::Binary(_, BinOper::And, _) => Self::And,
            Expr::Binary(_, BinOper::Or, _) => Self::Or,
            Expr::Binary(_, BinOper::Between | BinOper::NotBetween | BinOper::Custom(_), _)
            | Expr::Unary(..)
            | Expr::Custom(_)
            | Expr::CustomWithExpr(..)
            | Expr::AsEnum(..)
            | Expr::Values(_) => Self::Loose,
            _ => Self::Bare,
        }
    }
}

impl Condition {
    /// A condition that binds more tightly than AND and OR, such as a comparison.
    pub fn bare(sql: Sql) -> Self {
        Self { sql, joint: Joint::Bare }
    }

    /// A condition that is in parentheses among others, because the text does not tell how tightly it binds.
    pub fn loose(sql: Sql) -> Self {
        Self { sql, joint: Joint::Loose }
    }

    /// A condition of sea-query.
    pub fn of(dialect: Dialect, expr: &Expr) -> Self {
        Self::new(Sql::of(dialect, expr), Joint::of(expr))
    }

    pub(super) fn new(sql: Sql, joint: Joint) -> Self {
        Self { sql, joint }
    }

    pub(super) fn joint(&self) -> Joint {
        self.joint
    }

    /// Conditions that may be joined by AND already.
    pub fn conjunction(sql: Sql) -> Self {
        Self { sql, joint: Joint::And }
    }

    /// A condition that no row matches.
    pub fn nowhere(dialect: Dialect) -> Self {
        Self::loose(Sql::new(dialect).push("1 = 0"))
    }

    /// `column <operator> value`, where the value is compared as it is.
    pub fn comparison(column: Sql, operator: &str, value: &Sql) -> Self {
        Self::bare(column.push(" ").push(operator).push(" ").append(value))
    }

    pub fn is_null(column: Sql) -> Self {
        Self::bare(column.push(" IS NULL"))
    }

    pub fn is_not_null(column: Sql) -> Self {
        Self::bare(column.push(" IS NOT NULL"))
    }

    /// The condition that all of these hold; `None` if there are none.
    pub fn all(conditions: impl IntoIterator<Item = Self>) -> Option<Self> {
        Self::join(conditions, Joint::And, " AND ")
    }

    /// The condition that one of these holds; `None` if there are none.
    pub fn any(conditions: impl IntoIterator<Item = Self>) -> Option<Self> {
        Self::join(conditions, Joint::Or, " OR ")
    }

    fn join(conditions: impl IntoIterator<Item = Self>, joint: Joint, word: &str) -> Option<Self> {
        let mut conditions = conditions.into_iter().peekable();
        let first = conditions.next()?;
        if conditions.peek().is_none() {
            return Some(first);
        }
        let new = || Sql::new(first.sql.dialect());
        // AND and OR are left-associative, so only the first condition can be joined in the same way.
        let is_open = first.joint == Joint::Bare || first.joint == joint;
        let mut sql = if is_open { first.sql } else { new().enclosed(&first.sql) };
        for condition in conditions {
            sql = sql.push(word);
            sql =
                if condition.joint == Joint::Bare { sql.append(&condition.sql) } else { sql.enclosed(&condition.sql) };
        }
        Some(Self { sql, joint })
    }

    pub fn sql(&self) -> &Sql {
        &self.sql
    }

    /// The same condition with other parameters.
    pub fn map(self, change: impl FnOnce(Sql) -> Sql) -> Self {
        Self { sql: change(self.sql), ..self }
    }

    pub fn in_parentheses(self) -> Self {
        Self::bare(Sql::new(self.sql.dialect()).enclosed(&self.sql))
    }
}

/// An expression as the left side of a comparison.
pub fn operand(dialect: Dialect, expr: &Expr) -> Sql {
    let sql = Sql::new(dialect);
    let is_open = match expr {
        Expr::Binary(_, operator, _) => matches!(
            operator,
            BinOper::Add
                | BinOper::Sub
                | BinOper::Mul
                | BinOper::Div
                | BinOper::Mod
                | BinOper::LShift
                | BinOper::RShift
        ),
        Expr::Unary(..) | Expr::Custom(_) | Expr::CustomWithExpr(..) | Expr::AsEnum(..) | Expr::Values(_) => false,
        _ => true,
    };
    if is_open { sql.expr(expr) } else { sql.push("(").expr(expr).push(")") }
}
