//! How the statements of a caller's select get their values.

use std::ops::Range;
use std::sync::Arc;

use sea_query::Values;

use crate::custom::raw_sql::SqlSource;
use crate::dialect::{Dialect, Param, Sql, type_name};
use crate::statement::template::{BoundSql, CallerValues, OpaqueValue, PageValues};

/// How SQL becomes a statement, if it reads from a caller's select.
#[derive(Debug, Clone)]
pub struct Renderer {
    pub dialect: Dialect,
    /// The caller's SQL text, if the select was written as one.
    pub source: Option<Arc<SqlSource>>,
    /// The values of the text.
    pub values: Arc<[Arc<dyn OpaqueValue>]>,
    pub selects_star: bool,
}

/// The text of a statement that reads from a caller's SQL text.
#[derive(Debug)]
pub(crate) struct CallerText {
    sql: Arc<str>,
    params: Vec<Param>,
    /// The positions of the caller's values: see [`CallerValues::copies`].
    copies: Vec<(usize, Range<usize>)>,
}

impl CallerText {
    /// About how much memory it takes, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.sql.len().saturating_add(self.params.len().saturating_mul(size_of::<Param>()))
    }
}

impl Renderer {
    pub fn statement(&self, sql: &Sql, page: PageValues<'_>) -> BoundSql {
        match &self.source {
            Some(source) => self.bind(&self.text(source, sql, page), page),
            None => BoundSql { selects_star: self.selects_star, ..BoundSql::of_sql(sql, &[], page) },
        }
    }

    /// The text of a statement, for values of these types.
    pub(crate) fn text(&self, source: &SqlSource, sql: &Sql, page: PageValues<'_>) -> CallerText {
        let (text, copies) = source.finish(sql);
        let values = page.bind(sql.params(), &[]);
        let types = self.types().chain(values.iter().map(type_name));
        CallerText { sql: self.dialect.with_types(text, types).into(), params: sql.params().cloned().collect(), copies }
    }

    /// A statement of this text.
    pub(crate) fn bind(&self, text: &CallerText, page: PageValues<'_>) -> BoundSql {
        let caller = CallerValues { values: self.values.clone(), copies: text.copies.clone() };
        BoundSql {
            caller: Some(caller),
            selects_star: self.selects_star,
            ..BoundSql::new(text.sql.clone(), Values(page.bind(&text.params, &[])))
        }
    }

    /// The types of the caller's values, on a database that prepares a statement for them.
    pub(crate) fn types(&self) -> impl Iterator<Item = std::borrow::Cow<'_, str>> {
        self.values.iter().map(|value| value.postgres_type().into())
    }

    /// A text that identifies the caller's texts and their values; `None` for another select.
    pub(crate) fn to_key(&self) -> Option<String> {
        let values: Vec<_> = self.values.iter().map(|value| value.to_key()).collect();
        self.source.as_ref().map(|source| format!("{:?}", (&source.text, values)))
    }
}
