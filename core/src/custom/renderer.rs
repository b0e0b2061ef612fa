//! How the statements of a caller's select get their values.

use std::sync::Arc;

use sea_query::Values;

use crate::custom::raw_sql::SqlSource;
use crate::dialect::{Dialect, Sql, type_name};
use crate::statement::template::{BoundSql, PageValues};

/// How SQL becomes a statement, if it reads from a caller's SQL text or needs no template.
#[derive(Debug, Clone)]
pub struct Renderer {
    pub dialect: Dialect,
    /// The caller's SQL text, if the select was written as one.
    pub source: Option<Arc<SqlSource>>,
    pub selects_star: bool,
}

impl Renderer {
    pub fn statement(&self, sql: &Sql, page: PageValues<'_>) -> BoundSql {
        let statement = match &self.source {
            Some(source) => {
                let values = page.bind(sql.params(), &[]);
                let (text, caller) = source.finish(sql);
                let types = source.types().into_iter().chain(values.iter().map(type_name));
                BoundSql::new(self.dialect.with_types(text, types), Values(values)).with_caller(caller)
            }
            None => BoundSql::of_sql(sql, &[], page),
        };
        BoundSql { selects_star: self.selects_star, ..statement }
    }
}
