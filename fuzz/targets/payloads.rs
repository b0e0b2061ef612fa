//! Cursors that are authentic but have any content. They open as what is sealed again with the same text, or they are
//! an error, and nothing panics.
//!
//! The fields of an input are the name of a type and the payload.

#![no_main]

use std::sync::LazyLock;

use folio::{
    CryptPurpose, CursorDirection, CursorValue, FrameworkError, Model, Paginate, decode_cursor, encode_cursor,
};
use folio_fuzz::{fields, keyring};
use libfuzzer_sys::fuzz_target;

static INSTALLED: LazyLock<()> = LazyLock::new(|| folio_fuzz::install(""));

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "notes", cursor_key = "at desc, rank nulls last, title, id")]
struct Note {
    id: i64,
    at: chrono::DateTime<chrono::Utc>,
    rank: Option<i32>,
    title: String,
}

const NOTES: [&[u8]; 17] = [
    b"notes",
    b"at",
    b"ChronoDateTimeUtc",
    b"desc",
    b"not null",
    b"rank",
    b"Int",
    b"asc",
    b"nulls last",
    b"title",
    b"String",
    b"asc",
    b"not null",
    b"id",
    b"BigInt",
    b"asc",
    b"not null",
];

/// The payload of a cursor, without its padding.
fn payload(scope: &[&[u8]], token: &str) -> String {
    let payload = keyring().open(CryptPurpose::Cursor, scope, token).expect("a cursor that was just sealed");
    String::from_utf8(payload).expect("JSON").trim_end().to_owned()
}

/// Opens a cursor twice: what the first one has is sealed, and opens as the same.
fn check<V>(
    opened: folio::Result<(V, CursorDirection)>,
    encode: impl Fn(&V, CursorDirection) -> folio::Result<String>,
    decode: impl Fn(&str) -> folio::Result<(V, CursorDirection)>,
    payload: impl Fn(&str) -> String,
) {
    match opened {
        Ok((value, way)) => {
            let first = match encode(&value, way) {
                Ok(token) => token,
                // A short text may stand for a long value.
                Err(error) => return assert!(error.to_string().contains("too long"), "{error}"),
            };
            let (again, same_way) = decode(&first).expect("a cursor that was just sealed");
            assert_eq!(way, same_way);
            assert_eq!(payload(&first), payload(&encode(&again, way).unwrap()));
        }
        Err(error) => assert!(matches!(error, FrameworkError::Internal { .. }) || error.status() == 400, "{error}"),
    }
}

fn value<V: CursorValue>(token: &str) {
    check(
        decode_cursor::<V>(token),
        |value, way| encode_cursor(value, way),
        decode_cursor::<V>,
        |token| payload(&[], token),
    );
}

/// Opens a cursor of a single value; whether there is a type of this name.
fn check_value(kind: &str, token: &str) -> bool {
    match kind {
        "bool" => value::<bool>(token),
        "i8" => value::<i8>(token),
        "i64" => value::<Option<i64>>(token),
        "u64" => value::<u64>(token),
        "f32" => value::<f32>(token),
        "f64" => value::<Option<f64>>(token),
        "text" => value::<String>(token),
        "bytes" => value::<Vec<u8>>(token),
        "uuid" => value::<uuid::Uuid>(token),
        "date" => value::<chrono::NaiveDate>(token),
        "hour" => value::<chrono::NaiveTime>(token),
        "naive" => value::<chrono::NaiveDateTime>(token),
        "utc" => value::<chrono::DateTime<chrono::Utc>>(token),
        "local" => value::<chrono::DateTime<chrono::Local>>(token),
        "fixed" => value::<chrono::DateTime<chrono::FixedOffset>>(token),
        "time date" => value::<time::Date>(token),
        "time hour" => value::<time::Time>(token),
        "time naive" => value::<time::PrimitiveDateTime>(token),
        "time fixed" => value::<time::OffsetDateTime>(token),
        "decimal" => value::<rust_decimal::Decimal>(token),
        "big" => value::<bigdecimal::BigDecimal>(token),
        _ => return false,
    }
    true
}

fuzz_target!(|data: &[u8]| {
    LazyLock::force(&INSTALLED);
    let [kind, content] = fields(data);
    let seal = |scope: &[&[u8]]| keyring().seal(CryptPurpose::Cursor, scope, content.as_bytes()).unwrap();
    if check_value(&kind, &seal(&[])) {
        return;
    }
    type Key = <Note as Model>::Key;
    let by_hand: Vec<&[u8]> = NOTES.into_iter().chain([b"by hand".as_slice()]).collect();
    let opened = |token: &str| Key::decode(token);
    check(opened(&seal(&NOTES)), |key, way| key.encode(way), opened, |token| payload(&by_hand, token));
});
