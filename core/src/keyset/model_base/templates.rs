//! The templates of the pages of models' queries.

use crate::dialect::Sql;
use crate::keyset::form::PageForm;
use crate::statement::filtered::FilteredRows;
use crate::statement::template::{BoundSql, PageValues, Templates};

static TEMPLATES: Templates<PageForm> = Templates::new();

/// The statement of a page, from a template if its text has a form.
pub(super) fn statement(
    rows: &FilteredRows,
    form: Option<PageForm>,
    values: PageValues<'_>,
    write: impl FnOnce() -> Sql,
) -> BoundSql {
    match form {
        Some(form) => TEMPLATES.statement(rows, form, values, write),
        None => rows.statement(&write(), values),
    }
}

/// A limit that suits pages of similar sizes, so that their statements have the same text.
pub(super) fn rounded(limit: u64) -> u64 {
    let step = match limit {
        ..=16 => 4,
        17..=32 => 8,
        33..=64 => 16,
        _ => 32,
    };
    limit.checked_next_multiple_of(step).unwrap_or(limit)
}
