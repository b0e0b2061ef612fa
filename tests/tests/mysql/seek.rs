//! Pages that begin at a value, in columns of every type.

use crate::values::models::{
    MaybeF64, MaybeI32, MaybeString, MaybeUtc, OfBool, OfBytes, OfI64, OfNaiveDate, OfNaiveDateTime, OfNaiveTime,
    OfString, OfUtc, OfUuid,
};
use crate::values::seek::seeks;

#[tokio::test]
async fn a_page_begins_at_a_value_of_every_type() {
    let moments = ["'2026-05-14 18:30:00'", "'2026-05-14 18:30:00.000001'", "'2026-05-14 18:30:00'", "NULL"];
    seeks::<OfUtc>("TIMESTAMP(6) NOT NULL", &moments[..3]).await;
    seeks::<MaybeUtc>("TIMESTAMP(6) NULL", &moments).await;
    seeks::<OfUtc>("DATETIME(6) NOT NULL", &moments[..3]).await;
    seeks::<MaybeUtc>("DATETIME(6) NULL", &moments).await;
    seeks::<OfNaiveDateTime>("DATETIME(6) NOT NULL", &moments[..3]).await;
    seeks::<OfNaiveDate>("DATE NOT NULL", &["'2026-05-14'", "'2025-01-01'", "'2026-05-14'"]).await;
    seeks::<OfNaiveTime>("TIME(6) NOT NULL", &["'00:00'", "'18:30'", "'00:00'"]).await;
    let texts = ["'b'", "'B'", "''", "'á'", "'b '", "'b'", "NULL"];
    for declared in ["VARCHAR(9) CHARACTER SET utf8mb4", "CHAR(9) CHARACTER SET latin1", "TEXT CHARACTER SET utf8mb4"] {
        seeks::<OfString>(declared, &texts[..6]).await;
        seeks::<MaybeString>(declared, &texts).await;
    }
    seeks::<OfBytes>("VARBINARY(9) NOT NULL", &["x'61'", "x'ff'", "x''", "x'61'"]).await;
    let ids = ["x'67e5504410b1426f9247bb680e5fe0c8'", "x'f7e5504410b1426f9247bb680e5fe0c8'"];
    seeks::<OfUuid>("BINARY(16) NOT NULL", &ids).await;
    seeks::<OfBool>("BOOLEAN NOT NULL", &["1", "0", "1"]).await;
    seeks::<MaybeF64>("DOUBLE", &["0.1", "NULL", "-7", "0.1"]).await;
    seeks::<MaybeI32>("INT", &["7", "NULL", "-7", "7"]).await;
    seeks::<OfI64>("BIGINT NOT NULL", &["9223372036854775807", "0", "0"]).await;
}
