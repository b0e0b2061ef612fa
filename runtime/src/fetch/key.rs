//! The key of a row, as its page seals it.

use crate::cursor::Part;
use crate::driver::{Driver, Slot, column_error};
use crate::model::term::Term;
use crate::query::keyset::KeysetOrder;
use crate::value::{self, Value};

/// The key of a row.
pub(super) fn key<D: Driver>(order: &KeysetOrder, row: &D::Row) -> sqlx::Result<Vec<Part>> {
    let columns = order.terms.iter().zip(&order.sorts).enumerate();
    columns.map(|(at, (term, sort))| part::<D>(term, row, Slot { at, name: &sort.output })).collect()
}

/// The value of a key's column in a row.
pub(super) fn part<D: Driver>(term: &Term, row: &D::Row, slot: Slot<'_>) -> sqlx::Result<Part> {
    let column = term.key.name;
    let part = D::part(row, slot, term.key.variant).map_err(|error| named(column, error))?;
    match refusal(term, &part.value) {
        Some(why) => Err(column_error(column, why)),
        None => Ok(part),
    }
}

/// Why a column of the key cannot have a value.
fn refusal(term: &Term, value: &Value) -> Option<&'static str> {
    if term.key.nulls.is_none() && value::is_null(value) {
        Some("the cursor key has NULL in a column whose type has no NULL: make it an `Option`")
    } else if value::is_nan(value) {
        Some("NaN cannot be used in a cursor key")
    } else {
        None
    }
}

/// The error with the column's own name, which may differ from its name in the rows.
pub(super) fn named(column: &str, error: sqlx::Error) -> sqlx::Error {
    match error {
        sqlx::Error::ColumnDecode { source, .. } => column_error(column, source),
        other => other,
    }
}
