//! What `tracing` shows of a page: its span, and the warning that it was slow.

use std::time::Duration;

use folio::{Folio, Paginate, Select};
use folio_tests::recorder::Recorder;
use folio_tests::spans::{Fields, Spans};
use sea_query::Query;

use crate::server::{self, ID};
use crate::suite::db;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "watched")]
#[expect(dead_code, reason = "only what is observed matters here")]
struct Watched {
    id: i64,
    word: String,
}

async fn watched() -> (Folio, db::Pool) {
    let rows: Vec<String> = (1..=30).map(|id| format!("({id}, 'secret')")).collect();
    let table = format!("CREATE TABLE watched (id {ID}, word VARCHAR(20) NOT NULL)");
    db::folio(&format!("{table}; INSERT INTO watched VALUES {}", rows.join(", "))).await
}

fn system() -> &'static str {
    match <server::Driver as sqlx::Database>::NAME {
        "SQLite" => "sqlite",
        "PostgreSQL" => "postgresql",
        _ => "mysql",
    }
}

/// The kind, the statements, the rows, the source of the total and the outcome of a span.
fn summary(span: &Fields) -> String {
    let fields = ["folio.kind", "folio.statements", "db.response.returned_rows", "folio.total", "folio.outcome"];
    fields.map(|name| span.get(name).map_or("-", String::as_str)).join(" ")
}

#[tokio::test]
async fn each_page_has_a_span() {
    let (folio, _pool) = watched().await;
    let spans = Spans::of_target("folio::page");
    let list = || Watched::query().filter(Watched::WORD.eq("secret"));
    macro_rules! spans_of {
        ($read:expr) => {{
            spans.take();
            $read.await.unwrap();
            spans.take().iter().map(summary).collect::<Vec<_>>()
        }};
    }
    let check = async {
        assert_eq!(spans_of!(list().paginate(4)), ["length_aware 1 4 counted read"]);
        assert_eq!(spans_of!(list().with_total(9).paginate(4)), ["length_aware 1 4 known read"]);
        assert_eq!(spans_of!(list().count_up_to(9).page(9).paginate(4)), ["length_aware 2 1 counted_up_to read"]);
        assert_eq!(spans_of!(list().simple_paginate(4)), ["simple 1 5 - read"]);
        assert_eq!(spans_of!(list().cursor_paginate(4)), ["cursor 1 5 - read"]);
        assert_eq!(spans_of!(list().counted().cursor_paginate(4)), ["cursor 2 6 counted read"]);
        assert_eq!(spans_of!(list().count()), ["count 1 1 counted read"]);
        assert_eq!(spans_of!(list().find(3)), ["first 1 1 - read"]);
        assert_eq!(spans_of!(list().count_by(Watched::WORD, 3)), ["count_by 1 1 - read"]);
        assert_eq!(spans_of!(list().count_after(&WatchedKey { id: 20 })), ["count_beyond 1 1 - read"]);
        // Its windows, and the look-up of the row, are parts of one page.
        let [around] = &spans_of!(list().around_id(9, 2, 2))[..] else { panic!("one span") };
        assert!(around.starts_with("around 5 ") && around.ends_with(" - read"), "{around}");
        let feed = || Watched::query().among(Watched::WORD, ["secret", "open"].map(str::to_owned));
        let [feed] = &spans_of!(feed().cursor_paginate(2))[..] else { panic!("one span") };
        assert!(feed.starts_with("feed "), "{feed}");
        let words = || Watched::query().each_of(Watched::WORD, ["secret".to_owned()]);
        assert_eq!(spans_of!(words().first(2)), ["each 1 3 - read"]);
        let select = Select::<(i64,)>::from(Query::select().column("id").from("watched").take());
        assert_eq!(spans_of!(select.order_by(Watched::ID).simple_paginate(4)), ["simple 1 5 - read"]);
    };
    folio.scope(check).await;

    let remembers = folio.remember_totals(Duration::from_secs(60));
    remembers.scope(async { list().paginate(4).await.unwrap() }).await;
    remembers.scope(async { assert_eq!(spans_of!(list().paginate(4)), ["length_aware 1 4 remembered read"]) }).await;
}

#[tokio::test]
async fn a_span_has_the_names_of_opentelemetry_and_no_values() {
    let (folio, _pool) = watched().await;
    let spans = Spans::of_target("folio::page");
    let page = || Watched::query().filter(Watched::WORD.eq("secret")).cursor_paginate(4);
    for lookups in ["1", "0"] {
        folio.scope(page()).await.unwrap();
        let [span] = &spans.take()[..] else { panic!("a page has one span") };
        // PostgreSQL and SQLite look up whether they may keep a plan, MySQL and MariaDB which index to name.
        let expected = [
            ("db.collection.name", "watched"),
            ("db.operation.name", "SELECT"),
            ("db.response.returned_rows", "5"),
            ("db.system.name", system()),
            ("folio.catalog_lookups", lookups),
            ("folio.kind", "cursor"),
            ("folio.outcome", "read"),
            ("folio.retries", "0"),
            ("folio.statements", "1"),
            ("otel.kind", "client"),
            ("otel.name", "SELECT watched"),
        ];
        for (name, value) in expected {
            assert_eq!(span.get(name).map(String::as_str), Some(value), "{name}: {span:#?}");
        }
        assert!(span["folio.rows_of"].ends_with("Watched"), "{span:#?}");
        assert!(!format!("{span:?}").contains("secret"), "{span:#?}");
    }
}

#[tokio::test]
async fn a_page_that_fails_or_is_dropped_has_a_span() {
    let (folio, pool) = watched().await;
    let spans = Spans::of_target("folio::page");
    let page = || folio.scope(Watched::query().simple_paginate(4));

    let mut held = Vec::new();
    for _ in 0..pool.options().get_max_connections() {
        held.push(pool.acquire().await.unwrap());
    }
    tokio::time::timeout(Duration::from_millis(20), page()).await.unwrap_err();
    drop(held);
    assert_eq!(spans.take().iter().map(summary).collect::<Vec<_>>(), ["simple 0 0 - dropped"]);

    db::run(&pool, "DROP TABLE watched").await;
    page().await.unwrap_err();
    let [span] = &spans.take()[..] else { panic!("a page has one span") };
    assert_eq!(summary(span), "simple 1 0 - failed");
    assert_eq!((span["error.type"].as_str(), span["otel.status_code"].as_str()), ("500", "ERROR"));
    let codes = [("sqlite", "1"), ("postgresql", "42P01"), ("mysql", "42S02")];
    assert!(codes.contains(&(system(), span["db.response.status_code"].as_str())), "{span:#?}");
}

#[tokio::test]
async fn a_page_that_times_out_has_the_code_of_the_database() {
    let (folio, _pool) = watched().await;
    let spans = Spans::of_target("folio::page");
    let list = super::time_limits::endless().page(1).simple_paginate(4);
    let error = folio.statement_timeout(Duration::from_millis(50)).scope(list).await.unwrap_err();
    assert_eq!(error.status(), 503, "{error}");
    let [span] = &spans.take()[..] else { panic!("a page has one span") };
    assert_eq!((span["error.type"].as_str(), span["folio.outcome"].as_str()), ("503", "failed"));
    assert!(span.contains_key("db.response.status_code"), "{span:#?}");
}

#[tokio::test]
async fn a_slow_page_is_logged() {
    let (folio, _pool) = watched().await;
    let log = Recorder::of_target("folio::slow_page");
    let page = || Watched::query().filter(Watched::WORD.eq("secret")).paginate(4);
    for folio in [folio.clone(), folio.clone().slow_page(Duration::from_secs(3_600))] {
        folio.scope(page()).await.unwrap();
        assert_eq!(log.take(), [""; 0]);
    }
    folio.slow_page(Duration::ZERO).scope(page()).await.unwrap();
    let [warning] = &log.take()[..] else { panic!("one warning") };
    for part in ["a page took ", ", more than 0ns", "folio.statements=1", "folio.total=counted", "=watched"] {
        assert!(warning.contains(part), "{warning}");
    }
    assert!(!warning.contains("secret"), "{warning}");
}
