//! Checks on the rows of each page for anything that would make later pages lose or repeat rows.

use std::collections::HashSet;

use sqlx::Row as _;

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
/// of a page.
pub(crate) fn refuse_equal_names<D: Driver>(row: &D::Row) -> sqlx::Result<()> {
    match equal_name(row.columns().iter().map(sqlx::Column::name)) {
        Some(name) => Err(crate::driver::column_error(
            name,
            "several columns of the select have this name: give each one an alias of its own",
        )),
        None => Ok(()),
    }
}

/// A name that several columns have. SQLite renames the second one to `id:1`.
pub(super) fn equal_name<'a>(names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut seen = HashSet::new();
    for name in names {
        let name = copied(name).filter(|original| seen.contains(original)).unwrap_or(name);
        if !seen.insert(name) {
            return Some(name);
        }
    }
    None
}

/// The name of which this one may be SQLite's copy.
fn copied(name: &str) -> Option<&str> {
    let (original, copy) = name.rsplit_once(':')?;
    copy.parse::<u32>().is_ok().then_some(original)
}

/// Rejects a page that begins with the key after which it should begin. Following its cursors would never end.
pub(crate) fn refuse_standstill(order: &KeysetOrder, from: Option<&Cursor>, near: &[Part]) -> Result<()> {
    match from {
        Some(from) if !from.inclusive && are_same(&from.boundary, near) => Err(FrameworkError::internal(format!(
            "the walk does not advance: a page begins with the key that the page before it ended with ({}). The \
                 database does not compare this key as it sorts it: order by other columns",
            order.names()
        ))),
        _ => Ok(()),
    }
}

/// Rejects a page whose last row ties with the next one. The next page would begin after both, and lose a row.
pub(crate) async fn refuse_tie<D: Driver>(
    connection: &mut Lease<'_, D>,
    select: &KeysetQuery,
    keys: [&[Part]; 2],
) -> Result<()> {
    if !ties(connection, select, keys).await? {
        return Ok(());
    }
    Err(FrameworkError::internal(format!(
        "rows tie in the cursor order ({}), so a page would lose one: {}",
        select.order.names(),
        against_ties(&select.base)
    )))
}

/// Whether the database sorts two keys as equal. It is asked if the values alone do not tell.
async fn ties<D: Driver>(
    connection: &mut Lease<'_, D>,
    select: &KeysetQuery,
    [last, next]: [&[Part]; 2],
) -> Result<bool> {
    if are_same(last, next) {
        return Ok(true);
    }
    if select.order.table.is_some() || !last.iter().zip(next).all(|(one, other)| may_be_equal(one, other)) {
        return Ok(false);
    }
    Ok(connection.fetch_first(tie::<D>(select, [last, next])).await?.is_some())
}

/// A statement that has a row if the database sorts two keys as equal.
fn tie<D: Driver>(KeysetQuery { order, base, .. }: &KeysetQuery, [last, next]: [&[Part]; 2]) -> BoundSql {
    let (last, next) = (bounds(last), bounds(next));
    base.statement(&predicate::tie(&Access::unknown(D::DIALECT), &base.select(), &order.sorts, [&last, &next]))
}

/// What to write so that rows do not tie.
fn against_ties(base: &Base) -> &'static str {
    match base {
        Base::Model(..) => "its primary key is not unique: name the columns that are with `primary_key`",
        Base::Caller(..) => {
            "end the order with columns that tell all rows apart, such as the primary key of each joined table"
        }
    }
}

fn bounds(key: &[Part]) -> Vec<Bound<'_>> {
    key.iter().map(Part::bound).collect()
}

/// Whether all values of two keys are bound alike.
fn are_same(one: &[Part], other: &[Part]) -> bool {
    one.iter().zip(other).all(|(one, other)| same(one, other))
}

/// Whether two values are bound alike.
fn same(one: &Part, other: &Part) -> bool {
    one.bound().value == other.bound().value
}

/// Whether the database may consider two values equal: texts by its collation, values of different types by its rules.
fn may_be_equal(one: &Part, other: &Part) -> bool {
    let (one, other) = (one.bound().value, other.bound().value);
    let is_text = |value: &Value| matches!(value, Value::String(Some(_)));
    let differ_in_type = differ_in_type(one, other);
    one == other || is_text(one) && is_text(other) || differ_in_type
}

/// Whether both values have a type, and not the same one.
fn differ_in_type(one: &Value, other: &Value) -> bool {
    !value::is_null(one) && !value::is_null(other) && value::variant(one) != value::variant(other)
}
