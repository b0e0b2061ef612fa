//! Checks on the rows of each page for anything that would make later pages lose or repeat rows.

use std::collections::HashSet;

use sqlx::{Column as _, Row as _};

use crate::connection::Lease;
use crate::cursor::{Cursor, Part};
use crate::driver::Driver;
use crate::error::{FrameworkError, Result};
use crate::query::access::Access;
use crate::query::keyset::{Base, KeysetOrder, KeysetQuery};
use crate::query::predicate::{self, Bound};
use crate::query::template::BoundSql;
use crate::value::{self, Value};

/// Rejects a result with several columns of the same name, because which of them is read would differ between the forms
/// of a page. SQLite renames the second `id` of a derived table to `id:1`.
pub(crate) fn refuse_equal_names<D: Driver>(row: &D::Row) -> sqlx::Result<()> {
    let mut seen = HashSet::new();
    for column in row.columns() {
        let name = column.name();
        let original =
            name.rsplit_once(':').filter(|(_, copy)| copy.parse::<u32>().is_ok()).map(|(original, _)| original);
        let is_copy = original.is_some_and(|original| seen.contains(original));
        if !seen.insert(name) || is_copy {
            let name = if is_copy { original.unwrap_or(name) } else { name };
            return Err(crate::driver::column_error(
                name,
                "several columns of the select have this name: give each one an alias of its own",
            ));
        }
    }
    Ok(())
}

/// Rejects a page that begins with the key after which it should begin. Following its cursors would never end.
pub(crate) fn refuse_standstill(order: &KeysetOrder, from: Option<&Cursor>, near: &[Part]) -> Result<()> {
    match from {
        Some(from) if !from.inclusive && from.boundary.iter().zip(near).all(|(one, other)| same(one, other)) => {
            Err(FrameworkError::internal(format!(
                "the walk does not advance: a page begins with the key that the page before it ended with ({}). The \
                 database does not compare this key as it sorts it: order by other columns",
                columns(order)
            )))
        }
        _ => Ok(()),
    }
}

/// Rejects a page whose last row ties with the next one. The next page would begin after both, and lose a row.
pub(crate) async fn refuse_tie<D: Driver>(
    connection: &mut Lease<'_, D>,
    select: &KeysetQuery,
    [last, next]: [&[Part]; 2],
) -> Result<()> {
    let order = &*select.order;
    let mut pairs = last.iter().zip(next);
    let ties = if pairs.clone().all(|(one, other)| same(one, other)) {
        true
    } else if order.table.is_some() || !pairs.all(|(one, other)| may_be_equal(one, other)) {
        false
    } else {
        let (last, next) = (bounds(last), bounds(next));
        let tie = predicate::tie(&Access::unknown(D::DIALECT), &select.base.select(), &order.sorts, [&last, &next]);
        connection.fetch_first(BoundSql::of(D::DIALECT, &tie)).await?.is_some()
    };
    if !ties {
        return Ok(());
    }
    let advice = match select.base {
        Base::Model(..) => "its primary key is not unique: name the columns that are with `primary_key`",
        Base::Caller(..) => {
            "end the order with columns that tell all rows apart, such as the primary key of each joined table"
        }
    };
    Err(FrameworkError::internal(format!(
        "rows tie in the cursor order ({}), so a page would lose one: {advice}",
        columns(order)
    )))
}

fn bounds(key: &[Part]) -> Vec<Bound<'_>> {
    key.iter().map(Part::bound).collect()
}

/// Whether two values are bound alike.
fn same(one: &Part, other: &Part) -> bool {
    one.bound().value == other.bound().value
}

/// Whether the database may consider two values equal: texts by its collation, values of different types by its rules.
fn may_be_equal(one: &Part, other: &Part) -> bool {
    let (one, other) = (one.bound().value, other.bound().value);
    let is_text = |value: &Value| matches!(value, Value::String(Some(_)));
    let differ_in_type = !value::is_null(one) && !value::is_null(other) && value::variant(one) != value::variant(other);
    one == other || is_text(one) && is_text(other) || differ_in_type
}

fn columns(order: &KeysetOrder) -> String {
    let columns: Vec<&str> = order.terms.iter().map(|term| term.key.name).collect();
    columns.join(", ")
}
