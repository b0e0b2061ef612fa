//! The key of a row, as its page seals it.

use folio_core::boundary::BoundaryValue;
use folio_core::keyset::KeysetOrder;
use folio_core::order::OrderColumn;
use folio_core::schema::term::Term;
use folio_core::value::Variant;

use crate::driver::{Driver, ResultColumn, column_error};

/// A column of an order, and its place in the rows of the list.
#[derive(Clone, Copy)]
pub(super) struct SortedColumn<'a> {
    pub(super) term: &'a Term,
    pub(super) sort: &'a OrderColumn,
    pub(super) result_column: ResultColumn<'a>,
}

impl SortedColumn<'_> {
    /// Whether its values are texts or bytes.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.term.key.variant, Variant::String | Variant::Bytes)
    }
}

pub(super) fn sorted_columns(order: &KeysetOrder) -> impl Iterator<Item = SortedColumn<'_>> {
    let columns = order.terms.iter().zip(&order.sorts).enumerate();
    columns.map(|(at, (term, sort))| SortedColumn {
        term,
        sort,
        result_column: ResultColumn { at, name: &sort.output },
    })
}

/// The values that a row has in the columns of an order.
pub(super) type Key = Vec<BoundaryValue>;

pub(super) fn key<D: Driver>(order: &KeysetOrder, row: &D::Row) -> sqlx::Result<Key> {
    sorted_columns(order).map(|column| boundary_value::<D>(column.term, row, column.result_column)).collect()
}

/// The value of a key's column in a row.
pub(super) fn boundary_value<D: Driver>(
    term: &Term,
    row: &D::Row,
    result_column: ResultColumn<'_>,
) -> sqlx::Result<BoundaryValue> {
    let value = D::boundary_value(row, result_column, term.key.variant).map_err(naming(term))?;
    match term.refusal(&value.value) {
        Some(refusal) => Err(column_error(term.key.name, refusal)),
        None => Ok(value),
    }
}

/// Gives an error the column's own name, which may differ from its name in the rows.
pub(super) fn naming(term: &Term) -> impl FnOnce(sqlx::Error) -> sqlx::Error {
    |error| match error {
        sqlx::Error::ColumnDecode { source, .. } => column_error(term.key.name, source),
        other => other,
    }
}

#[cfg(test)]
mod tests;
