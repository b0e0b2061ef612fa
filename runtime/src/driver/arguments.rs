//! The values of a statement, as a driver takes them.
//!
//! sea-query-sqlx encodes all values of a statement at once. If the statement also has a caller's values, or a value that
//! the database needs in another form, such as a text that PostgreSQL compares with a column, each value is encoded by
//! itself.

use folio_plan::statement::template::{BoundSql, CallerValues};
use folio_plan::value::Value;
#[cfg(feature = "postgres")]
use folio_plan::value::column_text;
use sea_query::{OptionEnum, Values};
use sea_query_sqlx::SqlxValues;
use sqlx::error::BoxDynError;
use sqlx::{Arguments as _, Database, IntoArguments};

use super::errors::unstorable_error;
use crate::bind::CallerValue;

/// How a driver binds one value.
pub(super) struct Bind<D: Database> {
    /// Puts one of folio's into the form in which the server compares it.
    pub(super) adapt: fn(&mut Value) -> Result<(), &'static str>,
    /// One of folio's.
    pub(super) own: fn(Value, &mut D::Arguments) -> Result<(), BoxDynError>,
    /// One of a caller's SQL text.
    pub(super) callers: fn(&CallerValue, &mut D::Arguments) -> Result<(), BoxDynError>,
}

/// The values of a statement, with those of a caller's SQL text in their places.
pub(super) fn arguments<D: Database>(
    mut values: Values,
    caller: Option<CallerValues>,
    bind: &Bind<D>,
) -> sqlx::Result<D::Arguments>
where
    SqlxValues: IntoArguments<D>,
{
    values.0.iter_mut().try_for_each(bind.adapt).map_err(unstorable_error)?;
    #[cfg(feature = "postgres")]
    let has_column_text = values.0.iter().any(|value| column_text(value).is_some());
    #[cfg(not(feature = "postgres"))]
    let has_column_text = false;
    if caller.is_some() || has_column_text {
        let caller = caller.unwrap_or_default();
        return one_by_one::<D>(values, &caller, bind).map_err(sqlx::Error::Encode);
    }
    // sea-query-sqlx leaves out a value that the driver has no form for, and the next one would take its place.
    let count = values.0.len();
    let arguments = SqlxValues(values).into_arguments();
    if arguments.len() != count {
        return Err(unstorable_error("a value of this query"));
    }
    Ok(arguments)
}

/// The values, with those of each copy of a caller's text before the value that follows the copy.
fn one_by_one<D: Database>(
    Values(values): Values,
    caller: &CallerValues,
    bind: &Bind<D>,
) -> Result<D::Arguments, BoxDynError> {
    let mut arguments = D::Arguments::default();
    // No value follows the last copy.
    for (at, value) in values.into_iter().map(Some).chain([None]).enumerate() {
        let copies = caller.copies.iter().filter(|(before, _)| *before == at);
        let repeated = copies.filter_map(|(_, range)| caller.values.get(range.clone())).flatten();
        for callers in repeated {
            (bind.callers)(CallerValue::of(&**callers)?, &mut arguments)?;
        }
        if let Some(value) = value {
            (bind.own)(value, &mut arguments)?;
        }
    }
    Ok(arguments)
}

/// Whether the texts of a statement's values have only characters of ASCII.
pub(super) fn are_ascii(select: &BoundSql) -> bool {
    let callers = select.caller.iter().flat_map(|caller| caller.values.iter());
    let mut callers = callers.filter_map(|value| CallerValue::of(&**value).ok());
    let mut own = select.values.iter();
    let are_own_ascii = own.all(|value| match value {
        Value::String(Some(text)) => text.is_ascii(),
        Value::Enum(OptionEnum::Some(text)) => text.value.is_ascii(),
        Value::Char(Some(char)) => char.is_ascii(),
        _ => true,
    });
    are_own_ascii && !callers.any(|value| value.is_beyond_ascii)
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
