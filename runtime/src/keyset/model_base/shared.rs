//! What the statements of a page have in common, whether it is read group by group or not.

use crate::dialect::Sql;
use crate::keyset::KeysetOrder;
use crate::keyset::form::PageForm;
use crate::order::{OrderColumn, key_name};
use crate::statement::filtered::FilteredRows;
use crate::statement::select::Select;
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

/// The rows of these keys. They are joined by name, because the order may qualify its columns or not. A model's order
/// contains its whole primary key.
pub(super) fn of_keys(rows: &FilteredRows, order: &KeysetOrder, keys: &Select) -> Select {
    let place = |column: &&str| order.terms.iter().position(|term| term.is_named(column));
    let places = rows.table.primary_key.iter().filter_map(place);
    rows.of_keys(&keys.sql(), places.map(key_name))
}

/// The order's columns, renamed to `folio_key_n`.
pub(super) fn as_keys(sorts: &[OrderColumn]) -> Vec<OrderColumn> {
    let as_key = |(at, sort): (usize, &OrderColumn)| OrderColumn { output: key_name(at), ..sort.clone() };
    sorts.iter().enumerate().map(as_key).collect()
}
