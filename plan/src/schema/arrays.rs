//! Lists of values that PostgreSQL takes as one bound array.
//!
//! A filter is written before its database is known. So `any_of` writes `(column) IN (values)`, which every database
//! understands, and which nothing else writes: the parentheses mark it. `use_arrays` turns it into `= ANY(array)`.

#[cfg(feature = "postgres")]
use sea_query::{ArrayType, BinOper, ExprTrait as _, extension::postgres::PgFunc};
use sea_query::{Expr, Value};

#[cfg(feature = "postgres")]
use crate::value::is_null;

/// Turns the lists of `any_of` in a condition into arrays, for a database that has them.
#[cfg(feature = "postgres")]
pub(crate) fn use_arrays(condition: &mut Expr) {
    match condition {
        Expr::Tuple(exprs) => exprs.iter_mut().for_each(use_arrays),
        Expr::Unary(_, expr) => use_arrays(expr),
        Expr::Binary(left, BinOper::In, right) => {
            if let Some(list) = as_array(left, right) {
                *condition = list;
            }
        }
        Expr::Binary(left, _, right) => [left, right].into_iter().for_each(|expr| use_arrays(expr)),
        _ => {}
    }
}

/// No other database has arrays.
#[cfg(not(feature = "postgres"))]
pub(crate) fn use_arrays(_condition: &mut Expr) {}

/// `column = ANY(array)` for what `any_of` writes, if an array can hold the values.
#[cfg(feature = "postgres")]
fn as_array(left: &Expr, right: &Expr) -> Option<Expr> {
    let (Expr::Tuple(column), Expr::Tuple(values)) = (left, right) else { return None };
    let [column] = column.as_slice() else { return None };
    let values: Vec<&Value> = values.iter().map(as_value).collect::<Option<_>>()?;
    Some(column.clone().eq(PgFunc::any(Expr::Value(array(values.into_iter())?))))
}

/// The values as one array, if PostgreSQL has one for them.
#[cfg(feature = "postgres")]
pub(crate) fn array<'a>(values: impl Iterator<Item = &'a Value> + Clone) -> Option<Value> {
    let kind = array_type(values.clone())?;
    Some(Value::Array(kind, Some(Box::new(values.cloned().collect()))))
}

/// No other database has arrays.
#[cfg(not(feature = "postgres"))]
pub(crate) fn array<'a>(_values: impl Iterator<Item = &'a Value> + Clone) -> Option<Value> {
    None
}

/// Whether PostgreSQL has an array for the values.
#[cfg(feature = "postgres")]
pub(crate) fn has_array<'a>(values: impl Iterator<Item = &'a Value>) -> bool {
    array_type(values).is_some()
}

/// No other database has arrays.
#[cfg(not(feature = "postgres"))]
pub(crate) fn has_array<'a>(_values: impl Iterator<Item = &'a Value>) -> bool {
    false
}

/// The type of all values, if it is the same and PostgreSQL binds an array's elements like single values. Values of
/// other types would be cast, or widened to another type.
#[cfg(feature = "postgres")]
fn array_type<'a>(mut values: impl Iterator<Item = &'a Value>) -> Option<ArrayType> {
    let first = values.next().filter(|value| is_element(value))?.array_type();
    values.all(|value| is_element(value) && value.array_type() == first).then_some(first)
}

/// The value, if an expression is one.
#[cfg(feature = "postgres")]
fn as_value(expr: &Expr) -> Option<&Value> {
    match expr {
        Expr::Value(value) => Some(value),
        _ => None,
    }
}

/// Whether PostgreSQL binds a value in an array like a single value.
#[cfg(feature = "postgres")]
fn is_element(value: &Value) -> bool {
    let is_element = match value {
        Value::SmallInt(_) | Value::Int(_) | Value::BigInt(_) | Value::String(_) => true,
        #[cfg(feature = "uuid")]
        Value::Uuid(_) => true,
        _ => false,
    };
    is_element && !is_null(value)
}
