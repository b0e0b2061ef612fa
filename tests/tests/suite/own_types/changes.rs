//! Cursors that outlive a change of the enum in their key.

use folio::json_api::{CursorWindow, CursorWindowError};
use folio::{ColumnValue, CursorDirection, Folio, FrameworkError, Paginate, decode_cursor, encode_cursor};
use sqlx::Connection as _;

use super::types::{Priority, STATES, Stage, State, in_text_columns, is_postgres};
use crate::server::{ID, TEXT, types};
use crate::suite::db::{self, Pool};

/// [`Stage`] with other names in Rust.
#[derive(Debug, Clone, Copy, PartialEq, ColumnValue)]
enum Renamed {
    #[sqlx(rename = "in_review")]
    Waiting,
    #[sqlx(rename = "accepted")]
    Taken,
    #[sqlx(rename = "b-list")]
    Second,
}

/// [`Stage`] without a variant.
#[derive(Debug, Clone, Copy, PartialEq, ColumnValue)]
#[sqlx(rename_all = "snake_case")]
enum Shorter {
    InReview,
    Accepted,
}

in_text_columns!(Renamed, Shorter);

/// [`Priority`] without a variant.
#[derive(Debug, Clone, Copy, PartialEq, sqlx::Type, ColumnValue)]
#[repr(i32)]
enum Fewer {
    Low = 30,
    Normal = 2,
}

/// Models of one table, each at another time.
macro_rules! versions {
    ($($model:ident: $stage:ty, $priority:ty;)*) => {$(
        #[derive(Debug, sqlx::FromRow, Paginate)]
        #[paginate(table = "changing", cursor_key = "stage, priority nulls last")]
        struct $model {
            id: i64,
            stage: $stage,
            priority: Option<$priority>,
        }
    )*};
}

versions! {
    Before: Stage, Priority;
    WithNames: Renamed, Priority;
    WithoutStage: Shorter, Priority;
    WithoutPriority: Stage, Fewer;
}

async fn table() -> (Folio, Pool) {
    let rows = "(1, 'accepted', 2), (2, 'accepted', NULL), (3, 'b-list', -100000), (4, 'in_review', 30)";
    let columns = format!("id {ID}, stage {TEXT} NOT NULL, priority {}", types::INT);
    db::folio(&format!("CREATE TABLE changing ({columns}); INSERT INTO changing VALUES {rows}")).await
}

fn assert_invalid(error: &FrameworkError) {
    assert_eq!((error.status(), error.to_string().as_str()), (400, "Invalid pagination cursor"));
}

/// The cursor after each row.
async fn cursors() -> Vec<String> {
    let all = Before::query().cursor(None).cursor_paginate(4).await.unwrap();
    assert_eq!(all.data.iter().map(|row| row.id).collect::<Vec<_>>(), [1, 2, 3, 4]);
    let cursor = |row: &Before| row.cursor_key().encode(CursorDirection::Next).unwrap();
    all.data.iter().map(cursor).collect()
}

#[tokio::test]
async fn a_cursor_outlives_the_names_of_variants() {
    let (folio, _pool) = table().await;
    let check = async {
        for (cursor, rest) in cursors().await.iter().zip([&[2, 3, 4][..], &[3, 4], &[4], &[]]) {
            let page = WithNames::query().cursor(Some(cursor)).cursor_paginate(9).await.unwrap();
            assert_eq!(page.data.iter().map(|row| row.id).collect::<Vec<_>>(), rest);
        }
        let first = Before::query().cursor(None).cursor_paginate(1).await.unwrap().next_cursor;
        let page = WithNames::query().cursor(first.as_deref()).cursor_paginate(1).await.unwrap();
        let second = WithNamesKey { stage: Renamed::Taken, priority: None, id: 2 };
        assert_eq!(page.data[0].cursor_key(), second);
        let (key, _) = WithNamesKey::decode(&first.unwrap()).unwrap();
        assert_eq!(key, WithNamesKey { stage: Renamed::Taken, priority: Some(Priority::Normal), id: 1 });
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn a_cursor_with_a_removed_variant_is_invalid() {
    let (folio, pool) = table().await;
    let check = async {
        let of_page = Before::query().cursor(None).cursor_paginate(3).await.unwrap().next_cursor.unwrap();
        let by_hand = cursors().await.remove(2);
        // The rows themselves can still be read.
        db::run(&pool, "DELETE FROM changing WHERE id = 3").await;
        for cursor in [of_page, by_hand] {
            let error = WithoutStage::query().cursor(Some(&cursor)).cursor_paginate(9).await.unwrap_err();
            assert_invalid(&error);
            let error = WithoutPriority::query().cursor(Some(&cursor)).cursor_paginate(9).await.unwrap_err();
            assert_invalid(&error);
            assert_invalid(&WithoutStageKey::decode(&cursor).unwrap_err());
            assert_invalid(&WithoutPriorityKey::decode(&cursor).unwrap_err());
        }
        let after = cursors_of_the_rest().await;
        let page = WithoutPriority::query().cursor(Some(&after)).cursor_paginate(9).await.unwrap();
        let key = WithoutPriorityKey { stage: Stage::InReview, priority: Some(Fewer::Low), id: 4 };
        assert_eq!(page.data[0].cursor_key(), key);
        let page = WithoutStage::query().cursor(Some(&after)).cursor_paginate(9).await.unwrap();
        let key = WithoutStageKey { stage: Shorter::InReview, priority: Some(Priority::Low), id: 4 };
        assert_eq!(page.data[0].cursor_key(), key);
    };
    folio.scope(check).await;
}

/// A cursor whose values every version has: after row 2, whose priority is NULL.
async fn cursors_of_the_rest() -> String {
    Before::query().cursor(None).cursor_paginate(2).await.unwrap().next_cursor.unwrap()
}

#[tokio::test]
async fn a_single_value_that_was_removed_is_an_invalid_cursor() {
    let (folio, _pool) = table().await;
    let check = async {
        let (next, shorter) = (CursorDirection::Next, Shorter::Accepted);
        let kept = encode_cursor(&Stage::Accepted, next).unwrap();
        assert_eq!(decode_cursor::<Shorter>(&kept).unwrap(), (shorter, next));
        assert_invalid(&decode_cursor::<Shorter>(&encode_cursor(&Stage::Reserve, next).unwrap()).unwrap_err());
        assert_invalid(&decode_cursor::<Fewer>(&encode_cursor(&Priority::High, next).unwrap()).unwrap_err());
        assert_eq!(decode_cursor::<Fewer>(&encode_cursor(&Priority::Normal, next).unwrap()).unwrap().0, Fewer::Normal);
    };
    folio.scope(check).await;
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "stateful", cursor_key = "state")]
struct Stateful {
    id: i64,
    state: State,
}

/// PostgreSQL's enum changes before the code does.
#[tokio::test]
async fn a_value_that_the_database_lost_is_an_invalid_cursor() {
    if !is_postgres() {
        return;
    }
    let values = STATES.join(", ");
    let schema = format!(
        "CREATE TYPE issue_state AS ENUM ({values}); CREATE TABLE stateful (id {ID}, state issue_state NOT NULL); \
         INSERT INTO stateful VALUES (1, 'open'), (2, 'done'), (3, 'done')"
    );
    let (folio, pool) = db::folio(&schema).await;
    let page = async |cursor: &str| Stateful::query().cursor(Some(cursor)).cursor_paginate(1).await;
    let check = async {
        let of_page = Stateful::query().cursor(None).cursor_paginate(2).await.unwrap().next_cursor.unwrap();
        let by_hand = StatefulKey { state: State::Closed, id: 2 }.encode(CursorDirection::Next).unwrap();
        assert_eq!(page(&of_page).await.unwrap().data[0].cursor_key(), StatefulKey { state: State::Closed, id: 3 });
        db::run(&pool, "ALTER TYPE issue_state RENAME VALUE 'done' TO 'closed'").await;
        assert_invalid(&page(&of_page).await.unwrap_err());
        assert_invalid(&page(&by_hand).await.unwrap_err());
        let sought = Stateful::query().seek_inclusive(State::Closed).cursor(None).cursor_paginate(1).await.unwrap_err();
        assert_eq!((sought.status(), &*sought.to_string()), (400, "The list cannot begin at this value"));
        for parameter in ["page[after]", "page[before]"] {
            let window = CursorWindow::resolve(&format!("{parameter}={of_page}"), 1, 1).unwrap();
            let error = Stateful::query().cursor_window(window).await.unwrap_err();
            assert_eq!(error.parameter(), Some(parameter));
            assert!(matches!(error, CursorWindowError::InvalidCursor { cause, .. } if cause.status() == 400));
        }
        // Under another name, the cast in the cursor names no type.
        db::run(&pool, "ALTER TYPE issue_state RENAME VALUE 'closed' TO 'done'").await;
        assert_eq!(page(&of_page).await.unwrap().data[0].id, 3);
        db::run(&pool, "ALTER TYPE issue_state RENAME TO \"State\"").await;
        // A statement that was prepared before knows the type by its number, and still works.
        let mut connection = pool.acquire().await.unwrap();
        connection.clear_cached_statements().await.unwrap();
        let mut unprepared = async || {
            Stateful::query().using(&mut *connection).cursor(Some(&of_page)).cursor_paginate(1).await.unwrap_err()
        };
        assert_invalid(&unprepared().await);
        // An error that is not about the cursor stays one of the database.
        db::run(&pool, "ALTER TABLE stateful RENAME TO other").await;
        assert_eq!(unprepared().await.status(), 500);
    };
    folio.scope(check).await;
}
