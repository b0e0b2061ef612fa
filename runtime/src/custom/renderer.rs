//! How the statements of a caller's select get their text.

use std::sync::Arc;

use sea_query::SelectStatement;

use crate::custom::raw_sql::SqlSource;
use crate::dialect::{Dialect, Rendered};
use crate::statement::template::BoundSql;

/// How selects become statements, if they read from SQL text of a caller's or need no template.
#[derive(Debug, Clone)]
pub(crate) struct Renderer {
    pub(crate) dialect: Dialect,
    /// The text that replaces the markers in the selects.
    pub(crate) source: Option<Arc<SqlSource>>,
    pub(crate) selects_star: bool,
}

impl Renderer {
    pub(crate) fn statement(&self, select: &SelectStatement) -> BoundSql {
        let statement = match &self.source {
            Some(source) => self.statement_with_text(select, source),
            None => BoundSql::of(self.dialect, select),
        };
        BoundSql { selects_star: self.selects_star, ..statement }
    }

    fn statement_with_text(&self, select: &SelectStatement, source: &SqlSource) -> BoundSql {
        let Rendered { sql, values, copies } = self.dialect.render_with_text(select, source);
        let sql = source.after_with(sql, copies.len());
        let sql = self.dialect.with_types_of(sql, source.types(), &values.0);
        BoundSql::new(sql, values).with_caller(source.values(copies))
    }
}
