//! Orders and groups for the tests of this crate. In folio, the typed columns of a caller become them.

use sea_query::{Expr, Value};

use crate::schema::group::Groups;
use crate::schema::key_expression::KeyExpression;
use crate::schema::table::{Direction, KeyColumn, Nulls, Table};
use crate::schema::term::Term;
use crate::value::{Canonical, Kind, Variant};

/// An ascending key column of `i64`.
pub(crate) const fn id(name: &'static str) -> KeyColumn {
    let canonical =
        Canonical { convert: |value| matches!(value, Value::BigInt(Some(_))).then_some(value), is_exact: true };
    KeyColumn::new(name, Kind { variant: Variant::BigInt, nullable: false, canonical }, Direction::Asc, None)
}

/// An ascending term of `i64`.
pub(crate) fn by(name: &'static str) -> Term {
    Term::of_column(None, None, id(name))
}

/// An ascending term of a nullable `i32`.
pub(crate) fn nullable(name: &'static str, nulls: Nulls) -> Term {
    let canonical = Canonical { convert: |value| matches!(value, Value::Int(_)).then_some(value), is_exact: true };
    let kind = Kind { variant: Variant::Int, nullable: true, canonical };
    Term::of_column(None, None, KeyColumn::new(name, kind, Direction::Asc, Some(nulls)))
}

/// An ascending term of `i64` by an expression that is not NULL.
pub(crate) fn by_expression(name: &'static str, expr: impl Into<Expr>) -> Term {
    Term::of_expression(id(name), KeyExpression::new(expr.into(), true, false))
}

/// An ascending term of `i64` by a table's column.
pub(crate) fn by_column_of(table: &'static Table, name: &'static str) -> Term {
    Term::of_table(table, id(name))
}

/// Groups as a feed has them, with these values one after the other.
pub(crate) fn groups<V: Into<Value>>(columns: &[&'static str], values: impl IntoIterator<Item = V>) -> Groups {
    let columns = columns.iter().map(|name| Expr::col(*name)).collect();
    Groups::new(columns, values.into_iter().map(Into::into).collect()).distinct()
}
