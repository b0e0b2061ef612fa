//! Orders by values that change between pages: those of the clock, and random ones.

use folio::{Column, Folio, IntoOrder as _, Order, Paginate, Result, Select};
use sea_query::{Expr, Query};

use crate::server::{self, ID};
use crate::suite::db;

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "people")]
struct Person {
    id: i64,
    born: i64,
}

/// Expressions with a number that is another one on the next page.
fn changing() -> &'static [&'static str] {
    match <server::Driver as sqlx::Database>::NAME {
        "PostgreSQL" => &["random()", "EXTRACT(EPOCH FROM now()) - born", "EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) + id"],
        "SQLite" => &["random()", "unixepoch() - born", "julianday('now') - born", "CURRENT_TIMESTAMP || id"],
        _ => &[
            "RAND()",
            "UNIX_TIMESTAMP() - born",
            "TIMESTAMPDIFF(SECOND, '2000-01-01', NOW()) - born",
            "SYSDATE() + id",
        ],
    }
}

async fn people() -> Folio {
    let rows: Vec<String> = (1..=9).map(|id| format!("({id}, {})", id * 7 % 5)).collect();
    let schema =
        format!("CREATE TABLE people (id {ID}, born BIGINT NOT NULL); INSERT INTO people VALUES {}", rows.join(", "));
    db::folio(&schema).await.0
}

fn assert_refused<P: std::fmt::Debug>(page: Result<P>, what: &str) {
    let error = page.expect_err(what).to_string();
    assert!(error.contains("its value changes between pages") && error.contains("bind a time"), "{what}: {error}");
}

#[tokio::test]
async fn a_list_is_not_sorted_by_the_clock_or_by_chance() {
    let check = async {
        for sql in changing() {
            let by = || -> Order { Column::<f64>::expr("changing", Expr::cust(*sql)).not_null().erased() };
            let list = || Person::query().order_by(by());
            assert_refused(list().cursor(None).cursor_paginate(3).await, sql);
            assert_refused(list().page(1).paginate(3).await, sql);
            assert_refused(list().each_of(Person::BORN, [1, 2]).first(3).await, sql);
            assert_refused(Person::query().order_by_asc(Expr::cust(*sql)).page(1).paginate(3).await, sql);
            let column = || Column::<f64>::new("changing");
            for text in [
                format!("SELECT id, {sql} AS changing FROM people"),
                format!("SELECT id, d.changing FROM (SELECT id, {sql} AS changing FROM people) d"),
            ] {
                let list = || Select::<(i64,)>::sql(sqlx::AssertSqlSafe(text.clone())).order_by(column());
                assert_refused(list().cursor(None).cursor_paginate(3).await, &text);
                assert_refused(list().page(1).paginate(3).await, &text);
            }
            let select = Query::select().column("id").expr_as(Expr::cust(*sql), "changing").from("people").take();
            let list = Select::<(i64,)>::from(select).order_by(column()).cursor(None);
            assert_refused(list.cursor_paginate(3).await, sql);
        }
    };
    people().await.scope(check).await;
}

/// The clock may choose the rows, and be shown.
#[tokio::test]
async fn the_clock_may_be_outside_of_the_order() {
    let check = async {
        for sql in changing() {
            let text =
                format!("SELECT id, born FROM people WHERE ({sql}) IS NOT NULL AND CURRENT_TIMESTAMP IS NOT NULL");
            let list = Select::<(i64, i64)>::sql(sqlx::AssertSqlSafe(text)).order_by(Column::<i64>::new("id"));
            assert_eq!(list.cursor(None).cursor_paginate(3).await.unwrap().data.len(), 3, "{sql}");
            let text = format!("SELECT id, {sql} AS changing FROM people");
            let list = Select::<(i64,)>::sql(sqlx::AssertSqlSafe(text)).order_by(Column::<i64>::new("id"));
            assert_eq!(list.cursor(None).cursor_paginate(3).await.unwrap().data, [(1,), (2,), (3,)], "{sql}");
            let filter = Expr::cust(format!("({sql}) IS NOT NULL"));
            assert_eq!(Person::query().filter(filter).cursor(None).cursor_paginate(3).await.unwrap().data.len(), 3);
        }
    };
    people().await.scope(check).await;
}

/// What a view computes cannot be seen in the statement. SQLite computes it for the condition and again for the row, so
/// the rows are not in order. The servers compute it once, so a page is in order, and the next one has other values.
#[tokio::test]
async fn a_value_that_changes_within_a_statement_is_refused() {
    let name = <server::Driver as sqlx::Database>::NAME;
    let random = match name {
        "PostgreSQL" => "CAST(random() * 1000000 AS BIGINT)",
        "SQLite" => "abs(random() % 1000000)",
        _ => "CAST(RAND() * 1000000 AS SIGNED)",
    };
    let rows: Vec<String> = (1..=40).map(|id| format!("({id})")).collect();
    let schema = format!(
        "CREATE TABLE tickets (id {ID}); INSERT INTO tickets VALUES {}; \
         CREATE VIEW drawn AS SELECT id, {random} AS chance FROM tickets",
        rows.join(", ")
    );
    let check = async {
        let mut refused = 0;
        for _ in 0..10 {
            let mut cursor = None;
            for _ in 0..40 {
                match Drawn::query().cursor(cursor.as_deref()).cursor_paginate(3).await {
                    Ok(page) => cursor = page.next_cursor,
                    Err(error) => {
                        assert!(error.to_string().contains("whose value changes within a statement"), "{error}");
                        refused += 1;
                        break;
                    }
                }
                if cursor.is_none() {
                    break;
                }
            }
        }
        assert!(refused > 0 || name != "SQLite", "no walk is refused");
    };
    db::folio(&schema).await.0.scope(check).await;
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "drawn", cursor_key = "chance, id")]
#[expect(dead_code, reason = "only the order matters here")]
struct Drawn {
    id: i64,
    chance: i64,
}
