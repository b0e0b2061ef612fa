//! The values of a statement, as a driver takes them.
//!
//! sea-query-sqlx encodes all values of a statement at once. If the statement also has a caller's values, each value is
//! encoded by itself.

use sea_query::Values;
use sea_query_sqlx::SqlxValues;
use sqlx::error::BoxDynError;
use sqlx::{Arguments as _, Database, IntoArguments};

use crate::error::Unstorable;
use crate::query::raw_sql::CallerValues;
use crate::value::Value;
use crate::value::bind::CallerValue;

/// The values of a statement, with those of a caller's SQL text in their places.
pub(super) fn arguments<D: Database>(
    Values(values): Values,
    caller: Option<CallerValues>,
    add: impl Fn(Value, &mut D::Arguments) -> Result<(), BoxDynError>,
    add_caller_value: impl Fn(&CallerValue, &mut D::Arguments) -> Result<(), BoxDynError>,
) -> sqlx::Result<D::Arguments>
where
    SqlxValues: IntoArguments<D>,
{
    let Some(CallerValues { values: own, copies }) = caller else { return converted(Values(values)) };
    let mut arguments = D::Arguments::default();
    let mut copies = copies.into_iter().peekable();
    let mut add_copies = |at: usize, arguments: &mut D::Arguments| {
        while let Some((_, range)) = copies.next_if(|(before, _)| *before == at) {
            own.get(range).into_iter().flatten().try_for_each(|value| add_caller_value(value, arguments))?;
        }
        Ok(())
    };
    let end = values.len();
    for (at, value) in values.into_iter().enumerate() {
        add_copies(at, &mut arguments).and_then(|()| add(value, &mut arguments)).map_err(sqlx::Error::Encode)?;
    }
    add_copies(end, &mut arguments).map_err(sqlx::Error::Encode)?;
    Ok(arguments)
}

/// The values as a statement's arguments. It is an error if the driver has no form for one of them: sea-query-sqlx
/// would leave it out, and the next value would take its place.
fn converted<D: Database>(values: Values) -> sqlx::Result<D::Arguments>
where
    SqlxValues: IntoArguments<D>,
{
    let count = values.0.len();
    let arguments = SqlxValues(values).into_arguments();
    if arguments.len() != count {
        return Err(sqlx::Error::Encode(Unstorable(format!("{} cannot store a value of this query", D::NAME)).into()));
    }
    Ok(arguments)
}

/// Adds one of folio's values to arguments: of the types that all drivers have, and those of this one, as in
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
            other => Err(format!("a cursor over SQL text cannot have the value {other:?}").into()),
        }
    }};
}
pub(super) use encode;
