//! Cursors of keys and of single values, sealed and opened without a database.

use folio::{CursorDirection, Key, Keyring, Paginate, decode_cursor, encode_cursor};
use folio_tests::cursors::{assert_internal, assert_refused};
use sea_query::prelude::chrono::{DateTime, Utc};

use crate::application;

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
struct Note {
    id: i64,
}

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "notes", cursor_key = "title")]
struct Titled {
    id: i64,
    title: String,
}

/// Opens a cursor as the key of `Note`.
fn decode(cursor: &str) -> folio::Result<CursorDirection> {
    <Note as folio::Model>::Key::decode(cursor).map(|(_, direction)| direction)
}

#[tokio::test]
async fn texts_of_any_length_are_refused() {
    application()
        .scope(async {
            let token = Note { id: 7 }.cursor_key().encode(CursorDirection::Next).unwrap();
            assert_eq!(decode(&token).unwrap(), CursorDirection::Next);
            let units = ["A", "=", "\0", "é", "😀", " ", "%", "-_", token.as_str()];
            for length in [1, 3, 4, 5, 48, 1_000, 2_080, 5_599, 5_600, 5_601, 5_604, 65_536, 1 << 20, 5 << 20] {
                for unit in units {
                    let text = unit.repeat(length / unit.len() + 1);
                    if text != token {
                        assert_refused(&decode(&text), &format!("{length} of {unit:?}"));
                        assert_refused(&decode_cursor::<i64>(&text), &format!("{length} of {unit:?}"));
                        let page = Note::query().cursor(Some(&text)).cursor_paginate(3).await;
                        assert_refused(&page, &format!("{length} of {unit:?}"));
                    }
                    let long = format!("{token}{text}");
                    assert_refused(&decode(&long), &format!("{length} of {unit:?} after a cursor"));
                }
            }
        })
        .await;
}

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
}

/// It comes from a version whose `as_of` read tables at a moment. Going on without the moment would show other rows.
#[tokio::test]
async fn a_cursor_with_a_moment_is_refused() {
    let known = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/data/known_answers.json")).unwrap();
    let known: serde_json::Value = serde_json::from_str(&known).unwrap();
    let cases = known["cases"].as_array().unwrap();
    let case = cases.iter().find(|case| case["plaintext"].as_str().unwrap().contains("as_of")).unwrap();
    let key = Key::from_base64(case["key"].as_str().unwrap()).unwrap();
    application()
        .keyring(Keyring::new(key))
        .scope(async {
            let page = Post::query().cursor(case["token"].as_str()).cursor_paginate(3).await;
            assert_refused(&page, "a cursor with a moment");
        })
        .await;
}

/// What is sealed opens again, up to the longest cursor. A longer key is not sealed.
#[tokio::test]
async fn a_key_that_makes_an_overlong_cursor_is_an_error() {
    application()
        .scope(async {
            let encode = |title: String| Titled { id: 1, title }.cursor_key().encode(CursorDirection::Next);
            let (mut longest, mut most) = (0, 0);
            for length in (0..4_300).step_by(97).chain(4_080..4_180) {
                match encode("x".repeat(length)) {
                    Ok(token) => {
                        assert!(token.len() <= 5_600, "{length}: {}", token.len());
                        let (_, direction) = <Titled as folio::Model>::Key::decode(&token).unwrap();
                        assert_eq!(direction, CursorDirection::Next);
                        (longest, most) = (longest.max(length), most.max(token.len()));
                    }
                    Err(error) => {
                        assert!(length > longest, "{length} is refused, {longest} is not");
                        assert_internal(&Err::<(), _>(error), "a long key");
                    }
                }
            }
            assert_eq!(most, 5_600);
            assert_internal(&encode("x".repeat(6_000)), "6,000 characters");
            // In base64, they take a third more than their bytes.
            assert_internal(&encode("\u{1}".repeat(longest)), "control characters");
        })
        .await;
}

#[tokio::test]
async fn a_cursor_of_another_type_is_an_internal_error() {
    application()
        .scope(async {
            let token = encode_cursor(&7_i64, CursorDirection::Prev).unwrap();
            assert_eq!(decode_cursor::<i64>(&token).unwrap(), (7, CursorDirection::Prev));
            assert_eq!(decode_cursor::<Option<i64>>(&token).unwrap(), (Some(7), CursorDirection::Prev));
            assert_internal(&decode_cursor::<i32>(&token), "i64 as i32");
            assert_internal(&decode_cursor::<u64>(&token), "i64 as u64");
            assert_internal(&decode_cursor::<String>(&token), "i64 as String");
            assert_internal(&decode_cursor::<Option<i8>>(&token), "i64 as Option<i8>");
            assert_internal(&decode_cursor::<DateTime<Utc>>(&token), "i64 as DateTime");
            let null = encode_cursor(&None::<i64>, CursorDirection::Next).unwrap();
            assert_eq!(decode_cursor::<Option<i64>>(&null).unwrap(), (None, CursorDirection::Next));
            assert_internal(&decode_cursor::<i64>(&null), "NULL as i64");
            assert_internal(&decode_cursor::<Option<i32>>(&null), "NULL of i64 as Option<i32>");
        })
        .await;
}

#[tokio::test]
async fn nan_is_refused() {
    application()
        .scope(async {
            for bits in [0x7ff8_0000_0000_0000_u64, 0xfff8_0000_0000_0000, 0x7ff0_0000_0000_0001, u64::MAX] {
                let nan = f64::from_bits(bits);
                assert_internal(&encode_cursor(&nan, CursorDirection::Next), "f64");
                assert_internal(&encode_cursor(&Some(nan), CursorDirection::Next), "Option<f64>");
            }
            for bits in [0x7fc0_0000_u32, 0xffc0_0000, 0x7f80_0001, u32::MAX] {
                assert_internal(&encode_cursor(&f32::from_bits(bits), CursorDirection::Next), "f32");
            }
        })
        .await;
}

/// No debug output shows a key, neither its bytes nor its text.
#[tokio::test]
async fn keys_are_not_printed() {
    let key = Key::from_bytes([171; 32]);
    let keyring = Keyring::new(key.clone()).with_previous([key.clone()]).unwrap();
    let folio = application().keyring(keyring.clone());
    let builder = folio.scope(async { Note::query().cursor(Some("x")) }).await;
    let error = Key::from_base64("q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6u=q6ur").unwrap_err();
    let shown = [
        format!("{key:?} {key:#?}"),
        format!("{keyring:?} {keyring:#?}"),
        format!("{folio:?} {folio:#?}"),
        format!("{builder:?} {builder:#?}"),
        format!("{error} {error:?}"),
    ];
    for shown in shown {
        let flat: String = shown.split_whitespace().collect();
        for secret in ["171,171", "abab", "ABAB", "0xab", "q6ur", "«««"] {
            assert!(!flat.contains(secret), "{secret} in {shown}");
        }
    }
    assert_eq!(format!("{key:?}"), "Key(..)");
    assert_eq!(format!("{keyring:?}"), "Keyring { keys: 2 }");
}
