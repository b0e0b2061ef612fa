//! What the log says of a statement that the database refuses.

use folio::{Column, FrameworkError, Paginate, Pagination, Select};
use sea_query::{Expr, Query};

use crate::server::{self, ID};
use crate::suite::db;

/// A model whose table does not have the column `headline`.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "notices")]
#[expect(dead_code, reason = "no row is read")]
struct Notice {
    id: i64,
    headline: String,
}

/// A model whose table does not exist.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "nowhere")]
#[expect(dead_code, reason = "no row is read")]
struct Missing {
    id: i64,
}

/// The text of an error that is the database's own for code that matches on it.
#[track_caller]
fn text(error: &FrameworkError) -> String {
    match error {
        FrameworkError::Database(sqlx::Error::Database(cause)) => {
            assert!(cause.code().is_some() && !cause.message().contains("`#["), "{error:?}");
        }
        // SQLite takes a quoted name that it does not know for a text, whose column then has another name.
        FrameworkError::Database(sqlx::Error::ColumnNotFound(_)) => {}
        _ => panic!("{error:?}"),
    }
    let text = error.to_string();
    assert!(!text.contains(" at line "), "{text}");
    text
}

#[tokio::test]
async fn a_missing_table_names_the_model_and_the_attribute() {
    let (folio, _pool) = db::folio("SELECT 1").await;
    let work = async {
        let each = Missing::query().each_of(Missing::ID, [1, 2]);
        [
            Missing::paginate(2).await.unwrap_err(),
            Missing::simple_paginate(2).await.unwrap_err(),
            Missing::cursor_paginate(2).await.unwrap_err(),
            each.first(2).await.unwrap_err(),
        ]
    };
    for error in folio.scope(work).await {
        let text = text(&error);
        for part in ["nowhere", "::Missing` is read from the table `nowhere`", r#"`#[paginate(table = "…")]`"#] {
            assert!(text.contains(part), "{text}");
        }
    }
}

#[tokio::test]
async fn a_missing_column_names_the_field_that_reads_it() {
    let (folio, _pool) = db::folio(&format!("CREATE TABLE notices (id {ID}); INSERT INTO notices VALUES (1)")).await;
    let errors =
        folio.scope(async { [Notice::paginate(2).await.unwrap_err(), Notice::cursor_paginate(2).await.unwrap_err()] });
    for error in errors.await {
        let text = text(&error);
        assert!(text.contains("::Notice` has a field for the column `headline`"), "{text}");
        assert!(text.contains(r#"`#[sqlx(rename = "…")]`"#), "{text}");
    }
}

/// A model whose columns the table has.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "notices")]
#[expect(dead_code, reason = "no row is read")]
struct Bare {
    id: i64,
}

#[tokio::test]
async fn another_error_names_the_model_and_its_table() {
    let (folio, _pool) = db::folio(&format!("CREATE TABLE notices (id {ID})")).await;
    let query = Bare::query().filter(Expr::cust("subtitle = 'x'"));
    let text = text(&folio.scope(query.paginate(2)).await.unwrap_err());
    assert!(text.contains("subtitle"), "{text}");
    assert!(text.contains("::Bare`, which is read from the table `notices`"), "{text}");
}

#[tokio::test]
async fn an_error_of_a_select_names_its_rows() {
    let (folio, _pool) = db::folio("SELECT 1").await;
    let select = || Query::select().column("id").from("nowhere").take();
    let work = async {
        [
            Pagination::simple::<(i64,)>(select(), 2, 1).await.unwrap_err(),
            Select::<(i64,)>::from(select()).order_by(Column::<i64>::new("id")).cursor_paginate(2).await.unwrap_err(),
        ]
    };
    for error in folio.scope(work).await {
        let text = text(&error);
        assert!(text.contains("nowhere") && text.contains("in a list of `(i64,)`"), "{text}");
    }
}

/// An error of the caller's own statement has the database's text, and no line of its source code.
#[tokio::test]
async fn an_error_of_a_statement_by_hand_has_the_text_of_the_database() {
    let (folio, _pool) = db::folio(&format!("CREATE TABLE notices (id {ID})")).await;
    let work = async {
        db::here("INSERT INTO notices VALUES (1)").await?;
        db::here("INSERT INTO notices VALUES (1)").await
    };
    let error = folio.scope(work).await.unwrap_err();
    assert!(!text(&error).is_empty());
    let FrameworkError::Database(cause) = &error else { panic!("{error:?}") };
    let cause = cause.as_database_error().unwrap();
    assert!(cause.is_unique_violation());
    // PostgreSQL also says which constraint, by which applications match.
    assert!(server::TEXT != "TEXT COLLATE \"C\"" || cause.constraint() == Some("notices_pkey"), "{cause:?}");
}
