//! Cursors from a row's key alone, over columns whose type is not the one that a value binds as.

use folio::{CursorDirection, CursorValue, Value, Variant};
use sea_query::prelude::chrono::{DateTime, NaiveTime, Utc};
use sea_query::prelude::{BigDecimal, Decimal, Uuid};

use crate::server;
use crate::suite::db;
use crate::values::Keyed as _;
use crate::values::by_hand::{Column, assert_gone, ids, page};
use crate::values::models::keyed;

/// A value of an enum in another schema, whose name must be quoted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Mood {
    Sad,
    Ok,
}

impl sqlx::Type<sqlx::Postgres> for Mood {
    fn type_info() -> sqlx::postgres::PgTypeInfo {
        sqlx::postgres::PgTypeInfo::with_name("other.\"Odd mood\"")
    }

    fn compatible(_: &sqlx::postgres::PgTypeInfo) -> bool {
        true
    }
}

impl sqlx::Decode<'_, sqlx::Postgres> for Mood {
    fn decode(value: sqlx::postgres::PgValueRef<'_>) -> Result<Self, sqlx::error::BoxDynError> {
        match value.as_str()? {
            "sad" => Ok(Self::Sad),
            "ok" => Ok(Self::Ok),
            other => Err(other.into()),
        }
    }
}

impl CursorValue for Mood {
    const VARIANT: Variant = Variant::String;
    const EXACT: bool = true;

    fn into_value(self) -> Value {
        if self == Self::Sad { "sad" } else { "ok" }.to_owned().into_value()
    }

    fn from_value(value: Value) -> Option<Self> {
        match String::from_value(value)?.as_str() {
            "sad" => Some(Self::Sad),
            "ok" => Some(Self::Ok),
            _ => None,
        }
    }
}

/// A text that is lowercased when it is read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lower(String);

impl From<String> for Lower {
    fn from(text: String) -> Self {
        Self(text.to_lowercase())
    }
}

impl CursorValue for Lower {
    const VARIANT: Variant = Variant::String;

    fn into_value(self) -> Value {
        self.0.into_value()
    }

    fn from_value(value: Value) -> Option<Self> {
        String::from_value(value).map(Self::from)
    }
}

keyed! {
    OfString: String = "v desc";
    MaybeString: Option<String> = "v nulls first";
    OfMood: Mood = "v";
    MaybeMood: Option<Mood> = "v desc nulls last";
    OfLower: #[sqlx(try_from = "String")] Lower = "v";
    OfUuid: Uuid = "v";
    OfTime: NaiveTime = "v";
    OfUtc: DateTime<Utc> = "v desc";
    OfF32: f32 = "v";
    OfDecimal: Decimal = "v";
    OfBigDecimal: BigDecimal = "v";
}

const TEXTS: [&str; 12] = ["'a'", "'A'", "'á'", "'b'", "'B '", "'b '", "'ab'", "'aB'", "''", "' '", "'ß'", "'日本'"];

const SCHEMA: &str = "
    CREATE EXTENSION IF NOT EXISTS citext SCHEMA public;
    CREATE DOMAIN email AS public.citext CHECK (VALUE <> 'nobody');
    CREATE DOMAIN mailbox AS email;
    CREATE DOMAIN code AS CHAR(4);
    CREATE DOMAIN title AS VARCHAR(9) COLLATE \"C\"";

#[test]
fn texts_of_every_type() {
    let runtime = db::runtime();
    let types = ["TEXT", "VARCHAR(20)", "CHAR(4)", "NAME", "public.citext", "email", "mailbox", "code", "title"];
    for declared in types.map(|declared| format!("{declared} NOT NULL")) {
        let column = || Column { pool: runtime.block_on(pool()), declared: &declared, values: &TEXTS };
        column().continues::<OfString>(&runtime);
        column().continues::<OfLower>(&runtime);
    }
    let nullable = [&TEXTS[..], &["NULL"]].concat();
    for declared in ["public.citext", "code"] {
        let column = Column { pool: runtime.block_on(pool()), declared, values: &nullable };
        column.continues::<MaybeString>(&runtime);
    }
}

/// A pool of one connection, in whose search path there is `citext`, but not the schema `other`.
async fn pool() -> sqlx::PgPool {
    let pool = server::pool(1).await;
    db::run(&pool, "SELECT set_config('search_path', current_setting('search_path') || ', public', false)").await;
    db::run(&pool, SCHEMA).await;
    pool
}

/// The schema is shared by the whole database, so each run creates it again.
#[test]
fn enums_of_another_schema() {
    let runtime = db::runtime();
    let pool = runtime.block_on(async {
        let pool = server::pool(1).await;
        db::run(&pool, "DROP SCHEMA IF EXISTS other CASCADE; CREATE SCHEMA other").await;
        db::run(&pool, "CREATE TYPE other.\"Odd mood\" AS ENUM ('sad', 'ok')").await;
        pool
    });
    let values = ["'ok'", "'sad'", "NULL"];
    let declared = "other.\"Odd mood\"";
    Column { pool: pool.clone(), declared: &format!("{declared} NOT NULL"), values: &values[..2] }
        .continues::<OfMood>(&runtime);
    Column { pool: pool.clone(), declared, values: &values }.continues::<MaybeMood>(&runtime);
    runtime.block_on(db::run(&pool, "DROP SCHEMA other CASCADE"));
}

#[test]
fn numbers_and_moments() {
    let runtime = db::runtime();
    let column = |declared, values| Column { pool: runtime.block_on(server::pool(1)), declared, values };
    let numbers = ["0", "0.00", "-1.5", "1.5", "100", "12345678901234.567890123456", "1e-20"];
    column("NUMERIC NOT NULL", &numbers).continues::<OfDecimal>(&runtime);
    column("NUMERIC NOT NULL", &["1e100", "1e-100", "0.1", "0.10"]).continues::<OfBigDecimal>(&runtime);
    column("REAL NOT NULL", &["0.1", "0.2", "1e37", "-7"]).continues::<OfF32>(&runtime);
    column("TIME NOT NULL", &["'00:00'", "'12:00:00.000001'", "'23:59:59'"]).continues::<OfTime>(&runtime);
    let moments = ["'2026-05-14 18:30:00.000001+00'", "'2026-05-14 18:30+05:45'", "'1969-12-31 00:00+00'"];
    column("TIMESTAMPTZ NOT NULL", &moments).continues::<OfUtc>(&runtime);
    let ids = ["'67e55044-10b1-426f-9247-bb680e5fe0c8'", "'f7e55044-10b1-426f-9247-bb680e5fe0c8'"];
    column("UUID NOT NULL", &ids).continues::<OfUuid>(&runtime);
}

/// Pages refuse these values, because a key that is read from a row has a different one.
#[tokio::test]
async fn values_that_rust_reads_differently_are_refused() {
    let values = ["'24:00'", "'00:00'", "'12:00'"];
    let (folio, rows) =
        Column { pool: server::pool(1).await, declared: "TIME NOT NULL", values: &values }.rows::<OfTime>().await;
    let cursor = folio.scope(async { rows[0].sealed(CursorDirection::Next) }).await.unwrap();
    let error = folio.scope(page::<OfTime>(Some(&cursor), 3)).await.unwrap_err();
    assert!(error.to_string().contains("24:00"), "{error}");

    let values = ["1234567890.123456789012345678901", "1234567890.123456789012345678902"];
    let column = Column { pool: server::pool(1).await, declared: "NUMERIC NOT NULL", values: &values };
    let (folio, rows) = column.rows::<OfDecimal>().await;
    let cursor = folio.scope(async { rows[0].sealed(CursorDirection::Next) }).await.unwrap();
    let error = folio.scope(page::<OfDecimal>(Some(&cursor), 3)).await.unwrap_err();
    assert!(error.to_string().contains("BigDecimal"), "{error}");
}

/// The row is only needed if its type loses information when it is read.
#[tokio::test]
async fn a_deleted_row_is_needed_by_some_columns() {
    let values = ["'a'", "'B'", "'c'"];
    let pool = pool().await;
    let column = Column { pool: pool.clone(), declared: "public.citext NOT NULL", values: &values };
    let (folio, rows) = column.rows::<OfString>().await;
    db::run(&pool, format!("DELETE FROM t WHERE id = {}", rows[1].id)).await;
    let cursor = folio.scope(async { rows[1].sealed(CursorDirection::Prev) }).await.unwrap();
    let next = folio.scope(page::<OfString>(Some(&cursor), 3)).await.unwrap();
    assert_eq!(ids(&next.data), [rows[2].id]);

    let (folio, rows) = column.rows::<OfLower>().await;
    db::run(&pool, format!("UPDATE t SET v = 'other' WHERE id = {}", rows[1].id)).await;
    assert_gone(&folio, &rows[1]).await;
    db::run(&pool, format!("DELETE FROM t WHERE id = {}", rows[1].id)).await;
    assert_gone(&folio, &rows[1]).await;

    // An empty table has no rows after any boundary.
    let (folio, rows) = column.rows::<OfString>().await;
    db::run(&pool, "DELETE FROM t").await;
    let cursor = folio.scope(async { rows[1].sealed(CursorDirection::Next) }).await.unwrap();
    let empty = folio.scope(page::<OfString>(Some(&cursor), 3)).await.unwrap();
    assert_eq!((empty.data.len(), empty.next_cursor, empty.prev_cursor), (0, None, None));
}
