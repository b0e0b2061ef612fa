//! Pages that begin at a value, in columns of every type.

use sea_query::prelude::chrono::{DateTime, Utc};

use crate::server;
use crate::suite::db;
use crate::values::Keyed;
use crate::values::by_hand::Column;
use crate::values::models::{
    MaybeF64, MaybeI32, MaybeUtc, OfBool, OfBytes, OfF32, OfI64, OfNaiveDate, OfNaiveDateTime, OfString, OfUtc, OfUuid,
};
use crate::values::seek::{seeks, sought};

/// As sqlx writes them.
const MOMENTS: [&str; 4] = [
    "'2026-05-14T18:30:00+00:00'",
    "'2026-05-14T18:30:00.000001+00:00'",
    "'2026-05-14T18:30:00+00:00'",
    "'2025-01-01T00:00:00+00:00'",
];

#[tokio::test]
async fn a_page_begins_at_a_value_of_every_type() {
    seeks::<OfUtc>("DATETIME NOT NULL", &MOMENTS).await;
    seeks::<MaybeUtc>("DATETIME", &["NULL", MOMENTS[0], MOMENTS[3], "NULL"]).await;
    let moments = ["'2026-05-14 18:30:00'", "'2025-01-01 00:00:00'", "'2026-05-14 18:30:00'"];
    seeks::<OfNaiveDateTime>("DATETIME NOT NULL", &moments).await;
    seeks::<OfNaiveDate>("DATE NOT NULL", &["'2026-05-14'", "'2025-01-01'", "'2026-05-14'"]).await;
    seeks::<OfBytes>("BLOB NOT NULL", &["x'61'", "x'ff'", "x''", "x'61'"]).await;
    let ids = ["x'67e5504410b1426f9247bb680e5fe0c8'", "x'f7e5504410b1426f9247bb680e5fe0c8'"];
    seeks::<OfUuid>("BLOB NOT NULL", &ids).await;
    seeks::<OfString>("TEXT NOT NULL", &["'b'", "'B'", "''", "'á'", "'b'"]).await;
    seeks::<OfString>("TEXT COLLATE NOCASE NOT NULL", &["'b'", "'B'", "'a'"]).await;
    seeks::<OfBool>("BOOLEAN NOT NULL", &["1", "0", "1"]).await;
    seeks::<OfF32>("REAL NOT NULL", &["0.5", "-7.0", "0.5"]).await;
    seeks::<MaybeF64>("REAL", &["0.1", "NULL", "-7.0", "0.1"]).await;
    seeks::<MaybeI32>("INTEGER", &["7", "NULL", "-7", "7"]).await;
    seeks::<OfI64>("BIGINT NOT NULL", &["9223372036854775807", "0", "0"]).await;
}

/// SQLite compares the texts of moments, so a moment cannot be looked for among others.
#[tokio::test]
async fn a_value_that_is_stored_in_another_form_is_refused() {
    let pool = server::pool(1).await;
    let moment: DateTime<Utc> = "2026-05-14T18:30:00Z".parse().unwrap();
    for written in ["'2026-05-14 18:30:00'", "'2026-05-14T18:30:00Z'"] {
        let values = [written, MOMENTS[0]];
        let column = Column { pool: pool.clone(), declared: "DATETIME NOT NULL", values: &values };
        column.refuses_to_seek::<OfUtc>(moment).await;
        let values = ["NULL", written];
        let column = Column { pool: pool.clone(), declared: "DATETIME", values: &values };
        column.refuses_to_seek::<MaybeUtc>(Some(moment)).await;
    }
}

impl Column<'_> {
    /// A page at this value is refused. In an empty table, it is empty.
    async fn refuses_to_seek<M: Keyed>(&self, value: M::Value)
    where
        M::Value: Clone,
    {
        let (folio, _) = self.rows::<M>().await;
        for inclusive in [true, false] {
            let error = folio.scope(sought::<M>(value.clone(), inclusive)).await.unwrap_err().to_string();
            assert!(error.contains("stores its value in a format other than the one sqlx writes"), "{error}");
        }
        db::run(&self.pool, "DELETE FROM t").await;
        let page = folio.scope(sought::<M>(value, true)).await.unwrap();
        assert!(page.data.is_empty() && page.next_cursor.is_none() && page.prev_cursor.is_none());
    }
}
