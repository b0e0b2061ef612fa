//! Warnings about walks without an index in their order: once for each, with the index to create.

use folio::{Builder, Column, IntoOrder as _, Order, Paginate, Pagination, Select};
use folio_tests::recorder::Recorder;
use sea_query::{Asterisk, Expr, Func, Query};

use crate::server::{self, ID, TEXT};
use crate::suite::db::{self, quoted};

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "advised")]
#[expect(dead_code, reason = "only the order matters here")]
struct Advised {
    id: i64,
    a: i64,
    b: Option<i64>,
    tenant: i64,
    label: String,
}

fn schema() -> String {
    format!(
        "CREATE TABLE advised (id {ID}, a BIGINT NOT NULL, b BIGINT, tenant BIGINT NOT NULL, label {TEXT} NOT NULL); \
         CREATE INDEX advised_a ON advised (a, id); CREATE INDEX advised_b ON advised (tenant, b, id); \
         CREATE UNIQUE INDEX advised_mixed ON advised (label DESC, id); \
         CREATE INDEX advised_mirrored ON advised (label, id DESC)"
    )
}

/// The warnings about two walks by an order.
async fn said(log: &Recorder, order: &Order) -> Vec<String> {
    said_of(log, Advised::query().cursor_by(order.clone())).await
}

async fn said_of(log: &Recorder, query: Builder<Advised>) -> Vec<String> {
    for _ in 0..2 {
        query.clone().cursor_paginate(5).await.unwrap();
    }
    log.take()
}

/// The statement that creates an index of the table.
fn create(name: &str, columns: &[(&str, &str)]) -> String {
    let columns: Vec<String> = columns.iter().map(|(name, way)| quoted(name) + way).collect();
    format!("CREATE INDEX {} ON {} ({})", quoted(name), quoted("advised"), columns.join(", "))
}

#[tokio::test]
async fn a_walk_without_an_index_is_reported_once() {
    let (folio, pool) = db::folio(&schema()).await;
    let log = Recorder::of_target("folio::index_advisor");
    let (id, a, b, tenant, label) = (Advised::ID, Advised::A, Advised::B, Advised::TENANT, Advised::LABEL);
    let check = async {
        let served = [
            id.erased(),
            id.desc().erased(),
            a.erased(),
            a.desc().erased(),
            (tenant, b.nulls_first()).erased(),
            (label.desc(), id).erased(),
            (label, id.desc()).erased(),
        ];
        for order in served {
            assert_eq!(said(&log, &order).await, [""; 0], "{order:?}");
        }
        for (order, name, columns) in [
            (tenant.erased(), "advised_tenant_id", [("tenant", ""), ("id", "")]),
            ((a, id.desc()).erased(), "advised_a_id_desc", [("a", ""), ("id", " DESC")]),
            (label.desc().erased(), "advised_label_desc_id_desc", [("label", " DESC"), ("id", " DESC")]),
            // An index has the columns, but the rows of each tenant come together in it.
            (b.nulls_last().erased(), "advised_b_id", [("b", ""), ("id", "")]),
        ] {
            let [warning] = &said(&log, &order).await[..] else { panic!("{order:?} is reported once") };
            let create = create(name, &columns);
            assert!(warning.contains(&create), "{order:?}: {warning}");
            db::run(&pool, &create).await;
        }
    };
    folio.warn_missing_indexes().scope(check).await;
}

#[tokio::test]
async fn columns_that_a_filter_compares_with_one_value_come_first() {
    let (folio, pool) = db::folio(&schema()).await;
    let log = Recorder::of_target("folio::index_advisor");
    let by_b = || Advised::query().cursor_by(Advised::B.nulls_last());
    let by_label = || Advised::query().cursor_by(Advised::LABEL);
    let check = async {
        for served in [
            by_b().filter(Advised::TENANT.eq(1)),
            by_b().filter(Advised::TENANT.eq(1).and(Advised::A.gt(1))),
            // What raw SQL compares is not known.
            by_b().filter(Expr::cust("tenant = 1")),
            Advised::query().cursor_by((Advised::TENANT, Advised::B.nulls_last())).filter(Advised::TENANT.eq(1)),
            Advised::query().cursor_by(Advised::A).filter(Advised::TENANT.eq(1)),
        ] {
            assert_eq!(said_of(&log, served.clone()).await, [""; 0], "{served:?}");
        }
        let select = || Select::<Advised>::model(Query::select().column(Asterisk).from("advised").take());
        let mut filtered = Query::select().column(Asterisk).from("advised").take();
        let filtered = Select::<Advised>::model(filtered.cond_where(Advised::TENANT.eq(1)).take());
        Pagination::cursor(filtered, None, 5, Advised::B.nulls_last()).await.unwrap();
        assert_eq!(log.take(), [""; 0]);

        // Each needs the same index, which is reported once: an index behind columns of several values does not serve.
        for (query, expected) in [
            (by_b().filter(Advised::TENANT.gt(0)), Some(create("advised_b_id", &[("b", ""), ("id", "")]))),
            (by_b().filter(Advised::TENANT.is_in([1, 2])), None),
            (by_b(), None),
            (
                by_label().filter(Advised::TENANT.eq(1)),
                Some(create("advised_tenant_label_id", &[("tenant", ""), ("label", ""), ("id", "")])),
            ),
        ] {
            let said = said_of(&log, query.clone()).await;
            let ends =
                said.iter().map(|warning| warning.split(": run ").nth(1).unwrap().split(" table=").next().unwrap());
            assert_eq!(ends.collect::<Vec<_>>(), expected.as_deref().into_iter().collect::<Vec<_>>(), "{query:?}");
            if let Some(create) = expected {
                db::run(&pool, create).await;
            }
        }
        Pagination::cursor(select(), None, 5, Advised::LABEL).await.unwrap();
        let [warning] = &log.take()[..] else { panic!("a caller's select is reported once") };
        assert!(warning.contains(&create("advised_label_id", &[("label", ""), ("id", "")])), "{warning}");
        assert!(warning.contains("columns in front"), "{warning}");
    };
    folio.warn_missing_indexes().scope(check).await;
}

#[tokio::test]
async fn nothing_is_logged_by_default() {
    let (folio, _pool) = db::folio(&schema()).await;
    let log = Recorder::of_target("folio::index_advisor");
    folio.scope(async { assert_eq!(said(&log, &Advised::TENANT.erased()).await, [""; 0]) }).await;
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "shouted")]
#[expect(dead_code, reason = "only the order matters here")]
struct Shouted {
    id: i64,
    label: String,
}

/// Which expression an index has is not known, so an index on any other one is taken for it.
#[tokio::test]
async fn an_expression_without_an_index_is_reported() {
    let (folio, pool) = db::folio(&format!("CREATE TABLE shouted (id {ID}, label {TEXT} NOT NULL)")).await;
    db::run(&pool, "CREATE INDEX shouted_label_id ON shouted (label, id)").await;
    let log = Recorder::of_target("folio::index_advisor");
    let upper = Column::<String>::expr("upper", Func::upper(Expr::col(Shouted::LABEL))).not_null();
    let list = || Shouted::query().order_by(upper.clone().desc());
    let version = sqlx::query_scalar::<_, String>(VERSION).fetch_one(&pool).await.unwrap();
    let check = async {
        list().cursor_paginate(5).await.unwrap();
        let [warning] = &log.take()[..] else { panic!("it is reported once") };
        if version.contains("MariaDB") {
            assert!(warning.contains("add a generated column"), "{warning}");
            return;
        }
        let label = quoted("label");
        let create = format!("ON {} ((UPPER({label})) DESC, {} DESC)", quoted("shouted"), quoted("id"));
        assert!(warning.contains(&create), "{warning}");
        let (_, create) = warning.split_once("run ").unwrap();
        db::run(&pool, create.split_inclusive(')').take(3).collect::<String>()).await;
    };
    folio.warn_missing_indexes().scope(check).await;
    if !version.contains("MariaDB") {
        let folio = folio::Folio::new(pool.clone()).keyring(folio::Keyring::new(folio::Key::generate()));
        folio
            .warn_missing_indexes()
            .scope(async { Again::query().order_by(upper.clone()).cursor_paginate(5).await.unwrap() })
            .await;
        assert_eq!(log.take(), [""; 0]);
    }
}

/// The same table as another model, about which nothing is remembered.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "shouted")]
#[expect(dead_code, reason = "only the order matters here")]
struct Again {
    id: i64,
}

/// The server's version.
const VERSION: &str = match server::QUOTE {
    '`' => "SELECT VERSION()",
    _ => "SELECT ''",
};

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "partly", cursor_key = "moment, id")]
#[expect(dead_code, reason = "only the order matters here")]
struct Partly {
    id: i64,
    moment: i64,
    author: i64,
    deleted_at: Option<i64>,
}

/// MySQL and MariaDB have no partial indexes.
#[tokio::test]
async fn a_partial_index_serves_the_lists_that_have_its_condition() {
    if server::QUOTE == '`' {
        return;
    }
    let (folio, _pool) = db::folio(&format!(
        "CREATE TABLE partly (id {ID}, moment BIGINT NOT NULL, author BIGINT NOT NULL, deleted_at BIGINT); \
         CREATE INDEX partly_live ON partly (moment, id) WHERE deleted_at IS NULL; \
         CREATE INDEX partly_of_author ON partly (author, moment, id) WHERE deleted_at IS NULL AND moment IS NOT NULL"
    ))
    .await;
    let log = Recorder::of_target("folio::index_advisor");
    let check = async {
        let live = || Partly::query().filter(Partly::DELETED_AT.is_null());
        for (list, is_served) in [
            (live(), true),
            (live().filter(Partly::AUTHOR.gt(3)), true),
            (live().filter(Partly::AUTHOR.eq(3)).filter(Expr::cust("moment IS NOT NULL")), true),
            (live().cursor_by(Partly::AUTHOR), false),
            (Partly::query(), false),
        ] {
            list.clone().cursor_paginate(5).await.unwrap();
            assert_eq!(log.take().is_empty(), is_served, "{list:?}");
        }
    };
    folio.warn_missing_indexes().scope(check).await;
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "worded", cursor_key = "word, id")]
#[expect(dead_code, reason = "only the order matters here")]
struct Worded {
    id: i64,
    word: String,
}

/// An index that sorts in another way than ORDER BY does not serve the list: by another collation or operator class, or
/// with its NULLs at the other end.
#[tokio::test]
async fn an_index_that_sorts_in_another_way_is_reported_as_missing() {
    let indexes: &[(&str, bool)] = match server::QUOTE {
        '`' => &[("word, id", true)],
        _ if <server::Driver as sqlx::Database>::NAME == "PostgreSQL" => &[
            ("word, id", true),
            ("word COLLATE \"POSIX\", id", false),
            ("word text_pattern_ops, id", false),
            ("word NULLS FIRST, id", false),
            ("word DESC, id DESC", true),
            ("word DESC NULLS LAST, id DESC", false),
        ],
        _ => &[("word, id", true), ("word COLLATE NOCASE, id", false), ("word COLLATE BINARY, id", true)],
    };
    for (columns, is_served) in indexes {
        let schema = format!(
            "CREATE TABLE worded (id {ID}, word {TEXT} NOT NULL); CREATE INDEX worded_by ON worded ({columns})"
        );
        let (folio, _pool) = db::folio(&schema).await;
        let log = Recorder::of_target("folio::index_advisor");
        folio.warn_missing_indexes().scope(Worded::query().cursor_paginate(5)).await.unwrap();
        assert_eq!(log.take().is_empty(), *is_served, "{columns}");
    }
}
