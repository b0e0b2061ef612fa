//! The values of a statement, as a driver takes them.
//!
//! sea-query-sqlx encodes all values of a statement at once. If the statement also has a caller's values, or a value that
//! the database needs in another form, such as a text that PostgreSQL compares with a column, each value is encoded by
//! itself.

use folio_core::statement::template::{BoundSql, CallerValues, OpaqueValue};
use folio_core::value::Value;
use sea_query::Values;
use sea_query_sqlx::SqlxValues;
use sqlx::error::BoxDynError;
use sqlx::{Arguments as _, Database, IntoArguments};

use crate::bind::CallerValue;
use crate::error::Refusal;

/// A database that values are bound on.
pub(crate) trait Bind: Database {
    /// Whether sea-query-sqlx cannot bind a value as this database needs it.
    fn has_own_form(_value: &Value) -> bool {
        false
    }

    /// The value in a form that sea-query-sqlx can bind.
    #[cfg(feature = "_sea-orm")]
    fn without_own_form(value: Value) -> Value {
        value
    }

    /// A value in the form in which the server compares it with a column.
    fn compared(value: Value) -> Value {
        value
    }

    /// Binds one of folio's values.
    fn add(value: Value, arguments: &mut Self::Arguments) -> Result<(), BoxDynError>;

    /// Binds a value of a caller's SQL text.
    fn add_caller_value(value: &CallerValue, arguments: &mut Self::Arguments) -> Result<(), BoxDynError>;
}

/// The values of a statement, with those of a caller's SQL text in their places.
pub(super) fn arguments<D: Bind>(values: Values, caller: Option<CallerValues>) -> sqlx::Result<D::Arguments>
where
    SqlxValues: IntoArguments<D>,
{
    let values = Values(values.0.into_iter().map(D::compared).collect());
    match caller {
        Some(caller) => with_caller_values::<D>(values, &caller).map_err(sqlx::Error::Encode),
        None if values.0.iter().any(D::has_own_form) => {
            with_caller_values::<D>(values, &CallerValues::default()).map_err(sqlx::Error::Encode)
        }
        None => bound::<D>(values),
    }
}

/// The values as sea-query-sqlx binds them.
pub(super) fn bound<D: Bind>(values: Values) -> sqlx::Result<D::Arguments>
where
    SqlxValues: IntoArguments<D>,
{
    // It leaves out a value that the driver has no form for, and the next one would take its place.
    let count = values.0.len();
    let arguments = SqlxValues(values).into_arguments();
    if arguments.len() != count {
        return Err(sqlx::Error::Encode(Refusal::Unstorable("a value of this query").into()));
    }
    Ok(arguments)
}

/// The values, with those of each copy of a caller's text before the value that follows the copy.
fn with_caller_values<D: Bind>(Values(values): Values, caller: &CallerValues) -> Result<D::Arguments, BoxDynError> {
    let mut arguments = D::Arguments::default();
    let end = values.len();
    for (at, value) in values.into_iter().enumerate() {
        copied(caller, at).try_for_each(|value| D::add_caller_value(CallerValue::of(value)?, &mut arguments))?;
        D::add(value, &mut arguments)?;
    }
    copied(caller, end).try_for_each(|value| D::add_caller_value(CallerValue::of(value)?, &mut arguments))?;
    Ok(arguments)
}

/// The caller's values for the copies of the text that come after this many of folio's own values.
fn copied(CallerValues { values, copies }: &CallerValues, before: usize) -> impl Iterator<Item = &dyn OpaqueValue> {
    let copies = copies.iter().filter(move |(at, _)| *at == before);
    copies.filter_map(|(_, range)| values.get(range.clone())).flatten().map(|value| &**value)
}

/// Whether the texts of a statement's values have only characters of ASCII.
pub(super) fn are_ascii(select: &BoundSql) -> bool {
    let callers = select.caller.iter().flat_map(|caller| caller.values.iter());
    let mut callers = callers.filter_map(|value| CallerValue::of(&**value).ok());
    select.values.iter().all(is_ascii) && callers.all(CallerValue::is_ascii)
}

fn is_ascii(value: &Value) -> bool {
    match value {
        Value::String(Some(text)) => text.is_ascii(),
        Value::Enum(sea_query::OptionEnum::Some(text)) => text.value.is_ascii(),
        Value::Char(Some(char)) => char.is_ascii(),
        _ => true,
    }
}

/// Adds one of folio's values to arguments: a value of a type that all drivers have, or that only this one has, as in
/// `encode!(value, arguments, { TinyInt(number) => number, … })`. A value of any other type is an error.
macro_rules! encode {
    ($value:expr, $arguments:expr, { $($(#[$attr:meta])* $name:ident($inner:ident) => $encoded:expr),* $(,)? }) => {{
        use sqlx::Arguments as _;
        match $value {
            Value::Bool(value) => $arguments.add(value),
            Value::SmallInt(value) => $arguments.add(value),
            Value::Int(value) => $arguments.add(value),
            Value::BigInt(value) => $arguments.add(value),
            Value::Float(value) => $arguments.add(value),
            Value::Double(value) => $arguments.add(value),
            Value::String(value) => $arguments.add(value),
            Value::Bytes(value) => $arguments.add(value),
            Value::Enum(sea_query::OptionEnum::Some(value)) => $arguments.add(value.value),
            #[cfg(feature = "uuid")]
            Value::Uuid(value) => $arguments.add(value),
            #[cfg(feature = "chrono")]
            Value::ChronoDate(value) => $arguments.add(value),
            #[cfg(feature = "chrono")]
            Value::ChronoTime(value) => $arguments.add(value),
            #[cfg(feature = "chrono")]
            Value::ChronoDateTime(value) => $arguments.add(value),
            #[cfg(feature = "chrono")]
            Value::ChronoDateTimeUtc(value) => $arguments.add(value),
            #[cfg(feature = "chrono")]
            Value::ChronoDateTimeLocal(value) => $arguments.add(value),
            #[cfg(feature = "time")]
            Value::TimeDate(value) => $arguments.add(value),
            #[cfg(feature = "time")]
            Value::TimeTime(value) => $arguments.add(value),
            #[cfg(feature = "time")]
            Value::TimeDateTime(value) => $arguments.add(value),
            #[cfg(feature = "time")]
            Value::TimeDateTimeWithTimeZone(value) => $arguments.add(value),
            $($(#[$attr])* Value::$name($inner) => $arguments.add($encoded),)*
            other => Err(format!("the driver cannot bind {other:?}").into()),
        }
    }};
}
pub(super) use encode;
