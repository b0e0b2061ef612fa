//! Errors: the variant, the status and the message of each condition.

use std::error::Error as _;
use std::fmt::Debug;

use folio::{
    Column, CursorDirection, DB, Folio, FrameworkError, Key, Keyring, Paginate, Pagination, Result, decode_cursor,
    encode_cursor,
};
use sea_query::{Query, SelectStatement};
use sqlx::SqlitePool;

use crate::suite::db;

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "posts", cursor_key = "title")]
struct Post {
    id: i64,
    title: String,
}

/// A model with a connection of its own.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "posts", connection = "reports")]
struct Report {
    id: i64,
}

async fn posts() -> (Folio, SqlitePool) {
    db::folio(
        "CREATE TABLE posts (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
         INSERT INTO posts VALUES (1, 'a'), (2, 'b'), (3, 'c');",
    )
    .await
}

fn select() -> SelectStatement {
    Query::select().columns(["id", "title"]).from("posts").take()
}

const ID: Column<i64> = Column::new("id");

/// The expected error.
#[derive(Debug, Clone, Copy)]
enum Kind {
    ParamError,
    InvalidCursor,
    Internal,
    Database,
}

#[track_caller]
fn assert_is<T: Debug>(result: Result<T>, kind: Kind, case: &str) -> FrameworkError {
    let error = match result {
        Err(error) => error,
        Ok(value) => panic!("{case}: {value:?}"),
    };
    let (is, status) = match kind {
        Kind::ParamError => {
            (matches!(&error, FrameworkError::ParamError { param_name } if param_name == "per_page"), 400)
        }
        Kind::InvalidCursor => {
            let text = "Invalid pagination cursor";
            let is = matches!(&error, FrameworkError::Domain { message, status_code: 400 } if message == text);
            (is, 400)
        }
        Kind::Internal => (matches!(error, FrameworkError::Internal { .. }), 500),
        Kind::Database => (matches!(error, FrameworkError::Database(_)), 500),
    };
    assert!(is && error.status() == status, "{case} is not {kind:?}: {error:?}");
    error
}

/// The specification's table, line by line.
#[tokio::test]
async fn each_condition_has_its_variant() {
    let (folio, pool) = posts().await;
    let bare = Folio::new(pool.clone());
    let other = Folio::new(pool.clone()).keyring(Keyring::new(Key::generate()));
    let token = folio.scope(Post::cursor_paginate(1)).await.unwrap().next_cursor.unwrap();
    let loose = folio.scope(async { encode_cursor(&7_i64, CursorDirection::Next) }).await.unwrap();

    assert_is(folio.scope(Post::paginate(0)).await, Kind::ParamError, "per_page is 0");
    let altered = token.replace(|_: char| true, "A");
    let flipped = format!("{}{}", &token[..token.len() - 1], if token.ends_with('A') { 'B' } else { 'A' });
    let replayed = folio.scope(Report::on("__primary__").cursor_paginate(1)).await.unwrap().next_cursor.unwrap();
    for cursor in ["", "garbage", &altered, &flipped, &replayed, &loose] {
        let page = folio.scope(Post::query().cursor(Some(cursor)).cursor_paginate(1)).await;
        assert_is(page, Kind::InvalidCursor, cursor);
    }
    let page = other.scope(Post::query().cursor(Some(&token)).cursor_paginate(1)).await;
    assert_is(page, Kind::InvalidCursor, "another keyring's");
    let page = bare.scope(Post::query().cursor(Some(&token)).cursor_paginate(1)).await;
    let error = assert_is(page, Kind::Internal, "no keyring");
    assert!(error.to_string().contains("keyring"), "{error}");
    let decoded = bare.scope(async { decode_cursor::<i64>(&loose) }).await;
    assert_is(decoded, Kind::Internal, "no keyring at decode");
    let decoded = folio.scope(async { decode_cursor::<String>(&loose) }).await;
    assert_is(decoded, Kind::Internal, "another variant");
    sqlx::raw_sql("DROP TABLE posts").execute(&pool).await.unwrap();
    assert_is(folio.scope(Post::paginate(1)).await, Kind::Database, "the database fails");
}

/// The database's own error. Its text and its source are those of the whole error.
#[track_caller]
fn cause(error: &FrameworkError) -> &sqlx::Error {
    let FrameworkError::Database(cause) = error else { panic!("not an error of the database: {error:?}") };
    assert_eq!(error.to_string(), cause.to_string());
    let sources = [error.source(), cause.source()].map(|source| source.map(ToString::to_string));
    assert_eq!(sources[0], sources[1], "{error:?}");
    cause
}

/// Every operation fails in the database with a message that contains `text`.
async fn all_fail(text: &str, is: impl Fn(&sqlx::Error) -> bool) {
    let errors = [
        assert_is(Post::paginate(2).await, Kind::Database, "paginate"),
        assert_is(Post::paginate_using("p", 2).await, Kind::Database, "paginate_using"),
        assert_is(Post::simple_paginate(2).await, Kind::Database, "simple_paginate"),
        assert_is(Post::cursor_paginate(2).await, Kind::Database, "cursor_paginate"),
        assert_is(Pagination::length_aware::<Post>(select(), 2, 1).await, Kind::Database, "length_aware"),
        assert_is(Pagination::simple::<Post>(select(), 2, 1).await, Kind::Database, "simple"),
        assert_is(Pagination::cursor::<Post>(select(), None, 2, ID).await, Kind::Database, "cursor"),
    ];
    for error in errors {
        assert!(error.to_string().contains(text) && is(cause(&error)), "{error:?}");
    }
}

#[tokio::test]
async fn a_failure_of_the_database_keeps_its_cause() {
    let of_sqlite = |error: &sqlx::Error| {
        let error = error.as_database_error().and_then(|error| error.try_downcast_ref::<sqlx::sqlite::SqliteError>());
        error.is_some()
    };
    let (folio, pool) = posts().await;
    sqlx::raw_sql("ALTER TABLE posts RENAME COLUMN title TO heading").execute(&pool).await.unwrap();
    folio.scope(all_fail("title", |_| true)).await;
    let sorted = Post::query().order_by_asc(Post::TITLE).page(1).paginate(2);
    let error = assert_is(folio.scope(sorted).await, Kind::Database, "an order by a dropped column");
    assert!(error.to_string().contains("no such column") && of_sqlite(cause(&error)), "{error:?}");

    sqlx::raw_sql("DROP TABLE posts").execute(&pool).await.unwrap();
    folio.scope(all_fail("no such table: posts", of_sqlite)).await;
    let inside = folio.scope(DB::transaction(async || Post::paginate(2).await)).await;
    let error = assert_is(inside, Kind::Database, "no such table in a transaction");
    assert!(error.to_string().contains("no such table: posts") && error.source().is_some(), "{error:?}");

    pool.close().await;
    folio.scope(all_fail("closed", |error| matches!(error, sqlx::Error::PoolClosed))).await;
    let begun = folio.scope(DB::transaction(async || Ok::<_, FrameworkError>(()))).await;
    assert_is(begun, Kind::Database, "a transaction on a closed pool");
}

/// A row that does not fit its type is a database error that names the column.
#[tokio::test]
async fn a_row_that_cannot_be_read_is_a_database_error() {
    let (folio, pool) = posts().await;
    sqlx::raw_sql("UPDATE posts SET title = x'ff' WHERE id = 1").execute(&pool).await.unwrap();
    let names_the_column =
        |error: &sqlx::Error| matches!(error, sqlx::Error::ColumnDecode { index, .. } if index.contains("title"));
    let work = async {
        let pages = [
            assert_is(Post::paginate(3).await, Kind::Database, "paginate"),
            assert_is(Post::simple_paginate(3).await, Kind::Database, "simple_paginate"),
            assert_is(Post::cursor_paginate(3).await, Kind::Database, "cursor_paginate"),
            assert_is(Pagination::length_aware::<Post>(select(), 3, 1).await, Kind::Database, "length_aware"),
        ];
        for error in pages {
            assert!(names_the_column(cause(&error)) && error.source().is_some(), "{error:?}");
        }
        // A column that the table does not have: SQLite reads its quoted name as a text.
        let page =
            Post::query().filter(Post::ID.gt(1)).cursor_by(Column::<i64>::new("absent")).cursor_paginate(2).await;
        let error = assert_is(page, Kind::Database, "a key that the table does not have");
        assert!(error.to_string().contains("absent"), "{error}");
    };
    folio.scope(work).await;
}

#[tokio::test]
async fn an_unknown_connection_is_a_database_error_that_names_it() {
    let (folio, _pool) = posts().await;
    let work = async {
        for name in ["reports", "", "primary", "__PRIMARY__", "__primary__ ", "na`me", "日本"] {
            let errors = [
                assert_is(Post::on(name).paginate(1).await, Kind::Database, name),
                assert_is(Post::on(name).paginate_using("p", 1).await, Kind::Database, name),
                assert_is(Post::on(name).simple_paginate(1).await, Kind::Database, name),
                assert_is(Post::on(name).cursor_paginate(1).await, Kind::Database, name),
                assert_is(Pagination::length_aware_on::<Post>(name, select(), 1, 1).await, Kind::Database, name),
                assert_is(Pagination::simple_on::<Post>(name, select(), 1, 1).await, Kind::Database, name),
                assert_is(Pagination::cursor_on::<Post>(name, select(), None, 1, ID).await, Kind::Database, name),
                assert_is(DB::transaction_on(name, async || Ok::<_, FrameworkError>(())).await, Kind::Database, name),
            ];
            for error in errors {
                assert!(error.to_string().contains(&format!("`{name}`")), "{error}");
                assert!(matches!(cause(&error), sqlx::Error::Configuration(_)), "{error:?}");
            }
        }
        let error = assert_is(Report::paginate(1).await, Kind::Database, "the model's own connection");
        assert!(error.to_string().contains("`reports`"), "{error}");
        assert!(Post::on("__primary__").paginate(1).await.is_ok());
        assert!(Report::on("__primary__").paginate(1).await.is_ok());
        // A name is also looked up inside a transaction.
        let inside = DB::transaction(async || Post::on("reports").page(1).paginate(1).await).await;
        assert_is(inside, Kind::Database, "in a transaction");
    };
    folio.scope(work).await;
}

#[tokio::test]
async fn a_connection_that_cannot_be_registered_is_a_database_error() {
    let (folio, pool) = posts().await;
    let (_, replica) = posts().await;
    let folio = folio.connection("reports", replica.clone()).unwrap();
    for name in ["", "__primary__", "reports"] {
        let registered = folio.clone().connection(name, replica.clone());
        let error = assert_is(registered, Kind::Database, name);
        assert!(matches!(cause(&error), sqlx::Error::Configuration(_)), "{error:?}");
    }
    assert_eq!(folio.scope(Report::paginate(1)).await.unwrap().total, 3);
    drop(pool);
}
