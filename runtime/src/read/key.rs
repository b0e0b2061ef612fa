//! The key of a row, as its page seals it.

use folio_plan::boundary::BoundaryValue;
use folio_plan::keyset::KeysetOrder;
use folio_plan::schema::term::Term;

use super::rounding::{Rounding, rounded};
use crate::driver::{Driver, ResultColumn, SentValue, column_error};

/// The values that a row has in the columns of an order.
pub(super) type Key = Vec<BoundaryValue>;

/// A key that was read from a row.
pub(super) struct RowKey {
    pub(super) values: Key,
    /// Why a value in it may differ from the one in the table.
    pub(super) rounding: Option<Rounding>,
}

impl RowKey {
    pub(super) fn read<D: Driver>(order: &KeysetOrder, row: &D::Row) -> sqlx::Result<Self> {
        // Only MySQL and MariaDB send other values than they compare.
        let rounds = D::DIALECT.facts().rounds_sent_decimals;
        let mut key = Self { values: Key::with_capacity(order.terms.len()), rounding: None };
        for (at, (term, sort)) in order.terms.iter().zip(&order.sorts).enumerate() {
            let column = ResultColumn { at, name: &sort.output };
            let SentValue { value, inexact } = column_value::<D>(row, column, term)?;
            if rounds && let (None, Some(why)) = (&key.rounding, inexact.or_else(|| rounded(term, sort))) {
                key.rounding = Some(Rounding(column_error(term.key.name, why)));
            }
            key.values.push(value);
        }
        Ok(key)
    }
}

/// A row's value in one column of a key.
pub(super) fn column_value<D: Driver>(row: &D::Row, column: ResultColumn<'_>, term: &Term) -> sqlx::Result<SentValue> {
    let sent = D::boundary_value(row, column, term.key.variant).map_err(|error| naming(term, error))?;
    match term.refusal(&sent.value.value) {
        Some(refusal) => Err(column_error(term.key.name, refusal)),
        None => Ok(sent),
    }
}

/// Gives an error the column's own name, which may differ from its name in the rows.
pub(super) fn naming(term: &Term, error: sqlx::Error) -> sqlx::Error {
    match error {
        sqlx::Error::ColumnDecode { source, .. } => column_error(term.key.name, source),
        other => other,
    }
}
