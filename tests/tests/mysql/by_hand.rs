//! Cursors from a row's key alone, over columns that hold more than the type of the value.

use folio::CursorDirection;
use sea_query::prelude::chrono::{DateTime, NaiveTime, Utc};
use sea_query::prelude::{Decimal, Uuid};

use crate::server;
use crate::suite::db;
use crate::values::Keyed as _;
use crate::values::by_hand::{Column, assert_gone, ids, page};
use crate::values::models::keyed;

keyed! {
    OfF32: f32 = "v";
    MaybeF32: Option<f32> = "v desc nulls last";
    OfBool: bool = "v";
    MaybeBool: Option<bool> = "v nulls first";
    OfString: String = "v desc";
    OfBytes: Vec<u8> = "v";
    OfI64: i64 = "v";
    OfUuid: Uuid = "v";
    OfUtc: DateTime<Utc> = "v desc";
    OfTime: NaiveTime = "v";
    OfDecimal: Decimal = "v";
}

#[test]
fn values_of_every_type() {
    let runtime = db::runtime();
    let column = |declared, values| Column { pool: runtime.block_on(server::pool(1)), declared, values };
    // Several are the same as `f32`, or as `true`.
    let fine = ["0.1", "0.10000000001", "0.10000000002", "0.30000000000000004", "-7", "1e37", "NULL"];
    column("DOUBLE NOT NULL", &fine[..6]).continues::<OfF32>(&runtime);
    column("FLOAT NOT NULL", &fine[..6]).continues::<OfF32>(&runtime);
    column("DOUBLE", &fine).continues::<MaybeF32>(&runtime);
    let numbers = ["-2", "0", "1", "2", "127", "NULL"];
    column("BOOLEAN NOT NULL", &numbers[..5]).continues::<OfBool>(&runtime);
    column("BOOLEAN", &numbers).continues::<MaybeBool>(&runtime);
    let texts = ["'a'", "'A'", "'á'", "'b '", "'b'", "''", "'ß'", "'?'"];
    for declared in ["VARCHAR(9) CHARACTER SET utf8mb4", "CHAR(9) CHARACTER SET latin1", "TEXT CHARACTER SET utf8mb4"] {
        column(declared, &texts).continues::<OfString>(&runtime);
    }
    column("VARBINARY(9) NOT NULL", &["x''", "x'00'", "x'ff'", "x'61'"]).continues::<OfBytes>(&runtime);
    column("BIGINT NOT NULL", &["-1", "0", "9223372036854775807"]).continues::<OfI64>(&runtime);
    let id = ["x'67e5504410b1426f9247bb680e5fe0c8'", "x'f7e5504410b1426f9247bb680e5fe0c8'"];
    column("BINARY(16) NOT NULL", &id).continues::<OfUuid>(&runtime);
    let moments = ["'2026-05-14 18:30:00.000001'", "'2026-05-14 18:30:00.000002'", "'1970-01-02 00:00:00'"];
    column("TIMESTAMP(6) NOT NULL", &moments).continues::<OfUtc>(&runtime);
    column("DATETIME(6) NOT NULL", &moments).continues::<OfUtc>(&runtime);
    column("TIME(6) NOT NULL", &["'00:00'", "'12:00:00.000001'", "'23:59:59'"]).continues::<OfTime>(&runtime);
    column("DECIMAL(20, 9) NOT NULL", &["1.5", "-1.5", "0", "0.000000001"]).continues::<OfDecimal>(&runtime);
}

/// chrono reads a duration below zero as one above it.
#[tokio::test]
async fn a_time_that_is_read_differently_is_refused() {
    let values = ["'-01:00'", "'01:00'", "'12:00'"];
    let column = Column { pool: server::pool(1).await, declared: "TIME NOT NULL", values: &values };
    let (folio, rows) = column.rows::<OfTime>().await;
    let cursor = folio.scope(async { rows[0].sealed(CursorDirection::Next) }).await.unwrap();
    let error = folio.scope(page::<OfTime>(Some(&cursor), 3)).await.unwrap_err();
    assert!(error.to_string().contains("is not a time of day"), "{error}");
}

#[tokio::test]
async fn a_deleted_row_is_needed_by_some_columns() {
    let pool = server::pool(1).await;
    let column = Column { pool: pool.clone(), declared: "DOUBLE NOT NULL", values: &["0.1", "0.10000000001", "7"] };
    let (folio, rows) = column.rows::<OfF32>().await;
    db::run(&pool, format!("UPDATE t SET v = 8 WHERE id = {}", rows[1].id)).await;
    assert_gone(&folio, &rows[1]).await;
    db::run(&pool, format!("DELETE FROM t WHERE id = {}", rows[1].id)).await;
    assert_gone(&folio, &rows[1]).await;

    let column = Column { pool: pool.clone(), declared: "VARCHAR(9) NOT NULL", values: &["'a'", "'B'", "'c'"] };
    let (folio, rows) = column.rows::<OfString>().await;
    db::run(&pool, format!("DELETE FROM t WHERE id = {}", rows[1].id)).await;
    let cursor = folio.scope(async { rows[1].sealed(CursorDirection::Next) }).await.unwrap();
    let next = folio.scope(page::<OfString>(Some(&cursor), 3)).await.unwrap();
    assert_eq!(ids(&next.data), [rows[0].id]);
}

/// An ENUM is refused whichever cursor the page starts at, even if the page were empty.
#[tokio::test]
async fn a_column_that_pages_refuse_is_refused() {
    let column = Column { pool: server::pool(1).await, declared: "ENUM('z', 'a') NOT NULL", values: &["'a'", "'z'"] };
    let (folio, rows) = column.rows::<OfString>().await;
    for row in rows {
        for direction in [CursorDirection::Next, CursorDirection::Prev] {
            let cursor = folio.scope(async { row.sealed(direction) }).await.unwrap();
            let error = folio.scope(page::<OfString>(Some(&cursor), 3)).await.unwrap_err();
            assert!(error.to_string().contains("ENUM"), "{error}");
        }
    }
}
