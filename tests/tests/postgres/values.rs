//! Types that only PostgreSQL has: a walk by such a column sees every row once, or is refused with an error that names
//! it.

use folio::{CursorValue, Value, Variant};
use sea_query::prelude::chrono::{DateTime, FixedOffset};
use sea_query::prelude::{BigDecimal, Decimal};
use sqlx::postgres::PgPoolOptions;

use crate::server;
use crate::suite::db;
use crate::values::models::*;
use crate::values::{Table, nullable};

/// An enum of the database.
#[derive(Debug, Clone, Copy, PartialEq, sqlx::Type)]
#[sqlx(type_name = "mood", rename_all = "lowercase")]
pub(crate) enum Mood {
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
    OfMood: Mood = "v";
    OfDecimal: Decimal = "v";
    OfBigDecimal: BigDecimal = "v";
    OfFixedOffset: DateTime<FixedOffset> = "v";
    MaybeMood: Option<Mood> = "v nulls first";
    MaybeBigDecimal: Option<BigDecimal> = "v nulls first";
}

async fn table(declared: &str, values: &[impl AsRef<str>]) -> Table {
    Table::new(server::pool(1).await, declared, "v, id", values).await
}

/// The same as [`table`], after `schema` has run, on connections that run `each` when they open.
async fn table_with(each: &'static str, schema: &str, declared: &str, values: &[impl AsRef<str>]) -> Table {
    let options = server::pool(1).await.connect_options();
    let opened = PgPoolOptions::new().max_connections(1).after_connect(move |connection, _| {
        Box::pin(async move { sqlx::raw_sql(each).execute(connection).await.map(|_| ()) })
    });
    let pool = opened.connect_with((*options).clone()).await.unwrap();
    db::run(&pool, schema).await;
    Table::new(pool, declared, "v, id", values).await
}

/// Moments around the days when New York's clocks change, with microseconds and ties.
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
async fn dates_and_times_without_a_zone() {
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
}

/// Infinite and distant moments are refused, without a panic.
#[tokio::test]
async fn moments_that_rust_cannot_represent() {
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
    // Numbered pages read the same rows.
    let numbered = far.folio.scope(OfPrimitive::paginate(7)).await.unwrap_err();
    assert!(numbered.to_string().contains("\"v\"") && numbered.to_string().contains("outside"), "{numbered}");
    let midnight = table("TIME NOT NULL", &["'24:00'", "'00:00'"]).await;
    midnight.meets::<OfNaiveTime>(&["24:00"]).await;
    midnight.meets::<OfTime>(&["24:00"]).await;
}

const TEXTS: [&str; 14] =
    ["'a'", "'A'", "'á'", "'b'", "'B '", "'b '", "'ab'", "'aB'", "'Ab'", "''", "' '", "'z'", "'ß'", "'日本'"];

#[tokio::test]
async fn texts_sort_by_the_collation_of_their_column() {
    // The first one ignores case, so that different texts tie.
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

/// An extension exists once in a database, so it is not in the test's own schema.
#[tokio::test]
async fn types_and_domains_of_texts() {
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

/// A text is compared by the rules of its column's type, not as `text`.
#[tokio::test]
async fn a_text_finds_its_row_in_a_column_of_any_type() {
    let path = "SELECT set_config('search_path', current_setting('search_path') || ', public', false)";
    let schema = "CREATE EXTENSION IF NOT EXISTS citext SCHEMA public;
                  CREATE DOMAIN email AS citext CHECK (VALUE <> 'nobody'); CREATE DOMAIN code AS CHAR(4)";
    for declared in ["citext", "email", "code", "CHAR(5)", "VARCHAR(9)", "NAME", "TEXT"] {
        table_with(path, schema, &format!("{declared} NOT NULL"), &TEXTS).await.finds::<OfString>().await;
        table_with(path, schema, declared, &nullable(&TEXTS)).await.finds::<MaybeString>().await;
    }
}

/// The values of an enum sort by their position in the type.
#[tokio::test]
async fn enums() {
    let schema = "CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy'); CREATE TYPE \"Odd name\" AS ENUM ('z', 'a')";
    let moods = ["'happy'", "'sad'", "'ok'"];
    table_with("", schema, "mood NOT NULL", &moods).await.walks_unfiltered::<OfMood>().await;
    table_with("", schema, "mood", &nullable(&moods)).await.walks_unfiltered::<MaybeMood>().await;
    // sqlx reads an enum only as a type of its name. A walk over a select need not read the enum.
    let odd = table_with("", schema, "\"Odd name\" NOT NULL", &["'a'", "'z'"]).await;
    odd.walks_of_select::<OfString>().await;
    odd.refuses_of_model::<OfString>(&["not compatible"]).await;
}

#[tokio::test]
async fn uuids_and_texts() {
    let ids = [
        "'00000000-0000-0000-0000-000000000000'",
        "'67e55044-10b1-426f-9247-bb680e5fe0c8'",
        "'f7e55044-10b1-426f-9247-bb680e5fe0c8'",
        "'ffffffff-ffff-ffff-ffff-ffffffffffff'",
        "'01890a5d-ac96-774b-bcce-b302099a8057'",
    ];
    table("UUID NOT NULL", &ids).await.refuses::<OfString>(&["not compatible", "UUID"]).await;
    table("TEXT NOT NULL", &ids).await.walks::<OfString>().await;
    table("TEXT NOT NULL", &ids).await.refuses::<OfUuid>(&["not compatible", "TEXT"]).await;
}

#[tokio::test]
async fn a_wide_integer_is_not_read_as_a_narrow_one() {
    table("BIGINT NOT NULL", &["-1", "9223372036854775807"]).await.refuses::<OfI32>(&["not compatible", "INT8"]).await;
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
async fn floats_with_infinities_and_nan() {
    let floats =
        ["'0.1'", "'-0.7'", "'0'", "'-0'", "'1e37'", "'Infinity'", "'-Infinity'", "'0.30000001'", "'0.30000002'"];
    table("REAL NOT NULL", &floats).await.walks::<OfF32>().await;
    table("DOUBLE PRECISION NOT NULL", &floats).await.walks::<OfF64>().await;
    let fine = ["'0.1'::float8 + '0.2'", "'0.3'", "'5e-324'", "'1.7976931348623157e308'", "NULL"];
    table("DOUBLE PRECISION", &fine).await.walks::<MaybeF64>().await;
    table("REAL NOT NULL", &floats).await.refuses::<OfF64>(&["not compatible", "FLOAT4"]).await;
    table("DOUBLE PRECISION NOT NULL", &floats).await.refuses::<OfF32>(&["not compatible", "FLOAT8"]).await;
    table("REAL NOT NULL", &["'NaN'", "'1'"]).await.meets::<OfF32>(&["NaN"]).await;
    table("DOUBLE PRECISION NOT NULL", &["'NaN'", "'1'"]).await.meets::<OfF64>(&["NaN"]).await;
}
