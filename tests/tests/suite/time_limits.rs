//! Statements of pages that take too long: they are ended, and no limit stays behind.

use std::time::{Duration, Instant};

use folio::{Column, DB, Folio, FrameworkError, Paginate, Result, Select};
use sea_query::{Asterisk, Query, UnionType};
use sqlx::{AssertSqlSafe, Connection as _, Database as _};

use crate::server::{self, ID};
use crate::suite::db::{self, Pool};

const LIMIT: Duration = Duration::from_millis(200);

/// A select that takes longer than any test.
pub(super) fn endless() -> Select<(i64,)> {
    select(match server::Driver::NAME {
        "PostgreSQL" => "SELECT CAST(1 AS BIGINT) AS n FROM (SELECT pg_sleep(60)) AS s",
        "SQLite" => RECURSIVE,
        _ => "SELECT CAST(SLEEP(60) AS SIGNED) AS n",
    })
}

/// A text that takes longer than the limit, and then returns one row.
fn lasting() -> String {
    match server::Driver::NAME {
        "PostgreSQL" => "SELECT CAST(1 AS BIGINT) AS n FROM (SELECT pg_sleep(0.6)) AS s".to_owned(),
        "SQLite" => RECURSIVE.replace("9000000000", "1500000"),
        _ => "SELECT CAST(SLEEP(0.6) AS SIGNED) AS n".to_owned(),
    }
}

/// SQLite cannot sleep, so it counts.
const RECURSIVE: &str = "SELECT n FROM (SELECT MAX(c.n) AS n FROM (WITH RECURSIVE c(n) AS \
                         (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 9000000000) SELECT n FROM c) AS c) AS d";

fn select(sql: &str) -> Select<(i64,)> {
    Select::sql(AssertSqlSafe(sql)).order_by(Column::<i64>::new("n"))
}

/// One connection, so that each page has that of the one before.
async fn one_connection() -> (Folio, Pool) {
    let pool = server::pool(1).await;
    (db::application(&pool), pool)
}

/// Checks that a statement outside of folio has no limit, and that folio's pages do without the setting.
async fn check_unlimited(folio: &Folio, pool: &Pool) {
    let begun = Instant::now();
    let (_,): (i64,) = sqlx::query_as(AssertSqlSafe(lasting())).fetch_one(pool).await.unwrap();
    let page =
        folio.clone().statement_timeout(Duration::ZERO).scope(select(&lasting()).page(1).simple_paginate(5)).await;
    assert_eq!(page.unwrap().data.len(), 1);
    assert!(begun.elapsed() > LIMIT * 2, "the statements are too short for this test: {:?}", begun.elapsed());
}

fn check_timed_out<T>(page: Result<T>, what: &str) {
    let Err(error) = page else { panic!("{what} was read") };
    assert_eq!(error.status(), 503, "{what}: {error}");
    let text = "reading this list took longer than 200ms, which is the limit: narrow the filter, or ask for fewer rows \
                or a page nearer to the beginning";
    assert_eq!(error.to_string(), text, "{what}");
    assert!(matches!(error, FrameworkError::TimedOut { limit: LIMIT, cause: sqlx::Error::Database(_) }), "{what}");
}

#[tokio::test]
async fn a_statement_that_takes_too_long_is_ended() {
    let (folio, pool) = one_connection().await;
    let limited = folio.clone().statement_timeout(LIMIT);
    let begun = Instant::now();
    let check = async {
        check_timed_out(endless().page(1).paginate(5).await, "a numbered page");
        check_timed_out(endless().page(1).simple_paginate(5).await, "a simple page");
        check_timed_out(endless().cursor_paginate(5).await, "a cursor page");
        check_timed_out(endless().count().await, "a count");
        check_timed_out(endless().first().await, "a first row");
        check_timed_out(endless().page(2_001).paginate(5).await, "a far page");
        check_timed_out(endless().counted().cursor_paginate(5).await, "a counted page");
    };
    limited.scope(check).await;
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    check_unlimited(&folio, &pool).await;
}

/// The client disconnects in the middle of a statement. The statement is ended nevertheless, and what comes next has no
/// limit.
#[tokio::test]
async fn a_limit_does_not_outlast_a_page_that_is_dropped() {
    let (folio, pool) = one_connection().await;
    let limited = folio.clone().statement_timeout(LIMIT);
    for wait in [0, 1, 20, 100] {
        let page = limited.scope(endless().page(1).paginate(5));
        assert!(tokio::time::timeout(Duration::from_millis(wait), page).await.is_err(), "it takes longer than that");
        let begun = Instant::now();
        let (_,): (i64,) = sqlx::query_as(AssertSqlSafe(lasting())).fetch_one(&pool).await.unwrap();
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    }
    check_unlimited(&folio, &pool).await;
    // The same after pages that were read.
    let brief = if server::Driver::NAME == "PostgreSQL" { "SELECT CAST(1 AS BIGINT) AS n" } else { "SELECT 1 AS n" };
    limited.scope(async { assert_eq!(select(brief).page(1).paginate(5).await.unwrap().total, 1) }).await;
    check_unlimited(&folio, &pool).await;
}

#[tokio::test]
async fn a_connection_of_the_caller_has_its_own_limit() {
    let (folio, pool) = one_connection().await;
    let check = async {
        let inside = async || select(&lasting()).page(1).paginate(5).await;
        assert_eq!(DB::transaction(inside).await.unwrap().total, 1);
        let mut connection = pool.acquire().await.unwrap();
        assert_eq!(select(&lasting()).using(&mut *connection).page(1).paginate(5).await.unwrap().total, 1);
        let mut transaction = connection.begin().await.unwrap();
        assert_eq!(select(&lasting()).using(&mut *transaction).page(1).paginate(5).await.unwrap().total, 1);
    };
    folio.statement_timeout(LIMIT).scope(check).await;
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "timed")]
struct Timed {
    id: i64,
    #[expect(dead_code, reason = "it is only filtered by")]
    half: i64,
}

/// Every form of statement has the same rows with a limit.
#[tokio::test]
async fn a_limit_changes_no_page() {
    let rows: Vec<String> = (0..10_500).map(|id| format!("({id}, {})", id % 2)).collect();
    let schema =
        format!("CREATE TABLE timed (id {ID}, half BIGINT NOT NULL); INSERT INTO timed VALUES {}", rows.join(", "));
    let (folio, _pool) = db::folio(&schema).await;
    let lists = async || {
        let odd = || Timed::query().filter(Timed::HALF.eq(1));
        let mut ids: Vec<Vec<i64>> = Vec::new();
        let all = |rows: Vec<Timed>| rows.into_iter().map(|row| row.id).collect::<Vec<_>>();
        let firsts = |rows: Vec<(i64,)>| rows.into_iter().map(|(id,)| id).collect::<Vec<_>>();
        for number in [1, 2, 700, 1_050, 1_051] {
            ids.push(all(Timed::query().page(number).paginate(10).await?.data));
            ids.push(all(odd().order_by_desc(Timed::HALF).page(number).simple_paginate(5).await?.data));
            ids.push(all(odd().estimated_total().page(number).paginate(5).await?.data));
        }
        let next = odd().cursor_paginate(5).await?.next_cursor;
        ids.push(all(odd().cursor(next.as_deref()).cursor_paginate(5).await?.data));
        ids.push(all(Timed::query().among(Timed::HALF, [0, 1]).cursor_paginate(5).await?.data));
        ids.push(odd().find(7).await?.into_iter().map(|row| row.id).collect());
        ids.push(vec![odd().count().await?.cast_signed()]);
        let part = || Query::select().column("id").from("timed").take();
        let union = Select::<(i64,)>::from(part().union(UnionType::All, part()).take());
        ids.push(firsts(union.order_by(Column::<i64>::new("id")).page(2).paginate(5).await?.data));
        let text = "WITH t AS (SELECT id FROM timed WHERE half = 1) SELECT id FROM t";
        let with = || Select::<(i64,)>::sql(text).order_by(Timed::ID);
        ids.push(firsts(with().page(2).paginate(5).await?.data));
        ids.push(firsts(with().cursor_paginate(5).await?.data));
        let star = Query::select().column(Asterisk).from("timed").take();
        ids.push(all(Select::<Timed>::from(star).order_by(Timed::ID).page(3).paginate(5).await?.data));
        Ok::<_, FrameworkError>(ids)
    };
    let expected = folio.scope(lists()).await.unwrap();
    let limited = folio.statement_timeout(Duration::from_secs(60));
    for _ in 0..2 {
        assert_eq!(limited.scope(lists()).await.unwrap(), expected);
    }
}
