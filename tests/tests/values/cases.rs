//! The values that every database stores: one walk for each type, and one with NULLs.

use folio_tests::own_types::Level;
use sea_query::prelude::Uuid;
use sea_query::prelude::chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use sea_query::prelude::time::{Date, OffsetDateTime, PrimitiveDateTime, Time};

use super::Table;
use super::models::*;
use crate::server::{self, FOLDED, MOMENT, TEXT, types};
use crate::suite::db;

/// A test for each type: the model, further models of the same column, the model with NULLs, the column, its values.
macro_rules! cases {
    ($finds:ident; $($name:ident: $model:ident $(and $other:ident)*, $nullable:ident = $declared:expr, $values:expr;)*) => {$(
        #[tokio::test]
        async fn $name() {
            let values = Vec::from($values);
            let plain = table(&format!("{} NOT NULL", $declared), values.clone()).await;
            plain.walks_by_hand::<$model>().await;
            $(plain.walks::<$other>().await;)*
            plain.$finds::<$model>().await;
            $(plain.$finds::<$other>().await;)*
            let values = values.into_iter().map(Some).chain([None, None, None]).collect();
            let nullable = table(&format!("{} NULL", $declared), values).await;
            nullable.walks_by_hand::<$nullable>().await;
            nullable.$finds::<$nullable>().await;
        }
    )*};
}

cases! {
    finds;
    booleans: OfBool, MaybeBool = types::BOOL, [true, false, true];
    integers_of_16_bits: OfI16, MaybeI16 = types::SMALLINT, [i16::MIN, -1, 0, 1, 300, i16::MAX];
    integers_of_32_bits: OfI32, MaybeI32 = types::INT, [i32::MIN, -1, 0, 1, 70_000, i32::MAX];
    integers_of_64_bits: OfI64, MaybeI64 = types::BIGINT, INTEGERS;
    integers_of_an_own_type: OfLevel, MaybeLevel = types::BIGINT, [Level(3), Level(-3), Level(i64::MAX), Level(0)];
    texts: OfString and OfSlug, MaybeString = TEXT, strings();
    texts_that_ignore_case: OfString and OfSlug, MaybeString = FOLDED.1, strings();
    bytes: OfBytes, MaybeBytes = types::BYTES, byte_strings();
    uuids: OfUuid, MaybeUuid = types::UUID, identifiers();
    chrono_dates: OfNaiveDate, MaybeNaiveDate = types::DATE, chrono_days();
    chrono_times: OfNaiveTime, MaybeNaiveTime = types::TIME, chrono_clock();
    chrono_dates_with_times: OfNaiveDateTime, MaybeNaiveDateTime = types::DATE_TIME, naive(&moments());
    chrono_moments: OfUtc and OfLocal, MaybeUtc = MOMENT, moments();
    time_dates: OfDate, MaybeDate = types::DATE, plain_moments().iter().map(|at| at.date()).collect::<Vec<Date>>();
    time_times: OfTime, MaybeTime = types::TIME, plain_moments().iter().map(|at| at.time()).collect::<Vec<Time>>();
    time_dates_with_times: OfPrimitive, MaybePrimitive = types::DATE_TIME, plain_moments();
    time_moments: OfOffset, MaybeOffset = MOMENT, offset_moments();
}

// A float cannot be a key of a map.
cases! {
    finds_in_filters;
    floats_of_32_bits: OfF32, MaybeF32 = types::FLOAT, FLOATS;
    floats_of_64_bits: OfF64, MaybeF64 = types::DOUBLE, DOUBLES;
}

async fn table<T>(declared: &str, values: Vec<T>) -> Table
where
    T: for<'q> sqlx::Encode<'q, server::Driver> + sqlx::Type<server::Driver> + Clone + Send + 'static,
{
    let pool = server::pool(1).await;
    if declared.starts_with(FOLDED.1) && !FOLDED.0.is_empty() {
        db::run(&pool, FOLDED.0).await;
    }
    Table::bound(pool, declared, values).await
}

const INTEGERS: [i64; 9] =
    [i64::MIN, i64::MIN + 1, -(1 << 53) - 1, -(1 << 53), 0, 1 << 53, (1 << 53) + 1, i64::MAX - 1, i64::MAX];

const FLOATS: [f32; 11] =
    [0.1, 0.2, 0.3, -0.7, 0.0, -0.0, 16_777_217.0, 1e-37, 1e37, 0.3, 0.300_000_04];

const DOUBLES: [f64; 16] = [
    f64::MIN,
    f64::MAX,
    f64::MIN_POSITIVE,
    0.0,
    -0.0,
    0.1,
    0.1 + 0.2,
    0.3,
    f64::EPSILON,
    1.0,
    1.0 + f64::EPSILON,
    9_007_199_254_740_993.0,
    1e15,
    1e16,
    5e-324,
    -1.5,
];

fn strings() -> Vec<String> {
    let mut texts: Vec<String> = [
        "", " ", "a", "A", "á", "a ", "aB", "Ab", "AB", "ab", "b ", "B ", "é", "É", "e\u{301}", "ß", "日本",
        "\u{10ffff}", "'", "\"", "\\", "%", "_", "?1", "zz",
    ]
    .map(str::to_owned)
    .to_vec();
    texts.extend((0..40).map(|n| ["item", "Item", "ITEM"][n % 3].to_owned() + &(n / 3).to_string()));
    texts
}

fn byte_strings() -> Vec<Vec<u8>> {
    let short: [&[u8]; 10] = [b"", b"\0", b"\0\0", b"\x7f", b"\x80", b"\xff", b"\xff\xff", b"a", b"A", b"ab"];
    let longer = (0..60_u8).map(|n| vec![n.wrapping_mul(37); usize::from(n % 5)]);
    short.map(<[u8]>::to_vec).into_iter().chain(longer).collect()
}

fn identifiers() -> Vec<Uuid> {
    let others = (0..90_u128).map(|n| Uuid::from_u128((n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)));
    [Uuid::nil(), Uuid::max()].into_iter().chain(others).collect()
}

/// Moments of a few days, with ties, and with fractions of several lengths.
pub(crate) fn moments() -> Vec<DateTime<Utc>> {
    let nanos = [0, 0, 500_000_000, 123_000_000, 123_456_000, 999_999_000, 1_000];
    let moment = |n: i64| {
        let nanos = nanos[usize::try_from(n).unwrap() % nanos.len()];
        DateTime::from_timestamp(1_800_000_000 + n * n % 61 * 3_607, nanos).unwrap()
    };
    (0..90).map(moment).collect()
}

fn naive(moments: &[DateTime<Utc>]) -> Vec<NaiveDateTime> {
    moments.iter().map(DateTime::naive_utc).collect()
}

fn chrono_days() -> Vec<NaiveDate> {
    let edges = [(1000, 1, 1), (1969, 12, 31), (2024, 2, 29), (9999, 12, 31)];
    let edges = edges.map(|(year, month, day)| NaiveDate::from_ymd_opt(year, month, day).unwrap());
    naive(&moments()).iter().map(NaiveDateTime::date).chain(edges).collect()
}

fn chrono_clock() -> Vec<NaiveTime> {
    let edges = [(0, 0, 0, 0), (23, 59, 59, 999_999)];
    let edges = edges.map(|(hour, minute, second, micro)| {
        NaiveTime::from_hms_micro_opt(hour, minute, second, micro).unwrap()
    });
    naive(&moments()).iter().map(NaiveDateTime::time).chain(edges).collect()
}

fn offset_moments() -> Vec<OffsetDateTime> {
    let nanos = |at: &DateTime<Utc>| i128::from(at.timestamp_nanos_opt().unwrap());
    moments().iter().map(|at| OffsetDateTime::from_unix_timestamp_nanos(nanos(at)).unwrap()).collect()
}

fn plain_moments() -> Vec<PrimitiveDateTime> {
    offset_moments().iter().map(|at| PrimitiveDateTime::new(at.date(), at.time())).collect()
}
