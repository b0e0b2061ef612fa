//! Types that only MySQL and MariaDB have: a walk by such a column sees every row once, or is refused with an error
//! that names it.

use folio_tests::proxy::{self, Passed, Sender};
use sea_query::prelude::{BigDecimal, Decimal};
use sqlx::mysql::MySqlPoolOptions;
use uuid::fmt::{Hyphenated, Simple};

use crate::server;
use crate::values::models::*;
use crate::values::{Table, nullable};

keyed! {
    OfI8: i8 = "v";
    OfU8: u8 = "v";
    OfU16: u16 = "v";
    OfU32: u32 = "v";
    OfU64: u64 = "v";
    OfHyphenated: Hyphenated = "v";
    OfSimple: Simple = "v";
    OfDecimal: Decimal = "v";
    OfBigDecimal: BigDecimal = "v";
    MaybeU64: Option<u64> = "v nulls last";
    MaybeHyphenated: Option<Hyphenated> = "v nulls first";
    MaybeBigDecimal: Option<BigDecimal> = "v nulls first";
    MaybeDecimal: Option<Decimal> = "v nulls first";
}

async fn table(declared: &str, values: &[impl AsRef<str>]) -> Table {
    // An index over texts and bytes of unlimited length covers a prefix.
    let index = if declared.contains("BLOB") || declared.contains("TEXT") { "v(20), id" } else { "v, id" };
    Table::new(server::pool(1).await, declared, index, values).await
}

/// The same as [`table`], in a session time zone.
async fn table_in(zone: &'static str, declared: &str, values: &[impl AsRef<str>]) -> Table {
    let options = (*server::pool(1).await.connect_options()).clone().timezone(zone.to_owned());
    let pool = MySqlPoolOptions::new().max_connections(1).connect_with(options).await.unwrap();
    Table::new(pool, declared, "v, id", values).await
}

#[tokio::test]
async fn integers_of_other_widths() {
    table("TINYINT NOT NULL", &["-128", "-1", "0", "127"]).await.walks::<OfI8>().await;
    table("MEDIUMINT NOT NULL", &["-8388608", "-1", "0", "8388607"]).await.walks::<OfI32>().await;
    table("INT NOT NULL", &["-2147483648", "-1", "0", "2147483647"]).await.walks::<OfI64>().await;
    table("TINYINT UNSIGNED NOT NULL", &["0", "1", "128", "255"]).await.walks::<OfU8>().await;
    table("SMALLINT UNSIGNED NOT NULL", &["0", "1", "32768", "65535"]).await.walks::<OfU16>().await;
    table("MEDIUMINT UNSIGNED NOT NULL", &["0", "1", "8388608", "16777215"]).await.walks::<OfU32>().await;
    table("INT UNSIGNED NOT NULL", &["0", "1", "2147483648", "4294967295"]).await.walks::<OfU32>().await;
    let big = ["0", "1", "9007199254740993", "9223372036854775807", "9223372036854775808", "18446744073709551615"];
    table("BIGINT UNSIGNED NOT NULL", &big).await.walks::<OfU64>().await;
    table("BIGINT UNSIGNED", &nullable(&big)).await.walks::<MaybeU64>().await;
    table("BIGINT UNSIGNED NOT NULL", &big).await.refuses::<OfI64>(&["not compatible", "BIGINT UNSIGNED"]).await;
    table("BIT(9) NOT NULL", &["0", "1", "255", "256", "511"]).await.walks::<OfU16>().await;
    table("YEAR NOT NULL", &["1901", "0", "1999", "2000", "2155"]).await.walks::<OfU16>().await;
}

/// Any number except 0 is true, and they do not sort alike.
#[tokio::test]
async fn integers_as_booleans() {
    table("BOOLEAN NOT NULL", &["-2", "0", "1", "2", "127"]).await.walks::<OfBool>().await;
    table("TINYINT UNSIGNED NOT NULL", &["0", "1", "128", "255"]).await.walks::<OfBool>().await;
    table("BIT(1) NOT NULL", &["0", "1"]).await.walks::<OfBool>().await;
}

#[tokio::test]
async fn floats_of_another_width() {
    let floats = ["0.1", "0.2", "0.3", "-0.7", "0", "-0e0", "16777217", "1e-37", "1e37", "0.30000001", "0.30000002"];
    table("FLOAT NOT NULL", &floats).await.walks::<OfF64>().await;
    // The model has less precision than the column.
    let fine = ["0.1", "0.10000000001", "0.10000000002", "0.30000000000000004", "5e-324", "1e308"];
    table("DOUBLE NOT NULL", &fine).await.walks::<OfF32>().await;
    table("DOUBLE", &nullable(&fine)).await.walks::<MaybeF32>().await;
}

#[tokio::test]
async fn decimals() {
    let numbers = ["1.0", "1.00", "-1.10", "0", "0.1", "100", "12345678901234.5678901234", "-0.00000001"];
    table("DECIMAL(24, 10) NOT NULL", &numbers).await.walks::<OfDecimal>().await;
    table("DECIMAL(65, 30)", &nullable(&numbers)).await.walks::<MaybeDecimal>().await;
    table("DECIMAL(65, 0) NOT NULL", &["100", "-100", "0", "7"]).await.walks::<OfDecimal>().await;
    table("DECIMAL(24, 10) NOT NULL", &numbers).await.walks::<OfBigDecimal>().await;
    let long = [
        "12345678901234567890123456789012345.1",
        "12345678901234567890123456789012345.2",
        "1234567890.123456789012345678901",
        "1234567890.123456789012345678902",
        "-0.123456789012345678901234567890",
        "-0.123456789012345678901234567891",
    ];
    table("DECIMAL(65, 30) NOT NULL", &long).await.walks::<OfBigDecimal>().await;
    table("DECIMAL(65, 30)", &nullable(&long)).await.walks::<MaybeBigDecimal>().await;
    table("DECIMAL(65, 30) NOT NULL", &long[2..]).await.refuses::<OfDecimal>(&["BigDecimal"]).await;
    table("DECIMAL(65, 30) NOT NULL", &long[..2]).await.refuses::<OfDecimal>(&[]).await;
}

const MOMENTS: [&str; 8] = [
    "'2026-05-14 18:30:00.000001'",
    "'2026-05-14 18:30:00.000002'",
    "'2026-05-14 18:30:00.000002'",
    "'2026-05-14 18:30:00'",
    "'2026-05-14 00:00:00'",
    "'1970-01-02 00:00:00.5'",
    "'2037-12-31 23:59:59.999999'",
    "'2026-10-25 01:30:00.123456'",
];

#[tokio::test]
async fn moments_in_any_session_zone() {
    for zone in ["+00:00", "+05:45", "-03:30"] {
        let table = table_in(zone, "TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)", &MOMENTS).await;
        table.walks::<OfUtc>().await;
        table.walks::<OfLocal>().await;
        table.walks::<OfOffset>().await;
        table.refuses::<OfPrimitive>(&["not compatible"]).await;
        table.refuses::<OfNaiveDateTime>(&["not compatible"]).await;
        table_in(zone, "TIMESTAMP(6) NULL", &nullable(&MOMENTS)).await.walks::<MaybeUtc>().await;
    }
}

#[tokio::test]
async fn dates_and_times_without_a_zone() {
    for declared in ["DATETIME(6) NOT NULL", "DATETIME(3) NOT NULL", "DATETIME NOT NULL"] {
        let table = table_in("-03:30", declared, &MOMENTS).await;
        table.walks::<OfNaiveDateTime>().await;
        table.walks::<OfPrimitive>().await;
        table.walks::<OfUtc>().await;
        table.walks::<OfOffset>().await;
    }
    // MySQL's times are also durations.
    let durations = table("TIME NOT NULL", &["'-01:00'", "'12:00'", "'24:00'", "'838:59:59'"]).await;
    durations.meets::<OfNaiveTime>(&["is not a time of day"]).await;
    durations.meets::<OfTime>(&["is not a time of day"]).await;
}

const TEXTS: [&str; 13] =
    ["'a'", "'A'", "'á'", "'b'", "'B '", "'b '", "'ab'", "'aB'", "'Ab'", "''", "' '", "'ß'", "'日本'"];

#[tokio::test]
async fn texts_sort_by_the_collation_of_their_column() {
    // The first one ignores case, accents and trailing spaces. The last one does not.
    for collation in ["utf8mb4_general_ci", "utf8mb4_unicode_ci", "utf8mb4_bin"] {
        let declared = format!("VARCHAR(20) CHARACTER SET utf8mb4 COLLATE {collation}");
        table(&format!("{declared} NOT NULL"), &TEXTS).await.walks::<OfString>().await;
        table(&declared, &nullable(&TEXTS)).await.walks::<MaybeString>().await;
        let declared = format!("CHAR(20) CHARACTER SET utf8mb4 COLLATE {collation} NOT NULL");
        table(&declared, &TEXTS).await.walks::<OfString>().await;
        let declared = format!("TEXT CHARACTER SET utf8mb4 COLLATE {collation} NOT NULL");
        table(&declared, &TEXTS).await.walks::<OfString>().await;
        table(&declared, &TEXTS).await.walks::<OfBytes>().await;
    }
    let latin = ["'a'", "'A'", "'á'", "'ß'", "'z'", "' '"];
    table("VARCHAR(20) CHARACTER SET latin1 NOT NULL", &latin).await.walks::<OfString>().await;
}

#[tokio::test]
async fn bytes() {
    let bytes = ["x''", "x'00'", "x'0000'", "x'ff'", "x'61'", "x'41'", "x'6120'", "x'fffefd'"];
    table("VARBINARY(20) NOT NULL", &bytes).await.walks::<OfBytes>().await;
    table("BLOB", &nullable(&bytes)).await.walks::<MaybeBytes>().await;
    table("BINARY(4) NOT NULL", &bytes).await.walks::<OfBytes>().await;
    table("VARBINARY(20) NOT NULL", &bytes).await.refuses::<OfString>(&["not compatible", "VARBINARY"]).await;
}

/// They sort by number and compare as text.
#[tokio::test]
async fn enums_and_sets_are_refused() {
    for declared in ["ENUM('z', 'a', 'm')", "SET('z', 'a', 'm')"] {
        let kind = declared.split_once('(').unwrap().0;
        let values = ["'z'", "'a'", "'m'"];
        table(&format!("{declared} NOT NULL"), &values).await.refuses::<OfString>(&[kind]).await;
        table(declared, &nullable(&values)).await.refuses::<MaybeString>(&[kind]).await;
        table(declared, &nullable(&values)).await.refuses::<MaybeBytes>(&[kind]).await;
    }
}

/// OceanBase sends an ENUM as text, as does a proxy here that takes its flag away. The catalog tells the type of a
/// model's column.
#[tokio::test]
async fn enums_that_are_sent_as_text_are_refused() {
    for declared in ["ENUM('z', 'a', 'm')", "SET('z', 'a', 'm')"] {
        let kind = declared.split_once('(').unwrap().0;
        let direct = server::pool(1).await;
        let port = proxy::changing(server::port(&direct), server::PROTOCOL, without_flags).await;
        let values = nullable(&["'z'", "'a'", "'m'"]);
        let table = Table::new(server::at_port(port, &direct), declared, "v, id", &values).await;
        table.refuses_of_model::<MaybeString>(&[kind]).await;
        table.refuses_of_model::<MaybeBytes>(&[kind]).await;
    }
}

/// The definition of a column without the flags of ENUM and SET, which are in its fourth byte from the end.
fn without_flags(sender: Sender, message: &[u8]) -> Passed {
    let is_definition = message.get(4..8) == Some(b"\x03def") && message.len() > 20;
    if sender == Sender::Client || !is_definition {
        return Passed::Unchanged;
    }
    let mut message = message.to_vec();
    let flags = message.len() - 4;
    message[flags] &= !0b1001;
    Passed::Changed(message)
}

const IDS: [&str; 6] = [
    "00000000-0000-0000-0000-000000000000",
    "67e55044-10b1-426f-9247-bb680e5fe0c8",
    "f7e55044-10b1-126f-9247-bb680e5fe0c8",
    "07e55044-10b1-11ef-9247-bb680e5fe0c8",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "01890a5d-ac96-774b-bcce-b302099a8057",
];

#[tokio::test]
async fn uuids_as_text() {
    let texts = IDS.map(|id| format!("'{id}'"));
    for declared in ["CHAR(36) NOT NULL", "VARCHAR(36) CHARACTER SET ascii NOT NULL"] {
        let table = table(declared, &texts).await;
        table.walks::<OfHyphenated>().await;
        table.walks::<OfString>().await;
        table.refuses::<OfUuid>(&["Hyphenated"]).await;
    }
    let simple = IDS.map(|id| format!("'{}'", id.replace('-', "")));
    table("CHAR(32) NOT NULL", &simple).await.walks::<OfSimple>().await;
    let mut nulls = texts.to_vec();
    nulls.push("NULL".to_owned());
    table("CHAR(36)", &nulls).await.walks::<MaybeHyphenated>().await;
}

/// MariaDB has a type for UUIDs with its own order. MySQL has none.
#[tokio::test]
async fn uuids_of_mariadb() {
    let pool = server::pool(1).await;
    let version: String = sqlx::query_scalar("SELECT VERSION()").fetch_one(&pool).await.unwrap();
    let created = sqlx::query("CREATE TABLE probe (v UUID)").execute(&pool).await;
    assert_eq!(created.is_ok(), version.contains("MariaDB"), "{version}: {created:?}");
    if created.is_err() {
        return;
    }
    let texts = IDS.map(|id| format!("'{id}'"));
    let table = table("UUID NOT NULL", &texts).await;
    table.walks::<OfHyphenated>().await;
    table.walks::<OfString>().await;
    table.refuses::<OfUuid>(&["Hyphenated"]).await;
}
