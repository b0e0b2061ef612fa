//! Values on PostgreSQL: a walk by a column of any type sees every row once, or is refused in words that name it.

use folio::{CursorValue, Value, Variant};
use sea_query::prelude::chrono::{DateTime, FixedOffset, Local, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use sea_query::prelude::time::{Date, OffsetDateTime, PrimitiveDateTime, Time};
use sea_query::prelude::{BigDecimal, Decimal, Uuid};
use sqlx::postgres::PgPoolOptions;

use crate::columns::{Table, keyed};
use crate::server;
use crate::suite::db;

/// A word, which an enum in the database holds.
#[derive(Debug, Clone, Copy, PartialEq, sqlx::Type)]
#[sqlx(type_name = "mood", rename_all = "lowercase")]
enum Mood {
    Sad,
    Ok,
    Happy,
}

impl CursorValue for Mood {
    const VARIANT: Variant = Variant::String;

    fn into_value(self) -> Value {
        match self {
            Self::Sad => "sad",
            Self::Ok => "ok",
            Self::Happy => "happy",
        }
        .to_owned()
        .into_value()
    }

    fn from_value(value: Value) -> Option<Self> {
        match String::from_value(value)?.as_str() {
            "sad" => Some(Self::Sad),
            "ok" => Some(Self::Ok),
            "happy" => Some(Self::Happy),
            _ => None,
        }
    }
}

keyed! {
    OfBool: bool = "v";
    OfI16: i16 = "v";
    OfI32: i32 = "v";
    OfI64: i64 = "v";
    OfF32: f32 = "v";
    OfF64: f64 = "v";
    OfString: String = "v";
    OfBytes: Vec<u8> = "v";
    OfUuid: Uuid = "v";
    OfMood: Mood = "v";
    OfDecimal: Decimal = "v";
    OfBigDecimal: BigDecimal = "v";
    OfNaiveDate: NaiveDate = "v";
    OfNaiveTime: NaiveTime = "v";
    OfNaiveDateTime: NaiveDateTime = "v";
    OfUtc: DateTime<Utc> = "v";
    OfLocal: DateTime<Local> = "v";
    OfFixedOffset: DateTime<FixedOffset> = "v";
    OfDate: Date = "v";
    OfTime: Time = "v";
    OfPrimitive: PrimitiveDateTime = "v";
    OfOffset: OffsetDateTime = "v";
    MaybeI32: Option<i32> = "v nulls first";
    MaybeF64: Option<f64> = "v nulls last";
    MaybeString: Option<String> = "v nulls last";
    MaybeMood: Option<Mood> = "v nulls first";
    MaybeUuid: Option<Uuid> = "v nulls first";
    MaybeUtc: Option<DateTime<Utc>> = "v nulls last";
    MaybeBigDecimal: Option<BigDecimal> = "v nulls first";
}

async fn table(declared: &str, values: &[impl AsRef<str>]) -> Table {
    Table::new(server::pool(1).await, declared, "v, id", values).await
}

/// As [`table`], after `schema` has run, on connections that run `each` when they open.
async fn table_with(each: &'static str, schema: &str, declared: &str, values: &[impl AsRef<str>]) -> Table {
    let options = server::pool(1).await.connect_options();
    let opened = PgPoolOptions::new().max_connections(1).after_connect(move |connection, _| {
        Box::pin(async move { sqlx::raw_sql(each).execute(connection).await.map(|_| ()) })
    });
    let pool = opened.connect_with((*options).clone()).await.unwrap();
    db::run(&pool, schema).await;
    Table::new(pool, declared, "v, id", values).await
}

/// With NULLs between the values.
fn nullable<'a>(values: &[&'a str]) -> Vec<&'a str> {
    [values, &["NULL", "NULL"]].concat()
}

/// Around the days when New York's clocks change, to the microsecond, some of them twice.
const MOMENTS: [&str; 12] = [
    "'2026-11-01 05:30:00.000001+00'",
    "'2026-11-01 06:30:00.000001+00'",
    "'2026-11-01 05:30:00.000002+00'",
    "'2026-11-01 06:30:00+00'",
    "'2026-03-08 06:59:59.999999+00'",
    "'2026-03-08 07:00:00+00'",
    "'2026-03-08 07:00:00+00'",
    "'1969-12-31 23:59:59.999999+00'",
    "'1970-01-01 00:00:00+00'",
    "'9999-12-31 23:59:59.999999+00'",
    "'0001-01-01 00:00:00+00'",
    "'2026-05-14 18:30:00.123456+05:45'",
];

#[tokio::test]
async fn moments_in_any_session_zone() {
    for zone in ["SET TIME ZONE 'America/New_York'", "SET TIME ZONE 'Asia/Kathmandu'"] {
        let table = table_with(zone, "", "TIMESTAMPTZ NOT NULL", &MOMENTS).await;
        table.walks::<OfUtc>().await;
        table.walks::<OfLocal>().await;
        table.walks::<OfFixedOffset>().await;
        table.walks::<OfOffset>().await;
        table.refuses::<OfNaiveDateTime>(&["not compatible"]).await;
        table.refuses::<OfPrimitive>(&["not compatible"]).await;
    }
    let table = table_with("SET TIME ZONE 'America/New_York'", "", "TIMESTAMPTZ", &nullable(&MOMENTS)).await;
    table.walks::<MaybeUtc>().await;
}

#[tokio::test]
async fn dates_and_times_of_no_zone() {
    let moments = MOMENTS.map(|moment| moment.replace("+00'", "'"));
    let moments = table_with("SET TIME ZONE 'America/New_York'", "", "TIMESTAMP NOT NULL", &moments).await;
    moments.walks::<OfNaiveDateTime>().await;
    moments.walks::<OfPrimitive>().await;
    moments.refuses::<OfUtc>(&["not compatible"]).await;
    moments.refuses::<OfOffset>(&["not compatible"]).await;
    let to_the_millisecond =
        table("TIMESTAMP(3) NOT NULL", &["'2026-05-14 18:30:00.1236'", "'2026-05-14 18:30'"]).await;
    to_the_millisecond.walks::<OfNaiveDateTime>().await;
    let dates = table("DATE NOT NULL", &["'2026-05-14'", "'1969-12-31'", "'0044-03-15 BC'", "'9999-12-31'"]).await;
    dates.walks::<OfNaiveDate>().await;
    dates.walks::<OfDate>().await;
    let times = ["'00:00'", "'23:59:59.999999'", "'12:00:00.000001'", "'12:00'", "'12:00:00.5'"];
    let times = table("TIME NOT NULL", &times).await;
    times.walks::<OfNaiveTime>().await;
    times.walks::<OfTime>().await;
}

/// What PostgreSQL has beyond a calendar and a clock is refused, and never a panic.
#[tokio::test]
async fn moments_that_rust_cannot_hold() {
    let ends = ["'infinity'", "'-infinity'", "'2026-05-14'"];
    let moments = table("TIMESTAMPTZ NOT NULL", &ends).await;
    moments.refuses::<OfUtc>(&["infinity"]).await;
    moments.refuses::<OfOffset>(&["infinity"]).await;
    let moments = table("TIMESTAMP NOT NULL", &ends).await;
    moments.refuses::<OfNaiveDateTime>(&["infinity"]).await;
    moments.refuses::<OfPrimitive>(&["infinity"]).await;
    let dates = table("DATE NOT NULL", &ends).await;
    dates.refuses::<OfNaiveDate>(&["infinity"]).await;
    dates.refuses::<OfDate>(&["infinity"]).await;
    let far = table("TIMESTAMP NOT NULL", &["'290000-01-01'", "'280000-01-01'"]).await;
    far.refuses::<OfNaiveDateTime>(&["outside"]).await;
    far.refuses::<OfPrimitive>(&["outside"]).await;
    // Pages that are found by their number read the same rows.
    let numbered = far.folio.scope(OfPrimitive::paginate(7)).await.unwrap_err();
    assert!(numbered.to_string().contains("\"v\"") && numbered.to_string().contains("outside"), "{numbered}");
    let midnight = table("TIME NOT NULL", &["'24:00'", "'00:00'"]).await;
    midnight.meets::<OfNaiveTime>(&["24:00"]).await;
    midnight.meets::<OfTime>(&["24:00"]).await;
}

const TEXTS: [&str; 14] =
    ["'a'", "'A'", "'á'", "'b'", "'B '", "'b '", "'ab'", "'aB'", "'Ab'", "''", "' '", "'z'", "'ß'", "'日本'"];

#[tokio::test]
async fn texts_by_their_columns_own_collation() {
    // One in which the case of a letter makes no difference, so that many texts tie that are not the same.
    let schema = "CREATE COLLATION ignoring_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)";
    for collation in ["ignoring_case", "\"en-x-icu\"", "\"C\""] {
        let declared = format!("TEXT COLLATE {collation} NOT NULL");
        table_with("", schema, &declared, &TEXTS).await.walks::<OfString>().await;
        let declared = format!("VARCHAR(20) COLLATE {collation}");
        table_with("", schema, &declared, &nullable(&TEXTS)).await.walks::<MaybeString>().await;
    }
    table("CHAR(8) NOT NULL", &TEXTS).await.walks::<OfString>().await;
    table("CHAR NOT NULL", &["'a'", "'b'", "' '"]).await.walks::<OfString>().await;
    table("CHAR(8) COLLATE \"en-x-icu\"", &nullable(&TEXTS)).await.walks::<MaybeString>().await;
    table("NAME NOT NULL", &TEXTS).await.walks::<OfString>().await;
    table("VARCHAR NOT NULL", &TEXTS).await.walks::<OfString>().await;
    table("\"char\" NOT NULL", &["'a'", "'b'"]).await.refuses::<OfString>(&["not compatible"]).await;
}

/// An extension that every PostgreSQL comes with is there once for a database, so it is not in the test's own schema.
#[tokio::test]
async fn texts_that_ignore_case_by_their_type() {
    let path = "SELECT set_config('search_path', current_setting('search_path') || ', public', false)";
    let schema = "CREATE EXTENSION IF NOT EXISTS citext SCHEMA public;
                  CREATE DOMAIN email AS citext CHECK (VALUE <> 'nobody');
                  CREATE DOMAIN code AS CHAR(4);
                  CREATE DOMAIN title AS TEXT COLLATE \"C\"";
    table_with(path, schema, "citext NOT NULL", &TEXTS).await.walks::<OfString>().await;
    table_with(path, schema, "citext", &nullable(&TEXTS)).await.walks::<MaybeString>().await;
    table_with(path, schema, "email NOT NULL", &TEXTS).await.walks::<OfString>().await;
    table_with(path, schema, "code NOT NULL", &TEXTS).await.walks::<OfString>().await;
    table_with(path, schema, "title NOT NULL", &TEXTS).await.walks::<OfString>().await;
}

/// They are sorted by their place in their type.
#[tokio::test]
async fn words_of_an_enum() {
    let schema = "CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy'); CREATE TYPE \"Odd name\" AS ENUM ('z', 'a')";
    let moods = ["'happy'", "'sad'", "'ok'"];
    table_with("", schema, "mood NOT NULL", &moods).await.walks::<OfMood>().await;
    table_with("", schema, "mood", &nullable(&moods)).await.walks::<MaybeMood>().await;
    // sqlx reads an enum only as a type that says so; a select that is walked by one need not read it.
    let odd = table_with("", schema, "\"Odd name\" NOT NULL", &["'a'", "'z'"]).await;
    odd.walks_of_select::<OfString>().await;
    odd.refuses_of_model::<OfString>(&["not compatible"]).await;
}

#[tokio::test]
async fn uuids() {
    let ids = [
        "'00000000-0000-0000-0000-000000000000'",
        "'67e55044-10b1-426f-9247-bb680e5fe0c8'",
        "'f7e55044-10b1-426f-9247-bb680e5fe0c8'",
        "'ffffffff-ffff-ffff-ffff-ffffffffffff'",
        "'01890a5d-ac96-774b-bcce-b302099a8057'",
    ];
    table("UUID NOT NULL", &ids).await.walks::<OfUuid>().await;
    table("UUID", &nullable(&ids)).await.walks::<MaybeUuid>().await;
    table("UUID NOT NULL", &ids).await.refuses::<OfString>(&["not compatible", "UUID"]).await;
    table("TEXT NOT NULL", &ids).await.walks::<OfString>().await;
    table("TEXT NOT NULL", &ids).await.refuses::<OfUuid>(&["not compatible", "TEXT"]).await;
    table("BYTEA NOT NULL", &["'\\x00'", "'\\x'", "'\\xff00'", "'\\x00ff'"]).await.walks::<OfBytes>().await;
}

#[tokio::test]
async fn integers_of_every_width() {
    let small = ["-32768", "-1", "0", "1", "32767"];
    table("SMALLINT NOT NULL", &small).await.walks::<OfI16>().await;
    let plain = ["-2147483648", "-1", "0", "1", "2147483647"];
    table("INTEGER NOT NULL", &plain).await.walks::<OfI32>().await;
    table("INTEGER", &nullable(&plain)).await.walks::<MaybeI32>().await;
    let big = ["-9223372036854775808", "-9223372036854775807", "-1", "0", "9007199254740993", "9223372036854775807"];
    table("BIGINT NOT NULL", &big).await.walks::<OfI64>().await;
    table("BIGINT NOT NULL", &big).await.refuses::<OfI32>(&["not compatible", "INT8"]).await;
    table("BOOLEAN NOT NULL", &["true", "false"]).await.walks::<OfBool>().await;
}

#[tokio::test]
async fn decimals() {
    let numbers = ["1.0", "1.00", "1", "-1.10", "0", "0.00", "0.1", "100", "12345678901234.5678901234", "-0.00000001"];
    table("NUMERIC NOT NULL", &numbers).await.walks::<OfDecimal>().await;
    table("NUMERIC(30, 10) NOT NULL", &numbers).await.walks::<OfDecimal>().await;
    table("NUMERIC(50, 25) NOT NULL", &numbers).await.walks::<OfDecimal>().await;
    table("NUMERIC NOT NULL", &numbers).await.walks::<OfBigDecimal>().await;
    table("NUMERIC", &nullable(&numbers)).await.walks::<MaybeBigDecimal>().await;
    let long = [
        "123456789012345678901234567890.1",
        "123456789012345678901234567890.2",
        "1234567890.123456789012345678901",
        "1234567890.123456789012345678902",
        "0.1234567890123456789012345678901",
        "0.00000000000000000000000000000001",
        "1e100",
        "-1e-100",
    ];
    let long = table("NUMERIC NOT NULL", &long).await;
    long.walks::<OfBigDecimal>().await;
    long.refuses::<OfDecimal>(&["BigDecimal"]).await;
    for beyond in ["'NaN'", "'Infinity'", "'-Infinity'"] {
        let numbers = table("NUMERIC NOT NULL", &[beyond, "1"]).await;
        numbers.meets::<OfDecimal>(&["NaN"]).await;
        numbers.meets::<OfBigDecimal>(&["NaN"]).await;
    }
}

#[tokio::test]
async fn floats() {
    let floats = [
        "'0.1'",
        "'0.2'",
        "'0.3'",
        "'-0.7'",
        "'0'",
        "'-0'",
        "'16777217'",
        "'1e-37'",
        "'1e37'",
        "'Infinity'",
        "'-Infinity'",
        "'0.30000001'",
        "'0.30000002'",
    ];
    table("REAL NOT NULL", &floats).await.walks::<OfF32>().await;
    table("DOUBLE PRECISION NOT NULL", &floats).await.walks::<OfF64>().await;
    let fine = ["'0.1'::float8 + '0.2'", "'0.3'", "'5e-324'", "'1.7976931348623157e308'", "NULL"];
    table("DOUBLE PRECISION", &fine).await.walks::<MaybeF64>().await;
    table("REAL NOT NULL", &floats).await.refuses::<OfF64>(&["not compatible", "FLOAT4"]).await;
    table("DOUBLE PRECISION NOT NULL", &floats).await.refuses::<OfF32>(&["not compatible", "FLOAT8"]).await;
    table("REAL NOT NULL", &["'NaN'", "'1'"]).await.meets::<OfF32>(&["NaN"]).await;
    table("DOUBLE PRECISION NOT NULL", &["'NaN'", "'1'"]).await.meets::<OfF64>(&["NaN"]).await;
}
