//! Cursors by what they contain: nothing, too much, or content that folio would not seal.

use folio::{ActiveRequest, CryptPurpose, CursorPaginator, Folio, Key, Keyring, Pagination, Result, decode_cursor};
use folio_tests::cursors::{NEXT_OF_7, NOTES_BY_ID, assert_internal, assert_refused};

use super::lists::{ID, from};
use super::notes::{Listed, Note, Ranked, Titled, notes, page};

fn ids(page: Result<CursorPaginator<Note>>) -> Vec<i64> {
    page.unwrap().data.iter().map(|note| note.id).collect()
}

/// The page of a request to `uri`.
async fn requested(uri: &str) -> Result<CursorPaginator<Note>> {
    ActiveRequest::new(uri).scope(Note::cursor_paginate(3)).await
}

#[tokio::test]
async fn an_empty_cursor_parameter_is_the_first_page() {
    let (folio, _pool) = notes().await;
    let work = async {
        for uri in
            ["", "?", "?cursor", "?cursor=", "/notes?cursor=&page=3", "?Cursor=x", "?cursor=x&cursor=", "?cursors=x"]
        {
            assert_eq!(ids(requested(uri).await), [1, 2, 3], "{uri}");
        }
    };
    folio.scope(work).await;
}

#[tokio::test]
async fn the_cursor_parameter_is_opened_or_refused() {
    let (folio, _pool) = notes().await;
    let work = async {
        let token = page::<Note>(None).await.unwrap().next_cursor.unwrap();
        for uri in
            [format!("?cursor={token}"), format!("?cursor=x&cursor={token}"), format!("?%63ursor={token}#cursor=x")]
        {
            assert_eq!(ids(requested(&uri).await), [4, 5, 6], "{uri}");
        }
        for uri in ["?cursor=x", "?cursor=%20", "?cursor=+", "?cursor=%00", "?cursor=%FF", "?cursor=null", "?cursor=1"]
        {
            assert_refused(&requested(uri).await, uri);
        }
        for uri in [format!("?cursor={token}%3D"), format!("?cursor=%20{token}"), format!("?cursor={token}&cursor=x")] {
            assert_refused(&requested(&uri).await, &uri);
        }
        let query = Note::query().with_cursor_name("after").cursor_paginate(3);
        let renamed = ActiveRequest::new(&format!("?cursor=x&after={token}")).scope(query).await;
        assert_eq!(ids(renamed), [4, 5, 6]);
    };
    folio.scope(work).await;
}

/// A cursor that the caller passes is never the first page, and replaces that of the request.
#[tokio::test]
async fn an_empty_cursor_from_the_caller_is_refused() {
    let (folio, _pool) = notes().await;
    let work = async {
        assert_refused(&page::<Note>(Some("")).await, "an empty cursor by hand");
        let select = Pagination::cursor::<(i64,)>(from("notes"), Some(""), 3, ID).await;
        assert_refused(&select, "an empty cursor of a select");
        let by_hand = ActiveRequest::new("?cursor=x").scope(page::<Note>(None)).await;
        assert_eq!(ids(by_hand), [1, 2, 3]);
    };
    folio.scope(work).await;
}

#[tokio::test]
async fn a_page_that_ends_at_an_overlong_key_is_an_error() {
    let (folio, pool) = notes().await;
    folio
        .scope(async {
            sqlx::query("DELETE FROM notes WHERE id > 4").execute(&pool).await.unwrap();
            sqlx::query("UPDATE notes SET title = ? || id").bind("x".repeat(6_000)).execute(&pool).await.unwrap();
            let cut = Titled::query().cursor_paginate(3).await;
            assert_internal(&cut, "a page that ends at a long key");
            assert!(cut.unwrap_err().to_string().contains("the value of `title` in a row is too long for a cursor"));
            let whole = Titled::query().cursor_paginate(4).await.unwrap();
            assert_eq!((whole.data.len(), whole.next_cursor), (4, None), "no cursor is needed");
        })
        .await;
}

/// What folio never seals for the key of `Note`.
const CONTENTS: &[&str] = &[
    "",
    " ",
    "null",
    "7",
    "{}",
    "[]",
    "[[]]",
    "\"next\"",
    r#"["next"]"#,
    r#"["next",null]"#,
    r#"["next",7]"#,
    r#"["next",[]]"#,
    r#"["next",["BigInt"]]"#,
    r#"["next",[7,"BigInt"]]"#,
    r#"["next",{"BigInt":7}]"#,
    r#"["next","BigInt",7]"#,
    r#"["next",["BigInt",7]"#,
    r#"["next",["BigInt",7]]]"#,
    r#"["next",["BigInt",7]] ["next",["BigInt",7]]"#,
    r#"["next",["BigInt",7,]]"#,
    r#"["next",["BigInt",7]],"#,
    r#"['next',['BigInt',7]]"#,
    // The direction.
    r#"["",["BigInt",7]]"#,
    r#"["Next",["BigInt",7]]"#,
    r#"["previous",["BigInt",7]]"#,
    r#"["next ",["BigInt",7]]"#,
    r#"[null,["BigInt",7]]"#,
    r#"[true,["BigInt",7]]"#,
    r#"[["next"],["BigInt",7]]"#,
    r#"[["BigInt",7],"next"]"#,
    r#"[["BigInt",7]]"#,
    // The variant.
    r#"["next",["Money",7]]"#,
    r#"["next",["bigint",7]]"#,
    r#"["next",["BigInt ",7]]"#,
    r#"["next",["",7]]"#,
    r#"["next",[null,7]]"#,
    r#"["next",["Int",7]]"#,
    r#"["next",["BigUnsigned",7]]"#,
    r#"["next",["String","7"]]"#,
    // The value.
    r#"["next",["BigInt",null]]"#,
    r#"["next",["BigInt","7"]]"#,
    r#"["next",["BigInt",7.0]]"#,
    r#"["next",["BigInt",7e0]]"#,
    r#"["next",["BigInt",true]]"#,
    r#"["next",["BigInt",[7]]]"#,
    r#"["next",["BigInt",9223372036854775808]]"#,
    r#"["next",["BigInt",-9223372036854775809]]"#,
    r#"["next",["BigInt",1e400]]"#,
    r#"["next",["BigInt",NaN]]"#,
    r#"["next",["BigInt",07]]"#,
    // Extra parts.
    r#"["next",["BigInt",7,7]]"#,
    r#"["next",["BigInt",7,null]]"#,
    r#"["next",["BigInt",7,[]]]"#,
    r#"["next",["BigInt",7,["BigInt"]]]"#,
    r#"["next",["BigInt",7,["Money",7]]]"#,
    r#"["next",["BigInt",7,["BigInt","7"]]]"#,
    r#"["next",["BigInt",7,["BigInt",7],["BigInt",7]]]"#,
    r#"["next",["BigInt",7],["BigInt",7]]"#,
    r#"["next",["BigInt",7],false]"#,
    r#"["next",["BigInt",7],null]"#,
    r#"["next",["BigInt",7],"true"]"#,
    r#"["next",["BigInt",7],true,true]"#,
    r#"["next",["BigInt",7],true,["BigInt",7]]"#,
];

/// Content that folio would not seal is a bug in the application, not a bad request.
#[tokio::test]
async fn an_authentic_cursor_with_invalid_content_is_an_internal_error() {
    let (_, pool) = notes().await;
    let keyring = Keyring::new(Key::generate());
    let folio = Folio::new(pool).keyring(keyring.clone());
    let seal = |scope: &[&[u8]], content: &[u8]| keyring.seal(CryptPurpose::Cursor, scope, content).unwrap();
    let deep = "[".repeat(1_400);
    let contents = CONTENTS.iter().map(|content| content.as_bytes());
    let contents = contents.chain([deep.as_bytes(), b"\xff\xfe", b"[\"next\",[\"BigInt\",7\xff]]", b"\0"]);
    folio
        .scope(async {
            let genuine = seal(&NOTES_BY_ID, NEXT_OF_7);
            assert_eq!(page::<Note>(Some(&genuine)).await.unwrap().data[0].id, 8);
            let inclusive = seal(&NOTES_BY_ID, br#"["next",["BigInt",7],true]"#);
            assert_eq!(page::<Note>(Some(&inclusive)).await.unwrap().data[0].id, 7);
            for content in contents {
                let case = String::from_utf8_lossy(content);
                let token = seal(&NOTES_BY_ID, content);
                assert_internal(&Note::decode(&token), &case);
                assert_internal(&decode_cursor::<i64>(&seal(&[], content)), &case);
                if !case.contains("null]") {
                    assert_internal(&page::<Note>(Some(&token)).await, &case);
                }
            }
        })
        .await;
}

/// A composite key with too few parts, too many, or in another order.
#[tokio::test]
async fn an_authentic_cursor_with_other_columns_is_an_internal_error() {
    let (_, pool) = notes().await;
    let keyring = Keyring::new(Key::generate());
    let folio = Folio::new(pool).keyring(keyring.clone());
    let scope: &[&[u8]] = &[b"notes", b"rank", b"Int", b"asc", b"not null", b"id", b"BigInt", b"asc", b"not null"];
    let seal = |content: &str| keyring.seal(CryptPurpose::Cursor, scope, content.as_bytes()).unwrap();
    folio
        .scope(async {
            assert!(page::<Ranked>(Some(&seal(r#"["next",["Int",2],["BigInt",7]]"#))).await.is_ok());
            for content in [
                r#"["next",["Int",2]]"#,
                r#"["next",["Int",2],true]"#,
                r#"["next",["BigInt",7],["Int",2]]"#,
                r#"["next",["Int",2],["BigInt",7],["BigInt",7]]"#,
                r#"["next",["Int",2147483648],["BigInt",7]]"#,
            ] {
                assert_internal(&Ranked::decode(&seal(content)), content);
                assert_internal(&page::<Ranked>(Some(&seal(content))).await, content);
            }
        })
        .await;
}

/// The order of a NOT NULL column has no position for NULLs, so a page from there would lose rows.
#[tokio::test]
async fn an_authentic_null_for_a_not_null_column_is_an_internal_error() {
    let (_, pool) = notes().await;
    let keyring = Keyring::new(Key::generate());
    let token = keyring.seal(CryptPurpose::Cursor, &NOTES_BY_ID, br#"["next",["BigInt",null]]"#).unwrap();
    let folio = Folio::new(pool).keyring(keyring);
    assert_internal(&folio.scope(page::<Note>(Some(&token))).await, "NULL for an id");
}
