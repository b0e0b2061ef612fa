//! PostgreSQL, where a value compares by the rules of its type, and a bound one has the type that its bytes are sent
//! as.
//!
//! A text that is bound as `text` compares with a `citext` or `char(n)` column by the rules of `text`, and not at all
//! with an enum. So a boundary in such a column carries the name of the column's type, and the statement casts to it.

use sea_query::{ArrayType, OptionEnum, Values};
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::types::Oid;
use sqlx::postgres::{PgArgumentBuffer, PgTypeInfo};
use sqlx::postgres::{PgArguments, PgColumn, PgConnection, PgDatabaseError, PgPool, PgRow, PgTypeKind};
use sqlx::{
    Column as _, ColumnIndex as _, ConnectOptions as _, Connection as _, Postgres, Row as _, TypeInfo as _,
    ValueRef as _,
};

use super::errors::OUT_OF_RANGE;
use super::panic::is_panic;
use super::postgres_range::{is_out_of_range, unsupported};
use super::unstorable;
use super::{
    Bind, Catalog, Driver, ResultColumn, RowSink, StoredAs, column_error, decode, driver, encode, get,
    unsupported_variant_error,
};
use crate::boundary::{BoundaryValue, Stored};
use crate::dialect::Dialect;
use crate::dialect::catalog::TableInfo;
use crate::schema::table::Table;
use crate::statement::template::BoundSql;
use crate::value::bind::CallerValue;
use crate::value::{CursorValue, Value, Variant, column_text, is_null};

/// The codes of errors that a value of a cursor causes, and the routines of the server that raise them.
const BOUNDARY_ERRORS: [(&str, &str); 3] =
    [("22P02", "enum_in"), ("23514", "ExecEvalConstraintCheck"), ("42704", "typenameType")];

impl Driver for Postgres {
    const DIALECT: Dialect = Dialect::Postgres;

    driver!();

    async fn table_info(connection: &mut PgConnection, table: &Table) -> sqlx::Result<TableInfo> {
        super::postgres_catalog::table_info(Catalog { connection, table }).await
    }

    // "cached plan must not change result type".
    fn is_outdated(error: &sqlx::Error) -> bool {
        let error = server_error(error);
        error.is_some_and(|error| error.code() == "0A000" && error.routine() == Some("RevalidateCachedQuery"))
    }

    // The value was removed from an enum, is refused by a domain, or its type no longer exists. The routine
    // distinguishes these from other errors with the same code. A failing cast in the caller's own SQL also fails on
    // the first page, which has no cursor.
    fn refuses_boundary(error: &sqlx::Error) -> bool {
        let error = server_error(error);
        error.is_some_and(|error| BOUNDARY_ERRORS.contains(&(error.code(), error.routine().unwrap_or_default())))
    }

    // One row with one column: the plan as JSON, whose root estimates the rows of the whole select.
    fn estimated_rows(plan: &[PgRow]) -> Option<u64> {
        // JSON is sent as its text.
        let text: String = plan.first()?.try_get_unchecked(0).ok()?;
        let plan: serde_json::Value = serde_json::from_str(&text).ok()?;
        plan.pointer("/0/Plan/Plan Rows")?.as_u64()
    }

    // sqlx's options have no method for the size of the statement cache, but their URL does.
    fn persistent(pool: &PgPool) -> bool {
        let url = pool.connect_options().to_url_lossy();
        !url.query_pairs().any(|(name, value)| name == "statement-cache-capacity" && value == "0")
    }

    // sqlx does not know of transactions that SQL text began. A savepoint can only be set inside of one.
    async fn is_outside_transaction(connection: &mut PgConnection) -> sqlx::Result<bool> {
        if connection.is_in_transaction() {
            return Ok(false);
        }
        match sqlx::raw_sql("SAVEPOINT folio_page").execute(&mut *connection).await {
            Ok(_) => sqlx::raw_sql("RELEASE SAVEPOINT folio_page").execute(connection).await.map(|_| false),
            Err(error) if server_error(&error).is_some_and(|error| error.code() == "25P01") => Ok(true),
            Err(error) => Err(error),
        }
    }

    fn decode_into(rows: &mut dyn RowSink, row: &PgRow) -> sqlx::Result<()> {
        // sqlx panics on a date or time that is out of range.
        let panics = |column: &&PgColumn| row.try_get_raw(column.ordinal()).is_ok_and(|raw| is_out_of_range(&raw));
        rows.add_postgres(row).map_err(|error| match row.columns().iter().find(panics) {
            Some(column) if is_panic(&error) => column_error(column.name(), OUT_OF_RANGE),
            _ => error,
        })
    }

    fn boundary_value(
        row: &PgRow,
        ResultColumn { name: column, .. }: ResultColumn<'_>,
        variant: Variant,
    ) -> sqlx::Result<BoundaryValue> {
        let at = column.index(row)?;
        if let Some(why) = unsupported(&row.try_get_raw(at)?, variant) {
            return Err(column_error(column, why));
        }
        let value = value(row, at, column, variant)?;
        Ok(with_cast(value, cast(row, at, variant)?))
    }

    fn value(row: &PgRow, column: &str, variant: Variant) -> sqlx::Result<Value> {
        value(row, column.index(row)?, column, variant)
    }

    fn stored_as(value: &Value) -> StoredAs {
        match value {
            value if is_null(value) => StoredAs::AsBound,
            Value::String(_) => StoredAs::ByType,
            #[cfg(feature = "rust_decimal")]
            Value::Decimal(Some(number)) => super::stored_as::of_decimal(number),
            #[cfg(any(feature = "chrono", feature = "time"))]
            value if super::stored_as::is_midnight(value) => StoredAs::ByRow,
            _ => StoredAs::AsBound,
        }
    }

    fn typed(row: &PgRow, result_column: ResultColumn<'_>, value: &Value) -> sqlx::Result<BoundaryValue> {
        let cast = cast(row, result_column.name.index(row)?, Variant::String)?;
        Ok(with_cast(value.clone(), cast))
    }
}

/// A text without a type of its own, for which the server takes that of the column beside it.
struct Untyped(Option<String>);

impl sqlx::Type<Postgres> for Untyped {
    fn type_info() -> PgTypeInfo {
        // In the protocol, 0 means that the server is to find the type.
        PgTypeInfo::with_oid(Oid(0))
    }
}

impl sqlx::Encode<'_, Postgres> for Untyped {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        sqlx::Encode::<Postgres>::encode_by_ref(&self.0, buffer)
    }
}

/// Adds an array of a type that folio binds lists as, or the text of a column.
fn add_array(kind: &ArrayType, values: Option<Vec<Value>>, arguments: &mut PgArguments) -> Result<(), BoxDynError> {
    use sqlx::Arguments as _;
    match kind {
        ArrayType::SmallInt => arguments.add(elements::<i16>(values)?),
        ArrayType::Int => arguments.add(elements::<i32>(values)?),
        ArrayType::BigInt => arguments.add(elements::<i64>(values)?),
        ArrayType::String => arguments.add(elements::<String>(values)?),
        #[cfg(feature = "uuid")]
        ArrayType::Uuid => arguments.add(elements::<uuid::Uuid>(values)?),
        kind => Err(format!("a text cannot be compared in the type of its column beside an array of {kind:?}").into()),
    }
}

fn elements<T: CursorValue>(values: Option<Vec<Value>>) -> Result<Option<Vec<Option<T>>>, BoxDynError> {
    let element = |value| Option::<T>::from_value(value).ok_or_else(|| "an array has values of several types".into());
    values.map(|values| values.into_iter().map(element).collect()).transpose()
}

impl Bind for Postgres {
    fn has_own_form(value: &Value) -> bool {
        column_text(value).is_some()
    }

    fn add(value: Value, arguments: &mut PgArguments) -> Result<(), BoxDynError> {
        if let Some(text) = column_text(&value) {
            return sqlx::Arguments::add(arguments, Untyped(text.map(str::to_owned)));
        }
        let value = match value {
            Value::Array(kind, values) => return add_array(&kind, values.map(|values| *values), arguments),
            // sea-query writes the cast, and binds the text.
            Value::Enum(OptionEnum::None(_)) => Value::String(None),
            Value::Char(char) => Value::String(char.map(String::from)),
            #[cfg(feature = "json")]
            Value::Json(json) => return sqlx::Arguments::add(arguments, json.map(|json| *json)),
            value => value,
        };
        encode!(value, arguments, {
            TinyInt(number) => number,
            TinyUnsigned(number) => number.map(i16::from),
            SmallUnsigned(number) => number.map(i32::from),
            Unsigned(number) => number.map(i64::from),
            BigUnsigned(number) => number.map(i64::try_from).transpose()?,
            #[cfg(feature = "chrono")]
            ChronoDateTimeWithTimeZone(moment) => moment,
            #[cfg(feature = "rust_decimal")]
            Decimal(number) => number,
            #[cfg(feature = "bigdecimal")]
            BigDecimal(number) => number.map(|number| *number),
        })
    }

    fn add_caller_value(value: &CallerValue, arguments: &mut PgArguments) -> Result<(), BoxDynError> {
        value.add_to_postgres(arguments)
    }
}

fn server_error(error: &sqlx::Error) -> Option<&PgDatabaseError> {
    error.as_database_error()?.try_downcast_ref()
}

/// A boundary's value, and the type to cast it to when it is bound.
fn with_cast(value: Value, cast: Option<String>) -> BoundaryValue {
    let stored = cast.map(|cast| Stored { value: value.clone(), cast: Some(cast) });
    BoundaryValue { value, stored }
}

fn value(row: &PgRow, at: usize, column: &str, variant: Variant) -> sqlx::Result<Value> {
    if variant == Variant::String && matches!(row.try_get_raw(at)?.type_info().kind(), PgTypeKind::Enum(_)) {
        // sqlx reads a value of an enum as text only if the type is declared.
        return Ok(row.try_get_unchecked::<Option<String>, _>(at)?.into_value());
    }
    decode!(Postgres, row, at, column, variant, {
        #[cfg(feature = "chrono")]
        ChronoDateTimeWithTimeZone: chrono::DateTime<chrono::FixedOffset>,
        #[cfg(feature = "rust_decimal")]
        Decimal: rust_decimal::Decimal,
        #[cfg(feature = "bigdecimal")]
        BigDecimal: bigdecimal::BigDecimal,
    })
}

/// The type that a text has to be cast to, because as `text` it would compare by other rules than its column, or not at
/// all.
fn cast(row: &PgRow, at: usize, variant: Variant) -> sqlx::Result<Option<String>> {
    if variant != Variant::String {
        return Ok(None);
    }
    Ok(match row.try_get_raw(at)?.type_info().name() {
        "TEXT" => None,
        // The plain name of this type means one character.
        "CHAR" => Some("bpchar".to_owned()),
        other => Some(other.to_owned()),
    })
}

fn representable(values: Values) -> sqlx::Result<Values> {
    unstorable::check(values, unstorable::on_postgres)
}
