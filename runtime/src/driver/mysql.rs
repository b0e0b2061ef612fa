//! MySQL and MariaDB, which one driver of sqlx connects to.
//!
//! They have special rules for comparing columns: texts by collation, ENUMs by number or by text, timestamps in the
//! session's time zone. `mysql_order.rs` refuses columns that cannot be paged by.

use std::time::Duration;

use folio_plan::boundary::{BoundaryValue, Stored};
use folio_plan::dialect::Dialect;
use folio_plan::dialect::catalog::TableInfo;
use folio_plan::schema::table::Table;
use folio_plan::statement::template::{BoundSql, CallerValues};
use folio_plan::value::{Value, Variant, is_nan, is_null};
use sea_query::Values;
use sqlx::error::BoxDynError;
use sqlx::mysql::{MySqlArguments, MySqlDatabaseError, MySqlRow};
use sqlx::{
    Column as _, ColumnIndex as _, Executor as _, MySql, Row as _, SqlSafeStr as _, Statement as _, TypeInfo as _,
    ValueRef as _,
};

use super::dates::{self, Moment};
use super::errors::{LEAP_SECOND, NAN};
use super::mysql_order::{self, refuse_duration, refuse_enum};
#[cfg(feature = "testing")]
use super::plan::{self, Plan, Sorts};
use super::{
    AnyRow, Catalog, Driver, DriverFacts, Failure, ResultColumn, ResultRow, RowSink, SentValue, Session, StoredAs,
    column_error, decode, driver, encode, get, milliseconds, unsupported_variant_error,
};
use crate::bind::CallerValue;
use crate::value::CursorValue as _;

impl Driver for MySql {
    const DIALECT: Dialect = Dialect::MySql;

    const FACTS: DriverFacts = DriverFacts {
        // sqlx's driver would read the rest of a response as the response to the next statement, or wait forever. The
        // other drivers skip the rest before they send the next statement.
        breaks_on_cancel: true,
        keeps_column_names: false,
        loses_statements: false,
        retries_reads: true,
        may_lack_autocommit: true,
        reads_in_session_zone: true,
        hides_refused_characters: true,
        limited: Some(limited),
    };

    driver!(CallerValue::add_to_mysql);

    async fn table_info(session: Session<'_, Self>, table: &Table) -> sqlx::Result<TableInfo> {
        super::mysql_catalog::table_info(Catalog { session, table }).await
    }

    fn adapt(value: &mut Value) -> Result<(), &'static str> {
        if is_nan(value) {
            return Err(NAN);
        }
        match dates::moment(value) {
            // On MariaDB, it equals 24:00:00.
            Some(Moment { is_leap_second: true, .. }) => return Err(LEAP_SECOND),
            // The protocol has more years than that. MariaDB compares with them, and MySQL 9 fails.
            Some(Moment { day: Some((year, _)), .. }) if !(0..=9_999).contains(&year) => {
                return Err("a date outside the years 0 to 9999");
            }
            _ => {}
        }
        // sqlx sends a moment with a time zone as a TIMESTAMP, in UTC. Of a list of these, MariaDB only finds the first
        // one in a TIMESTAMP column. Both types are read in the session's time zone.
        #[cfg(any(feature = "chrono", feature = "time"))]
        {
            *value = match value {
                #[cfg(feature = "chrono")]
                Value::ChronoDateTimeUtc(moment) => Value::ChronoDateTime(moment.map(|moment| moment.naive_utc())),
                #[cfg(feature = "chrono")]
                Value::ChronoDateTimeLocal(moment) => Value::ChronoDateTime(moment.map(|moment| moment.naive_utc())),
                #[cfg(feature = "time")]
                Value::TimeDateTimeWithTimeZone(Some(moment)) => {
                    let Some(utc) = moment.checked_to_offset(time::UtcOffset::UTC) else { return Ok(()) };
                    time::PrimitiveDateTime::new(utc.date(), utc.time()).into()
                }
                _ => return Ok(()),
            };
        }
        Ok(())
    }

    fn classify(error: &sqlx::Error) -> Option<Failure> {
        match error.as_database_error()?.try_downcast_ref::<MySqlDatabaseError>()?.number() {
            // ER_KEY_DOES_NOT_EXITS, as the server spells it. An index hint names an index that the catalog had up to a
            // minute ago, and that has been dropped since.
            1176 => Some(Failure::MissingIndex),
            // ER_DUP_FIELDNAME.
            1060 => Some(Failure::EqualColumn),
            // ER_QUERY_TIMEOUT of MySQL, and ER_STATEMENT_TIMEOUT of MariaDB.
            3024 | 1969 => Some(Failure::OutOfTime),
            // ER_LOCK_DEADLOCK, ER_LOCK_WAIT_TIMEOUT, and ER_CHECKREAD, with which newer versions of MariaDB refuse to
            // write a row that has changed since the snapshot. 6235 is OceanBase's serialization failure.
            1213 | 1205 | 1020 | 6235 => Some(Failure::Conflict),
            // A COMMIT that has lost against another member of a Group Replication fails with
            // ER_TRANSACTION_ROLLBACK_DURING_COMMIT, or with ER_ERROR_DURING_COMMIT, which the server also has for other
            // causes: 149 is a deadlock (HA_ERR_LOCK_DEADLOCK).
            3101 => Some(Failure::Conflict),
            1180 => error.to_string().contains("error 149 ").then_some(Failure::Conflict),
            _ => None,
        }
    }

    // MySQL has the first variable, which is a set over several lines, and MariaDB the second. Without GTIDs both are empty.
    async fn position(connection: &mut sqlx::MySqlConnection) -> sqlx::Result<Option<String>> {
        let sql = "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('gtid_executed', 'gtid_current_pos')";
        let Some(found) = sqlx::raw_sql(sql).fetch_optional(connection).await? else { return Ok(None) };
        Ok(Some(found.try_get::<String, _>(1)?.replace('\n', "")).filter(|position| !position.is_empty()))
    }

    // Only a set of MySQL's has colons, as in `3E11FA47-71CA-11E1-9E33-C80AA9429562:1-5`. MariaDB's position is a list of
    // numbers, as in `0-1-5`. MySQL takes a time of 0 for none.
    async fn reaches(connection: &mut sqlx::MySqlConnection, position: &str, wait: Duration) -> sqlx::Result<bool> {
        let sql = match position.contains(':') {
            true => "SELECT WAIT_FOR_EXECUTED_GTID_SET(?, ?)",
            false => "SELECT MASTER_GTID_WAIT(?, ?)",
        };
        let seconds = wait.as_secs_f64().max(0.001);
        let waiting = sqlx::query_scalar(sql).bind(position).bind(seconds).persistent(false);
        let result: Option<i64> = waiting.fetch_one(connection).await?;
        Ok(result == Some(0))
    }

    // The plan has a line for each table that is read. Only a plan with one line has a usable estimate.
    fn estimated_rows(plan: &[ResultRow<MySqlRow>]) -> Option<u64> {
        let [line] = plan else { return None };
        // MariaDB sends the number as text, or NULL if it knows that there are none.
        let rows = match line.try_get::<Option<u64>, _>("rows") {
            Ok(rows) => rows.unwrap_or(0),
            Err(_) => line.try_get::<Option<String>, _>("rows").ok()?.map_or(Some(0), |rows| rows.parse().ok())?,
        };
        // The percentage of the rows read that the conditions leave. MariaDB does not have it.
        let left = line.try_get::<Option<f64>, _>("filtered").ok().flatten().unwrap_or(100.0);
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an estimate, and a float becomes the nearest number that there is"
        )]
        Some((rows as f64 * left / 100.0) as u64)
    }

    #[cfg(feature = "testing")]
    async fn plan(session: Session<'_, Self>, select: &BoundSql) -> sqlx::Result<Plan> {
        let rows = plan::explained::<Self>(session, "EXPLAIN FORMAT=TRADITIONAL", select).await?;
        let (mut lines, mut sorts) = (Vec::new(), Sorts::Nothing);
        for row in &rows {
            // Which columns a plan has depends on the server, and so do their types.
            let text = |column| row.try_get_unchecked::<Option<String>, _>(column).ok().flatten().unwrap_or_default();
            let [table, access, index, extra] = ["table", "type", "key", "Extra"].map(text);
            // A derived table is a part of folio's own select, which is limited to a page. A table of a few hundred rows
            // is sorted even if an index has the order.
            if extra.contains("Using filesort") && !table.is_empty() && !table.starts_with('<') {
                sorts = Sorts::Ties;
            }
            lines.push(format!("table: {table}, type: {access}, key: {index}, Extra: {extra}"));
        }
        Ok(Plan { sql: select.sql.to_string(), lines, sorts })
    }

    fn decode_into(rows: &mut dyn RowSink, row: &ResultRow<MySqlRow>) -> sqlx::Result<()> {
        rows.add(AnyRow::MySql(row)).map_err(|error| explained(error, row))
    }

    /// Asks for the types of the columns with a statement that is prepared once for each connection and never run. On
    /// sea-orm's connections, a row tells.
    async fn check_column(session: Session<'_, Self>, select: &BoundSql, column: &str) -> sqlx::Result<()> {
        match session {
            Session::Connection(connection) => {
                let statement = connection.prepare(sqlx::AssertSqlSafe(select.sql.clone()).into_sql_str()).await?;
                let found = statement.columns().iter().find(|found| found.name() == column);
                found.map_or(Ok(()), |found| refuse_enum(found.type_info(), column))
            }
            #[cfg(feature = "_sea-orm")]
            Session::SeaOrm(connection) => {
                let rows = connection.read::<Self>(select.clone()).await?;
                let row = rows.first().filter(|row| row.try_column(column).is_ok());
                row.map_or(Ok(()), |row| refuse_enum_in(row, column))
            }
        }
    }

    fn boundary_value(row: &MySqlRow, result_column: ResultColumn<'_>, variant: Variant) -> sqlx::Result<SentValue> {
        let column = result_column.name;
        let at = column.index(row)?;
        refuse_enum_in(row, column)?;
        refuse_duration(row, at, column)?;
        let value = Self::value(row, column, variant)?;
        mysql_order::refuse_zero_date(row, at, column, &value)?;
        mysql_order::check(row, result_column, &value)?;
        let stored = stored(row, at, &value)?.map(|value| Stored { value, read_as: None });
        let zone = mysql_order::zone(row, result_column, &value)?;
        let inexact = mysql_order::is_lossy(row, result_column, &value)?.then_some(mysql_order::LOSSY);
        Ok(SentValue { value: BoundaryValue { value, stored }.in_zone(zone), inexact })
    }

    fn value(row: &MySqlRow, column: &str, variant: Variant) -> sqlx::Result<Value> {
        let at = column.index(row)?;
        decode!(MySql, row, at, column, variant, {
            TinyInt: i8,
            TinyUnsigned: u8,
            SmallUnsigned: u16,
            Unsigned: u32,
            BigUnsigned: u64,
            #[cfg(feature = "rust_decimal")]
            Decimal: rust_decimal::Decimal,
            #[cfg(feature = "bigdecimal")]
            BigDecimal: bigdecimal::BigDecimal,
        })
    }

    // The column may hold more than the Rust type, or compare by rules that the value does not show.
    fn stored_as(value: &Value) -> StoredAs {
        match value {
            // A zero date reads as NULL.
            #[cfg(feature = "chrono")]
            Value::ChronoDate(None) | Value::ChronoDateTime(None) => StoredAs::ByRow,
            #[cfg(feature = "time")]
            Value::TimeDate(None) | Value::TimeDateTime(None) => StoredAs::ByRow,
            #[cfg(any(feature = "chrono", feature = "time"))]
            value if is_null(value) && has_time_zone(value) => StoredAs::ByRow,
            value if is_null(value) => StoredAs::AsBound,
            // A DOUBLE holds more than an `f32`, a number more than a `bool`, and a TIME may be a duration.
            Value::Float(_) | Value::Bool(_) => StoredAs::ByRow,
            #[cfg(feature = "chrono")]
            Value::ChronoTime(_) => StoredAs::ByRow,
            #[cfg(feature = "time")]
            Value::TimeTime(_) => StoredAs::ByRow,
            #[cfg(feature = "rust_decimal")]
            Value::Decimal(Some(number)) => super::stored_as::of_decimal(number),
            // Some collations and time zones are refused, and only the column's type tells whether they matter.
            Value::String(_) | Value::Bytes(_) => StoredAs::ByType,
            #[cfg(any(feature = "chrono", feature = "time"))]
            value if has_time_zone(value) => StoredAs::ByType,
            _ => StoredAs::AsBound,
        }
    }

    fn typed(row: &MySqlRow, result_column: ResultColumn<'_>, value: &Value) -> sqlx::Result<BoundaryValue> {
        refuse_enum_in(row, result_column.name)?;
        // The value itself is not sorted, so it may be longer than what the server sorts by.
        let of_any_length = match value {
            Value::String(_) => &Value::String(None),
            Value::Bytes(_) => &Value::Bytes(None),
            other => other,
        };
        mysql_order::check(row, result_column, of_any_length)?;
        if mysql_order::is_lossy(row, result_column, value)? {
            return Err(column_error(result_column.name, mysql_order::LOSSY));
        }
        let zone = mysql_order::zone(row, result_column, value)?;
        Ok(BoundaryValue::plain(value.clone()).in_zone(zone))
    }
}

fn bind(value: Value, arguments: &mut MySqlArguments) -> Result<(), BoxDynError> {
    encode!(value, arguments, {
        TinyInt(number) => number,
        TinyUnsigned(number) => number,
        SmallUnsigned(number) => number,
        Unsigned(number) => number,
        BigUnsigned(number) => number,
        #[cfg(feature = "rust_decimal")]
        Decimal(number) => number,
        #[cfg(feature = "bigdecimal")]
        BigDecimal(number) => number.map(|number| *number),
    })
}

/// Whether a value is a date and time with a time zone.
#[cfg(any(feature = "chrono", feature = "time"))]
fn has_time_zone(value: &Value) -> bool {
    match value {
        #[cfg(feature = "chrono")]
        Value::ChronoDateTimeUtc(_) | Value::ChronoDateTimeLocal(_) => true,
        #[cfg(feature = "time")]
        Value::TimeDateTimeWithTimeZone(_) => true,
        _ => false,
    }
}

/// A select that the server ends after a time. To MySQL, `/*M!` begins a comment; to MariaDB 10 and 11, `/*+` does.
fn limited(select: BoundSql, limit: Duration) -> BoundSql {
    let milliseconds = milliseconds(limit);
    let seconds = f64::from(milliseconds) / 1_000.0;
    let set = format!("/*M! SET STATEMENT max_statement_time={seconds} FOR */ ");
    let parentheses = select.sql.len().saturating_sub(select.sql.trim_start_matches('(').len());
    let (before, rest) = select.sql.split_at(parentheses);
    let sql = match rest.strip_prefix("SELECT ") {
        Some(rest) => format!("{set}{before}SELECT /*+ MAX_EXECUTION_TIME({milliseconds}) */ {rest}"),
        None => format!("{set}{}", select.sql),
    };
    BoundSql { sql: sql.into(), ..select }
}

/// The error of a row. sqlx's derive for an enum takes an ENUM that is NOT NULL or in an index for another type, and then
/// says that ENUM is not compatible with ENUM.
fn explained(error: sqlx::Error, row: &MySqlRow) -> sqlx::Error {
    let sqlx::Error::ColumnDecode { index, source } = error else { return error };
    let mismatch = source.to_string();
    if !mismatch.contains("(as SQL type `ENUM`) is not compatible with SQL type `ENUM`") {
        return sqlx::Error::ColumnDecode { index, source };
    }
    // In a tuple, a column has no name.
    let at: Option<usize> = index.parse().ok();
    let column = at.and_then(|at| row.columns().get(at)).map_or(index.trim_matches('"'), |column| column.name());
    column_error(
        column,
        format!(
            "{mismatch}: sqlx's derive reads an ENUM only if it may be NULL and no index has it. Implement `sqlx::Type` and \
             `sqlx::Decode` for the enum by hand, as the chapter `cookbook` of the guide shows"
        ),
    )
}

fn refuse_enum_in(row: &MySqlRow, column: &str) -> sqlx::Result<()> {
    refuse_enum(&row.try_get_raw(column)?.type_info(), column)
}

/// The value as the column stores it, if its Rust type holds less.
fn stored(row: &MySqlRow, at: usize, value: &Value) -> sqlx::Result<Option<Value>> {
    match value {
        // The column is a FLOAT or a DOUBLE.
        Value::Float(Some(_)) if row.try_get_raw(at)?.type_info().name() == "DOUBLE" => {
            Ok(Some(row.try_get_unchecked::<f64, _>(at)?.into_value()))
        }
        // BOOLEAN is another name for TINYINT, and any number but 0 is true.
        Value::Bool(Some(_)) => match row.try_get::<u64, _>(at) {
            Ok(number) => Ok(Some(number.into_value())),
            Err(_) => Ok(Some(row.try_get::<i64, _>(at)?.into_value())),
        },
        // sqlx rounds a DECIMAL that does not fit. The server sends decimals as text, so the digits can be compared.
        #[cfg(feature = "rust_decimal")]
        Value::Decimal(Some(number)) => {
            let text: &str = row.try_get_unchecked(at)?;
            let digits = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text };
            let is_exact = rust_decimal::Decimal::from_str_exact(digits).is_ok_and(|exact| exact == *number);
            if is_exact { Ok(None) } else { Err(column_error(row.column(at).name(), super::TOO_MANY_DIGITS)) }
        }
        _ => Ok(None),
    }
}
