//! How often each page waits for the network, counted by a proxy in front of the server.

use std::time::Duration;

use folio::{Column, DB, Folio, Key, Keyring, Paginate, Result, Select};
use folio_tests::proxy::Proxy;
use sea_query::{Expr, ExprTrait as _, Query};

use crate::server::{self, ID};
use crate::suite::db::{self, Pool};

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "visited")]
#[expect(dead_code, reason = "only how it is read matters here")]
struct Visited {
    id: i64,
    half: i64,
}

const ROWS: i64 = 30_000;

/// A pool that reaches the table through a proxy. Its connections are not tested before they are used.
async fn pools() -> (Pool, Pool, Proxy) {
    let direct = server::pool(1).await;
    db::run(&direct, format!("CREATE TABLE visited (id {ID}, half BIGINT NOT NULL)")).await;
    for first in (0..ROWS).step_by(5_000) {
        let rows: Vec<String> = (first..first + 5_000).map(|id| format!("({id}, {})", id % 2)).collect();
        db::run(&direct, format!("INSERT INTO visited VALUES {}", rows.join(", "))).await;
    }
    let proxy = Proxy::before(server::port(&direct)).await;
    let options = direct.options().clone().max_connections(1).test_before_acquire(false);
    let pool = options.connect_lazy_with(server::at_port(proxy.port(), &direct).connect_options().as_ref().clone());
    (direct, pool, proxy)
}

/// The round trips of a call that has run before, so that its statements are prepared and the catalog is known.
async fn round_trips(pool: &Pool, proxy: &Proxy, call: impl AsyncFn() -> Result<()>) -> usize {
    for _ in 0..2 {
        call().await.unwrap();
    }
    // sqlx tests a connection when it comes back to its pool, after the call.
    while pool.num_idle() < 1 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let _earlier = proxy.take_round_trips();
    call().await.unwrap();
    proxy.take_round_trips()
}

fn list() -> folio::Builder<Visited> {
    Visited::query().filter(Visited::HALF.eq(1))
}

fn select() -> Select<(i64,)> {
    Select::from(Query::select().column("id").from("visited").take()).order_by(Visited::ID)
}

fn text() -> Select<(i64,)> {
    Select::sql("SELECT id FROM visited WHERE half = 1").order_by(Column::<i64>::new("id"))
}

fn grouped() -> Select<(i64,)> {
    let halves = Query::select().column("half").from("visited").group_by_col("half").take();
    Select::from(halves).order_by(Column::<i64>::new("half"))
}

fn union() -> Select<(i64,)> {
    let half = |half: i64| Query::select().column("id").from("visited").and_where(Expr::col("half").eq(half)).take();
    Select::from(half(0).union(sea_query::UnionType::All, half(1)).take()).order_by(Column::<i64>::new("id"))
}

/// One round trip for a page, whatever kind it is. More only where a second statement is needed, which is said here.
#[tokio::test]
async fn a_page_is_one_round_trip() {
    let (direct, pool, proxy) = pools().await;
    let folio = Folio::new(pool.clone()).keyring(Keyring::new(Key::generate()));
    macro_rules! trips {
        ($call:expr) => {
            round_trips(&pool, &proxy, async || $call.await.map(drop)).await
        };
    }
    let version: String = sqlx::query_scalar("SELECT version()").fetch_one(&direct).await.unwrap();
    // The direction in which rows with NULL would come last.
    let is_postgres = version.contains("PostgreSQL");
    let to_nulls = |column: Column<i64, Visited>| if is_postgres { column.asc() } else { column.desc() };
    let verified_apart = 1 + usize::from(!is_postgres && !version.contains("MariaDB"));
    let check = async {
        let next = list().cursor_paginate(15).await.unwrap().next_cursor;
        let end = || list().filter(Visited::ID.gt(29_970)).cursor_by(to_nulls(Visited::ID));
        let at_end = end().cursor_paginate(10).await.unwrap().next_cursor;
        let halves = || Visited::query().cursor_by((to_nulls(Visited::HALF), to_nulls(Visited::ID)));
        let later = halves().cursor_paginate(15).await.unwrap().next_cursor;
        let table = [
            ("a numbered page", 1, trips!(list().paginate(15))),
            ("its sixth page", 1, trips!(list().page(6).paginate(15))),
            ("a page whose keys are found first", 1, trips!(list().page(60).paginate(15))),
            ("a page of all rows", 1, trips!(Visited::query().paginate(15))),
            ("a count that ends", 1, trips!(list().count_up_to(1_000).paginate(15))),
            ("a known total", 1, trips!(list().with_total(7_000).paginate(15))),
            ("a total that is short enough to be exact", 1, trips!(list().estimated_total_above(20_000).paginate(15))),
            ("a simple page", 1, trips!(list().simple_paginate(15))),
            ("a first cursor page", 1, trips!(list().cursor_paginate(15))),
            ("a later cursor page", 1, trips!(list().cursor(next.as_deref()).cursor_paginate(15))),
            ("a select", 1, trips!(select().paginate(15))),
            ("a grouped select", 1, trips!(grouped().paginate(1))),
            ("a select by cursor", 1, trips!(select().cursor_paginate(15))),
            ("SQL text", 1, trips!(text().paginate(15))),
            ("a count", 1, trips!(list().count())),
            ("whether there are rows", 1, trips!(list().exists())),
            ("the first row", 1, trips!(list().first())),
            ("a row by its primary key", 1, trips!(list().find(7))),
            ("the rows of each value", 1, trips!(Visited::query().count_by(Visited::HALF, 5))),
            ("the rows after one", 1, trips!(list().count_after(&VisitedKey { id: 29_000 }))),
            ("whether there are newer rows", 1, trips!(list().newer_than(next.as_deref().unwrap()).exists())),
            // The key of the row, the rows before it, the row, whether rows are before that, and the rows after it. sqlx
            // tests the connection whenever it comes back, here three times.
            ("a row and its neighbours by its id", 5 + 3, trips!(list().around_id(15_001, 5, 5))),
            // The rows before the value and those from it on, and for both whether there are rows on the other side.
            ("the rows around a value", 4 + 1, trips!(list().around_at(15_001_i64, 5, 5))),
            ("SQL text by cursor", 1, trips!(text().cursor_paginate(15))),
            // The page, and the count.
            ("a page past the end", 2, trips!(list().filter(Visited::ID.lt(99)).page(9).paginate(7))),
            ("a union", 2, trips!(union().paginate(15))),
            ("a counted cursor page", 2, trips!(list().counted().cursor_paginate(15))),
            // The page, and the rows with NULL after it.
            ("the last page", 2, trips!(end().cursor(at_end.as_deref()).cursor_paginate(10))),
            // The page, and on MySQL the statement that verifies it.
            ("a page by two columns", verified_apart, trips!(halves().cursor(later.as_deref()).cursor_paginate(15))),
            // The EXPLAIN, and the page.
            ("an estimated total", 2, trips!(list().estimated_total().paginate(15))),
            // BEGIN, the count and the page. The transaction ends when the connection returns to its pool.
            ("a distant page", 3, trips!(list().page(900).paginate(15))),
        ];
        let wrong: Vec<_> = table.iter().filter(|(_, expected, counted)| expected != counted).collect();
        assert!(wrong.is_empty(), "what, expected, counted: {wrong:#?}");
    };
    folio.scope(check).await;
}

/// MySQL and MariaDB read the pages of some feeds with several statements.
#[tokio::test]
async fn a_page_of_a_feed_is_several_round_trips_on_mysql_and_mariadb() {
    let (direct, pool, proxy) = pools().await;
    db::run(&direct, "CREATE INDEX visited_feed ON visited (half, id)").await;
    let version: String = sqlx::query_scalar("SELECT version()").fetch_one(&direct).await.unwrap();
    let feed = |groups: i64| Visited::query().among(Visited::HALF, 0..groups);
    let counts = async {
        let next = feed(2).cursor_paginate(15).await.unwrap().next_cursor;
        let (mut first, mut later) = (Vec::new(), Vec::new());
        for groups in [7, 8, 32, 33, 200] {
            let page = async || feed(groups).cursor_paginate(15).await.map(drop);
            first.push(round_trips(&pool, &proxy, page).await);
            let page = async || feed(groups).cursor(next.as_deref()).cursor_paginate(15).await.map(drop);
            later.push(round_trips(&pool, &proxy, page).await);
        }
        (first, later)
    };
    let folio = Folio::new(pool.clone()).keyring(Keyring::new(Key::generate()));
    let expected = if version.contains("PostgreSQL") {
        ([1, 1, 1, 1, 1], [1, 1, 1, 1, 1])
    } else if version.contains("MariaDB") {
        // The groups, and the page.
        ([1, 1, 1, 2, 2], [1, 1, 1, 2, 2])
    } else {
        // The first values of up to 128 groups each, the last row that the page can have, and the page.
        ([1, 1, 1, 1, 1], [1, 3, 3, 3, 4])
    };
    let (first, later) = folio.scope(counts).await;
    assert_eq!((&*first, &*later), (&expected.0[..], &expected.1[..]), "{version}");
}

/// Inside a transaction a page is one round trip, and a distant one two: the count comes first.
#[tokio::test]
async fn a_page_inside_a_transaction_is_one_round_trip() {
    let (_direct, pool, proxy) = pools().await;
    let folio = Folio::new(pool.clone()).keyring(Keyring::new(Key::generate()));
    let check = async {
        let work = async || {
            for _ in 0..2 {
                list().paginate(15).await?;
                list().page(900).paginate(15).await?;
                list().cursor_paginate(15).await?;
            }
            let mut counts = Vec::new();
            let _earlier = proxy.take_round_trips();
            list().paginate(15).await?;
            counts.push(proxy.take_round_trips());
            list().page(900).paginate(15).await?;
            counts.push(proxy.take_round_trips());
            list().cursor_paginate(15).await?;
            counts.push(proxy.take_round_trips());
            Ok::<_, folio::FrameworkError>(counts)
        };
        assert_eq!(DB::transaction(work).await.unwrap(), [1, 2, 1]);

        let mut tx = pool.begin().await.unwrap();
        for _ in 0..2 {
            list().using(&mut *tx).paginate(15).await.unwrap();
        }
        let _earlier = proxy.take_round_trips();
        list().using(&mut *tx).paginate(15).await.unwrap();
        assert_eq!(proxy.take_round_trips(), 1, "a transaction of the caller's own");
    };
    folio.scope(check).await;
}

/// Without named statements, as behind PgBouncer, each statement is prepared again, in a transaction that holds the
/// server's connection.
#[tokio::test]
async fn a_page_without_named_statements_is_prepared_each_time() {
    if <server::Driver as sqlx::Database>::NAME != "PostgreSQL" {
        return;
    }
    let (_direct, pool, proxy) = pools().await;
    let unnamed = (*pool.connect_options()).clone().statement_cache_capacity(0);
    let pool = pool.options().clone().connect_lazy_with(unnamed);
    let folio = Folio::new(pool.clone()).keyring(Keyring::new(Key::generate()));
    let check = async {
        for expected in [3, 3] {
            let trips = round_trips(&pool, &proxy, async || list().paginate(15).await.map(drop)).await;
            assert_eq!(trips, expected, "BEGIN, preparing and running");
        }
    };
    folio.scope(check).await;
}

/// A replica is read like any other pool, and is not asked first whether it answers.
#[tokio::test]
async fn a_page_of_a_replica_is_one_round_trip() {
    let (direct, pool, proxy) = pools().await;
    let folio = Folio::new(direct).connection("__read_replica__", pool.clone()).unwrap();
    let folio = folio.keyring(Keyring::new(Key::generate()));
    let check = async {
        let trips = round_trips(&pool, &proxy, async || list().paginate(15).await.map(drop)).await;
        assert_eq!(trips, 1);
        let trips = round_trips(&pool, &proxy, async || list().cursor_paginate(15).await.map(drop)).await;
        assert_eq!(trips, 1);
    };
    folio.scope(check).await;
}

/// With a time limit, PostgreSQL takes one round trip more, for BEGIN and the limit; MariaDB and MySQL none. With a
/// total that is remembered, no page counts.
#[tokio::test]
async fn a_limited_page_begins_a_transaction_on_postgresql() {
    let (direct, pool, proxy) = pools().await;
    let version: String = sqlx::query_scalar("SELECT version()").fetch_one(&direct).await.unwrap();
    let begin = usize::from(version.contains("PostgreSQL"));
    let folio = Folio::new(pool.clone()).keyring(Keyring::new(Key::generate()));
    let counts = async || {
        let mut counts = Vec::new();
        counts.push(round_trips(&pool, &proxy, async || list().paginate(15).await.map(drop)).await);
        counts.push(round_trips(&pool, &proxy, async || list().page(60).simple_paginate(15).await.map(drop)).await);
        counts.push(round_trips(&pool, &proxy, async || list().cursor_paginate(15).await.map(drop)).await);
        counts.push(round_trips(&pool, &proxy, async || text().paginate(15).await.map(drop)).await);
        counts.push(round_trips(&pool, &proxy, async || list().counted().cursor_paginate(15).await.map(drop)).await);
        counts.push(round_trips(&pool, &proxy, async || union().paginate(15).await.map(drop)).await);
        counts.push(round_trips(&pool, &proxy, async || list().page(900).paginate(15).await.map(drop)).await);
        counts
    };
    let limited = folio.clone().statement_timeout(Duration::from_secs(60));
    // The last one is a transaction in any case.
    assert_eq!(limited.scope(counts()).await, [[1 + begin; 4].as_slice(), &[2 + begin; 2], &[3]].concat(), "{version}");
    assert_eq!(folio.remember_totals(Duration::from_secs(60)).scope(counts()).await, [1; 7], "{version}");
}
