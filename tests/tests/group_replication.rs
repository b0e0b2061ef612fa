//! MySQL's Group Replication with three primaries. `.ci/newer` starts the group and runs these tests. `FOLIO_MYSQL_URL`
//! names the first member; the others have the next two ports.

use std::cell::Cell;
use std::time::Duration;

use folio::{ActiveRequest, DB, Folio, FrameworkError, Isolation, Key, Keyring, Paginate, Retryable as _};
use folio_tests::limit::limited;
use futures_util::future::join_all;
use sqlx::mysql::{MySqlDatabaseError, MySqlPoolOptions};
use sqlx::{Executor as _, MySqlPool};

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "counters")]
struct Counter {
    id: i64,
    value: i64,
}

const SCHEMA: &str = "CREATE TABLE counters (id BIGINT PRIMARY KEY, value BIGINT NOT NULL); \
                      INSERT INTO counters VALUES (1, 0)";

struct Members {
    pools: [MySqlPool; 3],
    folio: [Folio; 3],
    /// On sessions that wait, before each transaction and each statement outside of one, until the member has applied
    /// what the others have committed.
    waiting: [Folio; 3],
}

async fn members() -> Members {
    let first = folio_tests::mysql::pool(1).await;
    run(&first, SCHEMA).await;
    let pools = |consistency| {
        [0, 1, 2].map(|member| {
            let options = (*first.connect_options()).clone();
            let port = options.get_port() + member;
            let pool = MySqlPoolOptions::new().max_connections(4).after_connect(move |connection, _| {
                Box::pin(async move { connection.execute(consistency).await.map(drop) })
            });
            pool.connect_lazy_with(options.port(port))
        })
    };
    let waiting = pools("SET group_replication_consistency = 'BEFORE'").each_ref().map(application);
    let pools = pools("SET group_replication_consistency = 'EVENTUAL'");
    let members = Members { folio: pools.each_ref().map(application), pools, waiting };
    // The table exists on each of them.
    assert_eq!(rows(&members).await, [(1, 0)]);
    members
}

fn application(pool: &MySqlPool) -> Folio {
    Folio::new(pool.clone()).keyring(Keyring::new(Key::generate()))
}

async fn run(pool: &MySqlPool, sql: impl Into<String>) {
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql.into())).execute(pool).await.unwrap();
}

/// Runs a statement in the task's transaction.
async fn execute(sql: &'static str) -> folio::Result<()> {
    (&mut *DB::mysql().await?).execute(sql).await?;
    Ok(())
}

/// All rows, on pages of each member, which agree.
async fn rows(set_up: &Members) -> Vec<(i64, i64)> {
    let read = set_up.waiting.iter().map(|folio| folio.scope(Counter::query().cursor_paginate(100)));
    let read: Vec<Vec<_>> = join_all(read)
        .await
        .into_iter()
        .map(|page| page.unwrap().data.iter().map(|row| (row.id, row.value)).collect())
        .collect();
    assert!(read.iter().all(|rows| *rows == read[0]), "{read:?}");
    read[0].clone()
}

/// Runs a transaction on the second member that loses against one on the first. `then` is the rest of its work.
async fn lose(set_up: &Members, then: impl AsyncFnOnce() -> folio::Result<()>) -> FrameworkError {
    let lost = DB::transaction(async || {
        execute("INSERT INTO counters VALUES (2, 0)").await?;
        execute("UPDATE counters SET value = 200 WHERE id = 1").await?;
        let win = async || execute("UPDATE counters SET value = 100 WHERE id = 1").await;
        set_up.folio[0].scope(DB::transaction(win)).await?;
        then().await
    });
    limited(set_up.folio[1].scope(lost)).await.unwrap_err()
}

/// The number of the server's error.
fn number(error: &FrameworkError) -> Option<u16> {
    let FrameworkError::Database(error) = error else { return None };
    error.as_database_error()?.try_downcast_ref().map(MySqlDatabaseError::number)
}

#[tokio::test]
#[ignore = "needs a group of MySQL servers: .ci/run newer"]
async fn a_transaction_that_loses_can_be_run_again_and_leaves_nothing() {
    let set_up = members().await;
    // No nested transaction: MySQL 9.7 sets its savepoint without noticing the loss, and the members then differ.
    for rest in ["nothing", "a statement", "a page"] {
        run(&set_up.pools[0], "REPLACE INTO counters VALUES (1, 0)").await;
        assert_eq!(rows(&set_up).await, [(1, 0)]);
        let error = lose(&set_up, async || {
            // The member has ended the transaction by the time that it shows the winner's value.
            let page = set_up.waiting[1].scope(Counter::query().cursor_paginate(5)).await?;
            assert_eq!(page.data[0].value, 100);
            match rest {
                "a statement" => execute("INSERT INTO counters VALUES (3, 0)").await,
                "a page" => Counter::query().cursor_paginate(5).await.map(drop),
                _ => Ok(()),
            }
        });
        let error = error.await;
        assert!(error.is_retryable(), "after {rest}: {error:?}");
        assert_eq!(rows(&set_up).await, [(1, 100)], "after {rest}");
    }
}

/// The member that loses has not applied the other's change when it commits, because that waits for a table.
#[tokio::test]
#[ignore = "needs a group of MySQL servers: .ci/run newer"]
async fn a_commit_that_the_group_refuses_can_be_run_again() {
    let set_up = members().await;
    run(&set_up.pools[0], "CREATE TABLE held (id BIGINT PRIMARY KEY)").await;
    // The second member has created it, too.
    rows(&set_up).await;
    let mut holder = set_up.pools[1].acquire().await.unwrap();
    let lost = DB::transaction(async || {
        execute("INSERT INTO counters VALUES (2, 0)").await?;
        execute("UPDATE counters SET value = 200 WHERE id = 1").await?;
        holder.execute("LOCK TABLES held READ").await?;
        let win = async || {
            execute("INSERT INTO held VALUES (1)").await?;
            execute("UPDATE counters SET value = 100 WHERE id = 1").await
        };
        set_up.folio[0].scope(DB::transaction(win)).await
    });
    let error = limited(set_up.folio[1].scope(lost)).await.unwrap_err();
    holder.execute("UNLOCK TABLES").await.unwrap();
    assert_eq!(number(&error), Some(3101), "{error:?}");
    assert!(error.is_retryable());
    assert_eq!(rows(&set_up).await, [(1, 100)]);
}

#[tokio::test]
#[ignore = "needs a group of MySQL servers: .ci/run newer"]
async fn retried_transactions_on_all_members_are_all_kept() {
    const STEPS: i64 = 20;
    let set_up = members().await;
    let runs = Cell::new(0);
    let count = set_up.folio.iter().map(|folio| {
        let runs = &runs;
        folio.scope(async move {
            for _ in 0..STEPS {
                DB::transaction_retrying(100, Isolation::RepeatableRead, async || {
                    runs.set(runs.get() + 1);
                    execute("UPDATE counters SET value = value + 1 WHERE id = 1").await
                })
                .await?;
            }
            Ok::<_, FrameworkError>(())
        })
    });
    for counted in limited(join_all(count)).await {
        counted.unwrap();
    }
    assert!(runs.get() > 3 * STEPS, "no transaction has lost");
    assert_eq!(rows(&set_up).await, [(1, 3 * STEPS)]);
}

#[tokio::test]
#[ignore = "needs a group of MySQL servers: .ci/run newer"]
async fn a_serializable_transaction_is_an_error_that_says_why() {
    let set_up = members().await;
    let attempts = Cell::new(0);
    let write = DB::transaction_retrying(3, Isolation::Serializable, async || {
        attempts.set(attempts.get() + 1);
        execute("UPDATE counters SET value = 1 WHERE id = 1").await
    });
    let error = set_up.folio[0].scope(write).await.unwrap_err();
    assert_eq!((number(&error), attempts.get()), (Some(3098), 1), "{error:?}");
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert!(cause.contains("transactions at the level `Serializable`"), "{cause}");
    assert_eq!(rows(&set_up).await, [(1, 0)]);
}

/// A row that was written on one member is on the next page of another.
#[tokio::test]
#[ignore = "needs a group of MySQL servers: .ci/run newer"]
async fn a_member_that_waits_is_never_behind() {
    let set_up = members().await;
    for round in 1..=100 {
        run(&set_up.pools[0], format!("INSERT INTO counters VALUES ({}, {round})", -round)).await;
        let page = set_up.waiting[1].scope(Counter::query().cursor_paginate(1)).await.unwrap();
        assert_eq!(page.data[0].value, round);
    }
}

/// What a request has written on one member is on its next page, although another member reads it.
#[tokio::test]
#[ignore = "needs a group of MySQL servers: .ci/run newer"]
async fn a_request_sees_on_another_member_what_it_has_written() {
    let set_up = members().await;
    let [written, read, _] = &set_up.pools;
    let folio = application(written).connection("__read_replica__", read).unwrap();
    let folio = folio.read_your_writes(Duration::from_secs(20));
    for id in (-100..=-1_i64).rev() {
        let handler = async {
            DB::transaction(async || {
                let insert = sqlx::query("INSERT INTO counters VALUES (?, 0)").bind(id);
                Ok::<_, FrameworkError>(insert.execute(&mut *DB::mysql().await?).await?)
            })
            .await?;
            Counter::query().cursor_paginate(1).await
        };
        let page = limited(folio.scope(ActiveRequest::new("/counters").scope(handler))).await.unwrap();
        assert_eq!(page.data[0].id, id);
    }
}
