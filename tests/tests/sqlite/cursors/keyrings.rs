//! Which keys open a cursor in a list.

use folio::{CryptPurpose, CursorDirection, Folio, Key, Keyring, Pagination, decode_cursor, encode_cursor};
use folio_tests::cursors::{NEXT_OF_7, NOTES_BY_ID, PURPOSES, SCOPES, assert_internal, assert_refused};

use super::lists::{ID, from};
use super::notes::{Listed, Note, notes, page};

#[tokio::test]
async fn keys_rotate() {
    let (_, pool) = notes().await;
    let [old, older, new, other] = [1_u8, 2, 3, 4].map(|byte| Key::from_bytes([byte; 32]));
    let folio = |keyring: Keyring| Folio::new(pool.clone()).keyring(keyring);
    let first = async |folio: &Folio| folio.scope(page::<Note>(None)).await.unwrap().next_cursor.unwrap();
    let second = async |folio: &Folio, cursor: &str| folio.scope(page::<Note>(Some(cursor))).await;

    let alone = |key: &Key| folio(Keyring::new(key.clone()));
    let rotated = folio(Keyring::new(new.clone()).with_previous([old.clone(), older.clone()]).unwrap());
    let by_old = first(&alone(&old)).await;
    let by_older = first(&alone(&older)).await;
    let by_other = first(&alone(&other)).await;
    let by_new = first(&rotated).await;
    for token in [&by_old, &by_older, &by_new] {
        assert_eq!(second(&rotated, token).await.unwrap().data[0].id, 4);
    }
    assert_refused(&second(&rotated, &by_other).await, "a key that was never in the ring");
    // Sealed with the new key only.
    assert_eq!(second(&alone(&new), &by_new).await.unwrap().data[0].id, 4);
    for key in [&old, &older, &other] {
        assert_refused(&second(&alone(key), &by_new).await, "another key than the current");
    }
    // A page reached with an old cursor seals its cursors with the new key.
    let onward = second(&rotated, &by_old).await.unwrap().next_cursor.unwrap();
    assert_eq!(second(&alone(&new), &onward).await.unwrap().data[0].id, 7);
    let dropped = folio(Keyring::new(new).with_previous([older]).unwrap());
    assert_refused(&second(&dropped, &by_old).await, "a key that was dropped");
    assert!(second(&dropped, &by_older).await.is_ok());
}

#[tokio::test]
async fn without_a_keyring_nothing_is_sealed_or_opened() {
    let (with, pool) = notes().await;
    let cursor = with.scope(page::<Note>(None)).await.unwrap().next_cursor.unwrap();
    Folio::new(pool)
        .scope(async {
            assert_internal(&encode_cursor(&7_i64, CursorDirection::Next), "encode");
            assert_internal(&decode_cursor::<i64>(&cursor), "decode");
            assert_internal(&decode_cursor::<i64>("garbage"), "decode of garbage");
            let note = Note::query().page(1).paginate(1).await.unwrap().data.remove(0);
            assert_internal(&note.encode(CursorDirection::Next), "a key's encode");
            assert_internal(&Note::decode(&cursor), "a key's decode");
            assert_internal(&page::<Note>(None).await, "the first page");
            assert_internal(&page::<Note>(Some(&cursor)).await, "the second page");
            assert_internal(&page::<Note>(Some("garbage")).await, "garbage");
            assert_internal(&Pagination::cursor::<(i64,)>(from("notes"), None, 3, ID).await, "a select");
            assert!(Note::query().simple_paginate(3).await.is_ok(), "other pages need no keyring");
        })
        .await;
}

#[tokio::test]
async fn a_list_opens_only_cursors_of_its_own_scope() {
    let (_, pool) = notes().await;
    let keyring = Keyring::new(Key::generate());
    let folio = Folio::new(pool).keyring(keyring.clone());
    for (purpose, scope) in PURPOSES.into_iter().flat_map(|purpose| SCOPES.map(|scope| (purpose, scope))) {
        let token = keyring.seal(purpose, scope, NEXT_OF_7).unwrap();
        let page = folio.scope(page::<Note>(Some(&token))).await;
        if purpose == CryptPurpose::Cursor && scope == NOTES_BY_ID {
            assert_eq!(page.unwrap().data[0].id, 8);
        } else {
            assert_refused(&page, &format!("{purpose:?} {scope:?} in the list of notes"));
        }
        let decoded = folio.scope(async { decode_cursor::<i64>(&token) }).await;
        if purpose == CryptPurpose::Cursor && scope.is_empty() {
            assert_eq!(decoded.unwrap(), (7, CursorDirection::Next));
        } else {
            assert_refused(&decoded, &format!("{purpose:?} {scope:?} by hand"));
        }
    }
}
