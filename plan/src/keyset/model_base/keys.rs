//! The keys of a page, which are found before its rows.

use crate::keyset::KeysetOrder;
use crate::order::{OrderColumn, key_name};
use crate::statement::filtered::FilteredRows;
use crate::statement::select::Select;

/// The rows of these keys. They are joined by name, because the order may qualify its columns or not. A model's order
/// contains its whole primary key.
pub(super) fn of_keys(rows: &FilteredRows, order: &KeysetOrder, keys: &Select) -> Select {
    let place = |column: &&str| order.terms.iter().position(|term| term.is_named(column));
    let places = rows.plan.table.primary_key.iter().filter_map(place);
    rows.of_keys(&keys.sql(), places.map(key_name))
}

/// The order's columns, renamed to `folio_key_n`.
pub(super) fn as_keys(sorts: &[OrderColumn]) -> Vec<OrderColumn> {
    let as_key = |(at, sort): (usize, &OrderColumn)| OrderColumn { output: key_name(at), ..sort.clone() };
    sorts.iter().enumerate().map(as_key).collect()
}
