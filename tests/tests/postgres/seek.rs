//! Pages that begin at a value, in columns of every type.

use crate::values::models::{
    MaybeF64, MaybeI32, MaybeString, MaybeUtc, OfBool, OfBytes, OfF32, OfI64, OfNaiveDate, OfNaiveDateTime,
    OfNaiveTime, OfString, OfUtc, OfUuid,
};
use crate::values::seek::seeks;

#[tokio::test]
async fn a_page_begins_at_a_value_of_every_type() {
    let moments = ["'2026-05-14 18:30+00'", "'2026-05-14 18:30:00.000001+00'", "'2026-05-14 20:30+02'", "NULL"];
    seeks::<OfUtc>("TIMESTAMPTZ NOT NULL", &moments[..3]).await;
    seeks::<MaybeUtc>("TIMESTAMPTZ", &moments).await;
    seeks::<OfNaiveDateTime>("TIMESTAMP NOT NULL", &["'2026-05-14 18:30'", "'2025-01-01'", "'2025-01-01'"]).await;
    seeks::<OfNaiveDate>("DATE NOT NULL", &["'2026-05-14'", "'2025-01-01'", "'2026-05-14'"]).await;
    seeks::<OfNaiveTime>("TIME NOT NULL", &["'00:00'", "'18:30'", "'00:00'"]).await;
    let texts = ["'b'", "'B'", "''", "'á'", "'b '", "'b'", "NULL"];
    for declared in ["TEXT", "VARCHAR(9)", "CHAR(4)", "NAME", "TEXT COLLATE \"C\""] {
        seeks::<OfString>(declared, &texts[..6]).await;
        seeks::<MaybeString>(declared, &texts).await;
    }
    seeks::<OfBytes>("BYTEA NOT NULL", &["'\\x61'", "'\\xff'", "''", "'\\x61'"]).await;
    let ids = ["'67e55044-10b1-426f-9247-bb680e5fe0c8'", "'f7e55044-10b1-426f-9247-bb680e5fe0c8'"];
    seeks::<OfUuid>("UUID NOT NULL", &ids).await;
    seeks::<OfBool>("BOOLEAN NOT NULL", &["true", "false", "true"]).await;
    seeks::<OfF32>("REAL NOT NULL", &["0.1", "-7", "0.1"]).await;
    seeks::<MaybeF64>("DOUBLE PRECISION", &["0.1", "NULL", "-7", "0.1"]).await;
    seeks::<MaybeI32>("INTEGER", &["7", "NULL", "-7", "7"]).await;
    seeks::<OfI64>("BIGINT NOT NULL", &["9223372036854775807", "0", "0"]).await;
}
