//! Texts on a connection of sea-orm's.
//!
//! folio leaves it to the server to find the type of a text that is compared with a column, and sea-orm binds it as `text`.
//! For most columns, that is the type which the server would find; for others, such as `citext`, `char(n)` or an enum,
//! the rows would be other ones. So the server is asked, by a statement that is prepared and never run.

use std::sync::atomic::{AtomicU64, Ordering};

use folio_plan::statement::template::BoundSql;
use folio_plan::value::{Value, Variant, column_text, variant};
use sea_query::{ArrayType, Values};
use sqlx::{Postgres, Row as _};

use super::Connection;

/// Rejects a select in which a text is compared in another type than `text`.
pub(super) async fn check(connection: Connection<'_>, select: &BoundSql) -> sqlx::Result<()> {
    static PREPARED: AtomicU64 = AtomicU64::new(0);
    let values = &select.values.0;
    if !values.iter().any(|value| column_text(value).is_some()) {
        return Ok(());
    }
    let name = format!("folio_texts_{}", PREPARED.fetch_add(1, Ordering::Relaxed));
    let types: Vec<_> = values.iter().map(type_name).collect();
    connection.execute(&format!("PREPARE {name} ({}) AS {}", types.join(", "), select.sql)).await?;
    let types = "SELECT parameter_types::text[] FROM pg_prepared_statements WHERE name = $1";
    let types = connection.fetch::<Postgres>(types.to_owned(), Values(vec![name.clone().into()])).await;
    connection.execute(&format!("DEALLOCATE {name}")).await?;
    let types: Vec<String> = types?.first().ok_or(sqlx::Error::RowNotFound)?.try_get(0)?;
    let is_other = |(value, found): &(&Value, &String)| column_text(value).is_some() && !is_text(found);
    match values.iter().zip(&types).find(is_other) {
        Some((_, found)) => Err(Connection::unsupported(&format!(
            "binds each text as `text`, and this query compares one with a column of the type `{found}`"
        ))),
        None => Ok(()),
    }
}

/// A text that is compared with a column, as one of the type `text`; any other value as it is.
pub(super) fn typed(value: Value) -> Value {
    let text = column_text(&value).map(|text| text.map(str::to_owned));
    text.map_or(value, Value::String)
}

/// Whether a text compares by the rules of `text` in this type.
fn is_text(name: &str) -> bool {
    matches!(name, "text" | "character varying")
}

/// The type that sqlx binds a value as. The server finds the type of an `unknown` one itself.
fn type_name(value: &Value) -> &'static str {
    let element = |kind: &ArrayType| match kind {
        ArrayType::SmallInt => "int2[]",
        ArrayType::Int => "int4[]",
        ArrayType::BigInt => "int8[]",
        ArrayType::String => "text[]",
        #[cfg(feature = "uuid")]
        ArrayType::Uuid => "uuid[]",
        _ => "unknown",
    };
    match (variant(value), value) {
        (Some(variant), _) => of_variant(variant),
        (None, value) if column_text(value).is_some() => "unknown",
        (None, Value::Array(kind, _)) => element(kind),
        (None, Value::Enum(_) | Value::Char(_)) => "text",
        _ => "unknown",
    }
}

fn of_variant(variant: Variant) -> &'static str {
    match variant {
        Variant::Bool => "bool",
        Variant::TinyInt => r#""char""#,
        Variant::SmallInt | Variant::TinyUnsigned => "int2",
        Variant::Int | Variant::SmallUnsigned => "int4",
        Variant::BigInt | Variant::Unsigned | Variant::BigUnsigned => "int8",
        Variant::Float => "float4",
        Variant::Double => "float8",
        Variant::String => "text",
        Variant::Bytes => "bytea",
        Variant::Uuid => "uuid",
        Variant::ChronoDate | Variant::TimeDate => "date",
        Variant::ChronoTime | Variant::TimeTime => "time",
        Variant::ChronoDateTime | Variant::TimeDateTime => "timestamp",
        Variant::ChronoDateTimeUtc
        | Variant::ChronoDateTimeLocal
        | Variant::ChronoDateTimeWithTimeZone
        | Variant::TimeDateTimeWithTimeZone => "timestamptz",
        Variant::Decimal | Variant::BigDecimal => "numeric",
        _ => "unknown",
    }
}
