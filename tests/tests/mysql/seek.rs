//! Pages that begin at a value, in columns of every type.

use crate::server;
use crate::values::by_hand::Column;
use crate::values::models::{
    MaybeF64, MaybeI32, MaybeString, MaybeUtc, OfBool, OfBytes, OfI64, OfNaiveDate, OfNaiveDateTime, OfNaiveTime,
    OfString, OfUtc, OfUuid,
};
use crate::values::seek::{seeks, sought};

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

/// A client may look for a text of any length, whatever the column holds.
#[tokio::test]
async fn a_page_begins_at_a_text_of_any_length() {
    let mut wrong = Vec::new();
    let lengths = [1, 9, 10, 190, 253, 254, 255, 256, 1_000, 1_100, 5_000, 70_000];
    for declared in ["VARCHAR(9)", "VARCHAR(190)", "VARCHAR(255)", "VARCHAR(700)", "TEXT", "CHAR(9)"] {
        for charset in ["utf8mb4", "latin1"] {
            let column = format!("{declared} CHARACTER SET {charset} NOT NULL");
            let values = &["'a'", "'mm'", "'z'"];
            let (folio, _) = Column { pool: server::pool(1).await, declared: &column, values }.rows::<OfString>().await;
            for (length, inclusive) in lengths.into_iter().flat_map(|length| [(length, true), (length, false)]) {
                let page = folio.scope(sought::<OfString>("m".repeat(length), inclusive)).await;
                match page {
                    Ok(page) => assert_eq!(page.data.len(), if length == 1 { 2 } else { 1 }, "{length} in {column}"),
                    Err(error) => wrong.push(format!("{length} in {column}: {error}")),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The outcome of each way to look for a text.
async fn outcomes(text: &str) -> Vec<(&'static str, folio::Result<usize>)> {
    let v = OfString::V;
    let list = OfString::query;
    vec![
        ("eq", list().filter(v.eq(text)).page(1).paginate(9).await.map(|page| page.data.len())),
        ("ne", list().filter(v.ne(text)).page(1).paginate(9).await.map(|page| 3 - page.data.len().min(3))),
        ("contains", list().filter(v.contains(text)).page(1).paginate(9).await.map(|page| page.data.len())),
        ("icontains", list().filter(v.icontains(text)).page(1).paginate(9).await.map(|page| page.data.len())),
        ("starts_with", list().filter(v.starts_with(text)).page(1).paginate(9).await.map(|page| page.data.len())),
        ("is_in", list().filter(v.is_in([text])).page(1).paginate(9).await.map(|page| page.data.len())),
        ("any_of", list().filter(v.any_of([text])).page(1).paginate(9).await.map(|page| page.data.len())),
        ("eq by cursor", list().filter(v.eq(text)).cursor(None).cursor_paginate(9).await.map(|page| page.data.len())),
        ("among", list().among(v, [text.to_owned()]).cursor(None).cursor_paginate(9).await.map(|page| page.data.len())),
        (
            "among two",
            list()
                .among(v, [text.to_owned(), "zz".to_owned()])
                .cursor(None)
                .cursor_paginate(9)
                .await
                .map(|page| page.data.len()),
        ),
    ]
}

/// No row equals a text with a character that the column's character set lacks. The server replaces it by a question
/// mark if it converts it.
#[tokio::test]
async fn a_character_outside_of_the_character_set_equals_no_row() {
    let mut wrong = Vec::new();
    for charset in ["latin1", "utf8mb3", "ascii", "utf8mb4 COLLATE utf8mb4_bin", "utf8mb4"] {
        let column = format!("VARCHAR(50) CHARACTER SET {charset} NOT NULL");
        let column = Column { pool: server::pool(1).await, declared: &column, values: &["'a'", "'?'", "'a?'"] };
        let (folio, _) = column.rows::<OfString>().await;
        for text in ["中", "a中", "😀", "a😀"] {
            for (way, outcome) in folio.scope(outcomes(text)).await {
                match outcome {
                    Ok(0) => {}
                    Err(error) if error.status() < 500 => {}
                    outcome => wrong.push(format!("{way} {text} in {charset}: {outcome:?}")),
                }
            }
            for inclusive in [true, false] {
                if let Err(error) = folio.scope(sought::<OfString>(text.to_owned(), inclusive)).await
                    && error.status() > 499
                {
                    wrong.push(format!("seek {text} in {charset}: {error:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
