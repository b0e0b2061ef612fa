//! PostgreSQL, where a value compares by the rules of its type, and a bound one has the type that its bytes are sent
//! as.
//!
//! A text that is bound as `text` compares with a `citext` or `char(n)` column by the rules of `text`, and not at all
//! with an enum. So a boundary in such a column carries the name of the column's type, and the statement casts to it.

use std::time::{Duration, Instant};

use folio_plan::boundary::{BoundaryValue, ReadAs, Stored};
use folio_plan::dialect::Dialect;
use folio_plan::dialect::catalog::TableInfo;
use folio_plan::schema::table::Table;
use folio_plan::statement::template::{BoundSql, CallerValues};
use folio_plan::value::{Value, Variant, column_text, is_null};
use sea_query::{ArrayType, OptionEnum, Values};
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::types::Oid;
use sqlx::postgres::{PgArgumentBuffer, PgTypeInfo};
use sqlx::postgres::{PgArguments, PgColumn, PgConnection, PgDatabaseError, PgPool, PgRow, PgTypeKind};
use sqlx::{Column as _, ColumnIndex as _, ConnectOptions as _, Postgres, Row as _, TypeInfo as _, ValueRef as _};

use super::dates::{self, Day, Moment};
use super::errors::{LEAP_SECOND, OUT_OF_RANGE};
use super::panic::is_panic;
#[cfg(feature = "testing")]
use super::plan::{self, Plan, Sorts};
use super::postgres_range::{is_out_of_range, unsupported};
use super::{
    AnyRow, Catalog, Driver, DriverFacts, Failure, ResultColumn, ResultRow, RowSink, SentValue, Session, StoredAs,
    column_error, decode, driver, encode, get, unsupported_variant_error,
};
use crate::bind::CallerValue;
use crate::error::NUL;
use crate::value::CursorValue;

// A transaction can be visible before the log is written, so the primary's position is where it inserts.
const POSITION: &str = "
    SELECT (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END)::text";

/// The longest time between two looks at the position of a standby.
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// The place in the write-ahead log that a `pg_lsn` names, such as `16/B374D848`.
fn log_place(position: &str) -> Option<u64> {
    let (file, offset) = position.split_once('/')?;
    let [file, offset] = [file, offset].map(|part| u32::from_str_radix(part, 16).ok());
    Some(u64::from(file?) << 32 | u64::from(offset?))
}

impl Driver for Postgres {
    const DIALECT: Dialect = Dialect::Postgres;

    const FACTS: DriverFacts = DriverFacts {
        breaks_on_cancel: false,
        keeps_column_names: false,
        loses_statements: true,
        retries_reads: true,
        may_lack_autocommit: false,
        reads_in_session_zone: false,
        hides_refused_characters: false,
        limited: None,
    };

    driver!(CallerValue::add_to_postgres);

    async fn table_info(session: Session<'_, Self>, table: &Table) -> sqlx::Result<TableInfo> {
        super::postgres_catalog::table_info(Catalog { session, table }).await
    }

    fn adapt(value: &mut Value) -> Result<(), &'static str> {
        let unstorable = match value {
            Value::Array(_, Some(values)) => return values.iter_mut().try_for_each(Self::adapt),
            Value::BigUnsigned(Some(number)) => {
                i64::try_from(*number).is_err().then_some("an integer above 9223372036854775807")
            }
            Value::String(Some(text)) => text.contains('\0').then_some(NUL),
            Value::Enum(OptionEnum::Some(text)) => text.value.contains('\0').then_some(NUL),
            Value::Char(Some('\0')) => Some(NUL),
            #[cfg(feature = "json")]
            Value::Json(Some(json)) => has_nul(json).then_some(NUL),
            value => match dates::moment(value) {
                // As the server itself, the driver would send the second after it.
                Some(Moment { is_leap_second: true, .. }) => Some(LEAP_SECOND),
                Some(Moment { day: Some(day), .. }) if day < FIRST_DAY => Some("a date before 4714-11-24 BC"),
                _ => None,
            },
        };
        unstorable.map_or(Ok(()), Err)
    }

    fn classify(error: &sqlx::Error) -> Option<Failure> {
        let error: &PgDatabaseError = error.as_database_error()?.try_downcast_ref()?;
        match error.code() {
            // "cached plan must not change result type".
            "0A000" if error.routine() == Some("RevalidateCachedQuery") => Some(Failure::Outdated),
            // invalid_sql_statement_name: "unnamed prepared statement does not exist".
            "26000" => Some(Failure::Lost),
            // "canceling statement due to statement timeout". A statement that a user cancels has the same code.
            "57014" => Some(Failure::OutOfTime),
            // serialization_failure and deadlock_detected.
            "40001" | "40P01" => Some(Failure::Conflict),
            _ => None,
        }
    }

    // In one message, because a pooler may pass two to different servers.
    async fn position(connection: &mut PgConnection) -> sqlx::Result<Option<String>> {
        sqlx::raw_sql(POSITION).fetch_one(connection).await?.try_get(0)
    }

    async fn reaches(connection: &mut PgConnection, position: &str, wait: Duration) -> sqlx::Result<bool> {
        let Some(needed) = log_place(position) else { return Ok(false) };
        let (begun, mut pause) = (Instant::now(), Duration::from_millis(1));
        loop {
            let reached = Self::position(&mut *connection).await?;
            if reached.as_deref().and_then(log_place).is_some_and(|reached| reached >= needed) {
                return Ok(true);
            }
            let left = wait.saturating_sub(begun.elapsed());
            if left.is_zero() {
                return Ok(false);
            }
            tokio::time::sleep(pause.min(left)).await;
            pause = pause.saturating_mul(2).min(LONGEST_PAUSE);
        }
    }

    // One row with one column: the plan as JSON, whose root estimates the rows of the whole select.
    fn estimated_rows(plan: &[ResultRow<PgRow>]) -> Option<u64> {
        // JSON is sent as its text.
        let text: String = plan.first()?.try_get_unchecked(0).ok()?;
        estimate(serde_json::from_str::<serde_json::Value>(&text).ok()?.pointer("/0/Plan")?)
    }

    #[cfg(feature = "testing")]
    async fn plan(mut session: Session<'_, Self>, select: &BoundSql) -> sqlx::Result<Plan> {
        // PostgreSQL reads a small table as a whole and sorts it, whatever indexes there are.
        Self::execute(session.reborrow(), &planner_settings("off")).await?;
        let plan = explained(session.reborrow(), select).await;
        // In a transaction, an error has undone the settings, and this statement fails as well.
        let reset = Self::execute(session, &planner_settings("DEFAULT")).await;
        plan.and_then(|plan| reset.map(|()| plan))
    }

    // sqlx's options have no method for the size of the statement cache, but their URL does.
    fn persistent(pool: &PgPool) -> bool {
        let url = pool.connect_options().to_url_lossy();
        !url.query_pairs().any(|(name, value)| name == "statement-cache-capacity" && value == "0")
    }

    fn decode_into(rows: &mut dyn RowSink, row: &ResultRow<PgRow>) -> sqlx::Result<()> {
        // sqlx panics on a date or time that is out of range.
        let panics = |column: &&PgColumn| row.try_get_raw(column.ordinal()).is_ok_and(|raw| is_out_of_range(&raw));
        rows.add(AnyRow::Postgres(row)).map_err(|error| match row.columns().iter().find(panics) {
            Some(column) if is_panic(&error) => column_error(column.name(), OUT_OF_RANGE),
            _ => error,
        })
    }

    fn boundary_value(
        row: &PgRow,
        ResultColumn { name: column, .. }: ResultColumn<'_>,
        variant: Variant,
    ) -> sqlx::Result<SentValue> {
        if let Some(why) = unsupported(&row.try_get_raw(column)?, variant) {
            return Err(column_error(column, why));
        }
        let value = match Self::value(row, column, variant)? {
            Value::String(text) => cast(row, column, text)?,
            value => BoundaryValue::plain(value),
        };
        Ok(SentValue { value, inexact: None })
    }

    fn value(row: &PgRow, column: &str, variant: Variant) -> sqlx::Result<Value> {
        let at = column.index(row)?;
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
        match value {
            Value::String(text) => cast(row, result_column.name, text.clone()),
            value => Ok(BoundaryValue::plain(value.clone())),
        }
    }
}

/// The statements that turn off what PostgreSQL prefers for small tables.
#[cfg(feature = "testing")]
fn planner_settings(value: &str) -> String {
    let settings = ["enable_seqscan", "enable_bitmapscan", "enable_sort"];
    settings.map(|setting| format!("SET {setting} = {value};")).concat()
}

/// The plan under the session's settings.
#[cfg(feature = "testing")]
async fn explained(mut session: Session<'_, Postgres>, select: &BoundSql) -> sqlx::Result<Plan> {
    let text = plan::explained::<Postgres>(session.reborrow(), "EXPLAIN (COSTS OFF)", select).await?;
    let lines = text.iter().map(|row| row.try_get(0)).collect::<sqlx::Result<_>>()?;
    let json = plan::explained::<Postgres>(session, "EXPLAIN (FORMAT JSON)", select).await?;
    let json: Option<String> = json.first().map(|row| row.try_get_unchecked(0)).transpose()?;
    let json: serde_json::Value = serde_json::from_str(&json.unwrap_or_default()).unwrap_or_default();
    let sorts = json.pointer("/0/Plan").map_or(Sorts::Nothing, |root| sorts(root, Sorts::Nothing));
    Ok(Plan { sql: select.sql.to_string(), lines, sorts })
}

/// What a node and those below it sort, if a node above them sorts `above`. Below a limit there are only the rows of a
/// page.
#[cfg(feature = "testing")]
fn sorts(node: &serde_json::Value, above: Sorts) -> Sorts {
    let own = match node.get("Node Type").and_then(serde_json::Value::as_str) {
        Some("Sort") => Sorts::Rows,
        Some("Incremental Sort") => above.max(Sorts::Ties),
        Some("Limit") => Sorts::Nothing,
        _ => above,
    };
    let of_table = if node.get("Relation Name").is_some() { own } else { Sorts::Nothing };
    let below = node.get("Plans").and_then(serde_json::Value::as_array).into_iter().flatten();
    below.map(|node| sorts(node, own)).fold(of_table, Sorts::max)
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

fn bind(value: Value, arguments: &mut PgArguments) -> Result<(), BoxDynError> {
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

/// The first day of PostgreSQL's dates and timestamps, November 24 in the year 4714 BC.
const FIRST_DAY: Day = (-4713, 328);

/// Whether a text in a JSON value has a NUL character.
#[cfg(feature = "json")]
fn has_nul(json: &serde_json::Value) -> bool {
    use serde_json::Value as Json;
    match json {
        Json::String(text) => text.contains('\0'),
        Json::Array(values) => values.iter().any(has_nul),
        Json::Object(fields) => fields.iter().any(|(name, value)| name.contains('\0') || has_nul(value)),
        _ => false,
    }
}

/// A text with the type to cast it to when it is bound, because as `text` it would compare by other rules than its
/// column, or not at all.
fn cast(row: &PgRow, column: &str, text: Option<String>) -> sqlx::Result<BoundaryValue> {
    let value = Value::String(text);
    let cast = match row.try_get_raw(column)?.type_info().name() {
        "TEXT" => return Ok(BoundaryValue::plain(value)),
        // The plain name of this type means one character.
        "CHAR" => "bpchar".to_owned(),
        other => other.to_owned(),
    };
    let stored = Some(Stored { value: value.clone(), read_as: Some(ReadAs::Cast(cast)) });
    Ok(BoundaryValue { value, stored })
}

/// The rows that a plan expects.
///
/// For rows that Citus reads from its workers, PostgreSQL assumes 100,000, or 0 for a single shard. Citus adds the
/// number of its tasks, one for each shard, and the plan of one task. If these are missing, the rows have to be counted.
fn estimate(plan: &serde_json::Value) -> Option<u64> {
    match plan.pointer("/Distributed Query/Job") {
        Some(job) => {
            let rows_of_task = job.pointer("/Tasks/0/Remote Plan/0/0/Plan/Plan Rows")?.as_u64()?;
            job.get("Task Count")?.as_u64()?.checked_mul(rows_of_task)
        }
        None if reads_from_workers(plan) => None,
        None => plan.get("Plan Rows")?.as_u64(),
    }
}

/// Whether a node of the plan is one of Citus'.
fn reads_from_workers(plan: &serde_json::Value) -> bool {
    let provider = plan.get("Custom Plan Provider").and_then(serde_json::Value::as_str);
    let parts = plan.get("Plans").and_then(serde_json::Value::as_array);
    provider.is_some_and(|provider| provider.starts_with("Citus"))
        || parts.into_iter().flatten().any(reads_from_workers)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_estimate_is_one_that_the_plan_supports() {
        let citus = |job| {
            let (node, provider) = ("Custom Scan", "Citus Adaptive");
            json!({ "Node Type": node, "Custom Plan Provider": provider, "Plan Rows": 100_000, "Distributed Query": job })
        };
        let tasks = |count: u64, rows: u64| {
            let task = json!({ "Remote Plan": [[{ "Plan": { "Plan Rows": rows } }]] });
            json!({ "Job": { "Task Count": count, "Tasks": [task] } })
        };
        let sorted = |plan| json!({ "Node Type": "Sort", "Plan Rows": 100_000, "Plans": [plan] });
        for (plan, expected) in [
            (json!({ "Node Type": "Seq Scan", "Plan Rows": 42 }), Some(42)),
            // Other extensions estimate their own nodes.
            (json!({ "Node Type": "Custom Scan", "Custom Plan Provider": "ChunkAppend", "Plan Rows": 42 }), Some(42)),
            (citus(tasks(32, 31_550)), Some(1_009_600)),
            (citus(tasks(1, 10_000)), Some(10_000)),
            (citus(tasks(2, u64::MAX)), None),
            (citus(json!({ "Job": { "Task Count": 32 } })), None),
            (citus(json!({})), None),
            (sorted(citus(tasks(32, 31_550))), None),
            (sorted(json!({ "Node Type": "Seq Scan", "Plan Rows": 42 })), Some(100_000)),
        ] {
            assert_eq!(estimate(&plan), expected, "{plan}");
        }
    }
}
