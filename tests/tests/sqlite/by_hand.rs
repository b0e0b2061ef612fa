//! Cursors from a row's key alone, over values that are stored in another form than their types bind.

use folio::{CryptPurpose, CursorDirection, CursorValue, Key, Keyring, Value, Variant};
use sea_query::prelude::Uuid;
use sea_query::prelude::chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use sea_query::prelude::time::OffsetDateTime;
use uuid::fmt::Hyphenated;

use crate::server;
use crate::suite::db;
use crate::values::Keyed as _;
use crate::values::by_hand::{Column, assert_gone, ids, page};
use crate::values::models::keyed;

/// An id type of the application, which declares that it keeps the value as it is.
#[derive(Debug, Clone, PartialEq, sqlx::Type)]
#[sqlx(transparent)]
pub(crate) struct Number(i64);

impl CursorValue for Number {
    const VARIANT: Variant = Variant::BigInt;
    const EXACT: bool = true;

    fn into_value(self) -> Value {
        self.0.into_value()
    }

    fn from_value(value: Value) -> Option<Self> {
        i64::from_value(value).map(Self)
    }
}

keyed! {
    OfI64: i64 = "v";
    OfNumber: Number = "v";
    OfBool: bool = "v";
    OfF32: f32 = "v";
    MaybeF32: Option<f32> = "v desc nulls last";
    OfBytes: Vec<u8> = "v";
    OfUuid: Uuid = "v";
    OfHyphenated: Hyphenated = "v";
    OfDate: NaiveDate = "v";
    OfNaive: NaiveDateTime = "v";
    OfUtc: DateTime<Utc> = "v desc";
    MaybeUtc: Option<DateTime<Utc>> = "v nulls first";
    OfOffset: OffsetDateTime = "v";
}

/// The same moments in several spellings, which SQLite compares as different texts, and as a number of seconds.
const MOMENTS: [&str; 9] = [
    "'2026-05-14 18:30:00'",
    "'2026-05-14T18:30:00'",
    "'2026-05-14T18:30:00Z'",
    "'2026-05-14 18:30:00.000'",
    "'2026-05-14T18:30:00+00:00'",
    "'2026-05-14T20:30:00+02:00'",
    "'2025-01-01 00:00:00'",
    "1778783400",
    "NULL",
];

#[test]
fn values_of_every_type() {
    let runtime = db::runtime();
    let column = |declared, values| Column { pool: runtime.block_on(server::pool(1)), declared, values };
    column("DATETIME NOT NULL", &MOMENTS[..8]).continues::<OfUtc>(&runtime);
    column("DATETIME", &MOMENTS).continues::<MaybeUtc>(&runtime);
    column("DATETIME NOT NULL", &MOMENTS[..4]).continues::<OfNaive>(&runtime);
    column("DATETIME NOT NULL", &MOMENTS[..7]).continues::<OfOffset>(&runtime);
    column("DATE NOT NULL", &["'2026-05-14'", "'2025-01-01'", "'2026-12-31'"]).continues::<OfDate>(&runtime);
    let fine = ["0.1", "0.10000000001", "0.10000000002", "0.30000000000000004", "-7.0", "NULL"];
    column("REAL NOT NULL", &fine[..5]).continues::<OfF32>(&runtime);
    column("REAL", &fine).continues::<MaybeF32>(&runtime);
    column("BOOLEAN NOT NULL", &["-2", "0", "1", "2", "127"]).continues::<OfBool>(&runtime);
    // Bytes can be stored as a text, and every text is before every BLOB.
    column("BLOB NOT NULL", &["x'61'", "'a'", "x'ff'", "'b'", "x''"]).continues::<OfBytes>(&runtime);
    let ids = ["x'67e5504410b1426f9247bb680e5fe0c8'", "x'f7e5504410b1426f9247bb680e5fe0c8'"];
    column("BLOB NOT NULL", &ids).continues::<OfUuid>(&runtime);
    let ids = ["'67e55044-10b1-426f-9247-bb680e5fe0c8'", "'F7E55044-10B1-426F-9247-BB680E5FE0C8'"];
    column("TEXT NOT NULL", &ids).continues::<OfHyphenated>(&runtime);
    let numbers = ["-9223372036854775808", "0", "9007199254740993", "9223372036854775807"];
    column("BIGINT NOT NULL", &numbers).continues::<OfI64>(&runtime);
    column("BIGINT NOT NULL", &numbers).continues::<OfNumber>(&runtime);
}

#[tokio::test]
async fn a_deleted_row_is_needed_by_some_columns() {
    let pool = server::pool(1).await;
    let column = Column { pool: pool.clone(), declared: "DATETIME NOT NULL", values: &MOMENTS[..7] };
    let (folio, rows) = column.rows::<OfUtc>().await;
    db::run(&pool, format!("UPDATE t SET v = '2026-05-15' || ' 00:00:00' WHERE id = {}", rows[1].id)).await;
    assert_gone(&folio, &rows[1]).await;
    db::run(&pool, format!("DELETE FROM t WHERE id = {}", rows[1].id)).await;
    assert_gone(&folio, &rows[1]).await;

    let column = Column { pool: pool.clone(), declared: "BIGINT NOT NULL", values: &["1", "2", "3"] };
    let (folio, rows) = column.rows::<OfNumber>().await;
    db::run(&pool, format!("DELETE FROM t WHERE id = {}", rows[1].id)).await;
    let cursor = folio.scope(async { rows[1].sealed(CursorDirection::Next) }).await.unwrap();
    let next = folio.scope(page::<OfNumber>(Some(&cursor), 3)).await.unwrap();
    assert_eq!(ids(&next.data), [rows[2].id]);
}

#[derive(Debug, PartialEq, sqlx::FromRow, folio::Paginate)]
struct Post {
    id: i64,
}

/// The cursors of pages and those from a key are authenticated as what they are, so neither opens as the other.
#[tokio::test]
async fn a_cursor_says_how_it_was_made() {
    let (folio, _pool) =
        db::folio("CREATE TABLE posts (id INTEGER PRIMARY KEY); INSERT INTO posts VALUES (1), (2)").await;
    let keyring = Keyring::new(Key::generate());
    let of_pages: &[&[u8]] = &[b"posts", b"id", b"BigInt", b"asc", b"not null"];
    let by_hand: &[&[u8]] = &[b"posts", b"id", b"BigInt", b"asc", b"not null", b"by hand"];
    let work = async {
        let own = Post::query().cursor(None).cursor_paginate(1).await.unwrap().next_cursor.unwrap();
        let sealed = PostKey { id: 1 }.encode(CursorDirection::Next).unwrap();
        for (token, scope, other) in [(&own, of_pages, by_hand), (&sealed, by_hand, of_pages)] {
            assert_eq!(keyring.open(CryptPurpose::Cursor, scope, token).unwrap(), br#"["next",["BigInt",1]]   "#);
            assert_eq!(keyring.open(CryptPurpose::Cursor, other, token).unwrap_err().status(), 400);
            let page = Post::query().cursor(Some(token)).cursor_paginate(1).await.unwrap();
            assert_eq!(page.data, [Post { id: 2 }]);
            assert_eq!(PostKey::decode(token).unwrap(), (PostKey { id: 1 }, CursorDirection::Next));
        }
    };
    folio.keyring(keyring.clone()).scope(work).await;
}
