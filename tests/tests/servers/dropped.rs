//! Pages and transactions that are dropped while the answer to one of their statements is on its way: whoever has the
//! connection next is outside of a transaction, and what it writes is kept.

use std::pin::pin;
use std::time::Duration;

use folio::{DB, Folio, FrameworkError, Isolation, Result};
use folio_tests::limit::limited;
use folio_tests::proxy::Proxy;
use futures_util::StreamExt as _;
use futures_util::future::LocalBoxFuture;
use sqlx::{Acquire as _, Database as _};

use crate::server;
use crate::suite::db::{self, Pool};
use crate::suite::transactions::notes::{Note, insert, kept, schema};

/// An application on a pool of one connection behind a proxy, which keeps no prepared statements, and a pool that is not
/// behind it.
async fn behind_proxy() -> (Folio, Pool, Pool, Proxy) {
    let direct = server::pool(1).await;
    db::run(&direct, schema()).await;
    let proxy = Proxy::before(server::port(&direct)).await;
    let options = (*server::at_port(proxy.port(), &direct).connect_options()).clone().statement_cache_capacity(0);
    let pool = direct.options().clone().max_connections(1).connect_lazy_with(options);
    (db::application(&pool), pool, direct, proxy)
}

/// Runs a call until the answer to a statement is on its way, then drops it. Returns whether it came that far.
async fn is_cut(proxy: &Proxy, text: &'static str, call: impl Future<Output = Result<()>>) -> bool {
    proxy.hold_answer_to(text);
    let mut call = pin!(call);
    tokio::select! {
        biased;
        ended = &mut call => {
            ended.unwrap();
            false
        }
        () = proxy.held() => true,
    }
}

/// A call, and whether it begins a transaction on each database. On PostgreSQL, all do.
type Call = (&'static str, bool, fn(Folio, Pool) -> LocalBoxFuture<'static, Result<()>>);

const CALLS: &[Call] = &[
    ("a cursor page", false, |_, _| Box::pin(async { Note::cursor_paginate(5).await.map(drop) })),
    ("a numbered page", false, |_, _| Box::pin(async { Note::paginate(5).await.map(drop) })),
    ("a snapshot", true, |_, _| Box::pin(async { Note::query().page(10_001).paginate(1).await.map(drop) })),
    ("a stream", false, |_, _| {
        Box::pin(async {
            let mut stream = pin!(Note::query().cursor_stream(5));
            stream.next().await.transpose().map(drop)
        })
    }),
    ("a time limit", false, |folio, _| {
        let limited = folio.statement_timeout(Duration::from_secs(60));
        Box::pin(limited.scope(async { Note::paginate(5).await.map(drop) }))
    }),
    ("a connection of the caller's", false, |_, pool| {
        Box::pin(async move {
            let mut connection = pool.acquire().await?;
            Note::query().using(&mut *connection).cursor_paginate(5).await.map(drop)
        })
    }),
    ("a transaction", true, |_, _| Box::pin(DB::transaction(async || insert(1).await))),
    ("a level", true, |_, _| {
        Box::pin(DB::transaction_with(Isolation::Serializable, async || Note::paginate(5).await.map(drop)))
    }),
    ("a transaction that may be run again", true, |_, _| {
        Box::pin(DB::transaction_retrying(2, Isolation::Serializable, async || insert(1).await))
    }),
    ("a nested transaction", true, |_, _| {
        Box::pin(DB::transaction(async || {
            insert(1).await?;
            let _: Result<()> = DB::transaction(async || {
                insert(2).await?;
                Err(FrameworkError::Internal { message: "rolled back".into() })
            })
            .await;
            DB::transaction(async || Note::paginate(5).await.map(drop)).await
        }))
    }),
];

#[tokio::test]
async fn what_is_dropped_before_an_answer_leaves_no_transaction() {
    let is_postgres = server::Driver::NAME == "PostgreSQL";
    let (folio, pool, direct, proxy) = behind_proxy().await;
    for (name, begins, call) in CALLS {
        db::run(&direct, "DELETE FROM notes").await;
        // Then the catalog is known.
        folio.scope(call(folio.clone(), pool.clone())).await.unwrap();
        for text in ["BEGIN", "SAVEPOINT", "SELECT", "INSERT", "RELEASE", "COMMIT", "ROLLBACK"] {
            db::run(&direct, "DELETE FROM notes").await;
            let is_cut = limited(is_cut(&proxy, text, folio.scope(call(folio.clone(), pool.clone())))).await;
            assert!(text != "BEGIN" || is_cut == (*begins || is_postgres), "{name} begins a transaction: {is_cut}");
            proxy.release();
            let mut next = limited(pool.acquire()).await.unwrap();
            assert!(!server::in_transaction(&mut next).await, "{name}, dropped at {text}, left a transaction");
            limited(sqlx::raw_sql("INSERT INTO notes VALUES (7)").execute(&mut *next)).await.unwrap();
            assert!(kept(&direct).await.contains(&7), "{name}, dropped at {text}: a later row was lost");
        }
    }
}

type Connection = <server::Driver as sqlx::Database>::Connection;

/// How the caller's connection came into a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begun {
    Not,
    BySqlx,
    BySql,
}

/// The caller goes on with its connection, on a driver that can use it again.
#[tokio::test]
async fn a_page_dropped_before_an_answer_leaves_the_connection_as_it_was() {
    if !server::RECOVERS {
        return;
    }
    let (folio, pool, direct, proxy) = behind_proxy().await;
    for (begun, text) in [
        (Begun::Not, "SAVEPOINT"),
        (Begun::Not, "BEGIN"),
        (Begun::Not, "SELECT"),
        (Begun::Not, "COMMIT"),
        (Begun::BySqlx, "SELECT"),
        (Begun::BySql, "SAVEPOINT"),
        (Begun::BySql, "RELEASE"),
        (Begun::BySql, "SELECT"),
    ] {
        db::run(&direct, "DELETE FROM notes").await;
        let mut connection = pool.acquire().await.unwrap();
        match begun {
            Begun::Not => drop_a_page(&folio, &mut connection, &proxy, (begun, text)).await,
            Begun::BySqlx => {
                let mut transaction = connection.begin().await.unwrap();
                drop_a_page(&folio, &mut transaction, &proxy, (begun, text)).await;
                transaction.commit().await.unwrap();
            }
            Begun::BySql => {
                sqlx::raw_sql("BEGIN").execute(&mut *connection).await.unwrap();
                drop_a_page(&folio, &mut connection, &proxy, (begun, text)).await;
                sqlx::raw_sql("COMMIT").execute(&mut *connection).await.unwrap();
            }
        }
        assert_eq!(kept(&direct).await, [7], "{begun:?}, dropped at {text}");
    }
}

/// Drops a page on a connection before the answer to a statement, and then inserts a row.
async fn drop_a_page(folio: &Folio, lent: &mut Connection, proxy: &Proxy, (begun, text): (Begun, &'static str)) {
    let page = async { Note::query().using(&mut *lent).cursor_paginate(5).await.map(drop) };
    assert!(limited(is_cut(proxy, text, folio.scope(page))).await, "{begun:?}: the page sends no {text}");
    proxy.release();
    if (begun, text) == (Begun::Not, "SAVEPOINT") {
        // The question whether the connection is in a transaction fails outside of one, and its answer comes late.
        let late = sqlx::raw_sql("SELECT 1").execute(&mut *lent).await.unwrap_err();
        assert_eq!(late.as_database_error().unwrap().code().as_deref(), Some("25P01"));
    }
    assert_eq!(server::in_transaction(lent).await, begun != Begun::Not, "{begun:?}, dropped at {text}");
    sqlx::raw_sql("INSERT INTO notes VALUES (7)").execute(lent).await.unwrap();
}
