//! Transactions and pages whose futures are dropped before they finish.

use std::time::Duration;

use folio::{DB, FrameworkError, Isolation, Result};

use super::notes::{Note, assert_none_in_transaction, drop_after, failure, insert, kept, schema};
use crate::server;
use crate::suite::db::{self, Pool};

/// The pool has one connection, so a transaction that is left open is found there.
#[tokio::test]
async fn a_begin_dropped_at_any_point_leaves_no_transaction() {
    let (folio, pool, _kept) = db::lasting(&schema(), 1).await;
    let check = async {
        let mut ended = 0;
        for polls in (0..12).cycle().take(500) {
            let isolation = [None, Some(Isolation::Serializable)][polls % 2];
            let work = async || Ok::<_, FrameworkError>(());
            ended += usize::from(match isolation {
                None => drop_after(DB::transaction(work), polls).await.is_some(),
                Some(level) => drop_after(DB::transaction_with(level, work), polls).await.is_some(),
            });
            let mut connection = pool.acquire().await.unwrap();
            assert!(!server::in_transaction(&mut connection).await, "after {polls} polls");
        }
        assert!((1..500).contains(&ended), "some finished, some were dropped: {ended}");
    };
    folio.scope(check).await;
    assert_none_in_transaction(&pool).await;
}

/// Either all rows are committed or none, and the pool stays usable.
#[tokio::test]
async fn a_transaction_dropped_at_any_point_keeps_all_or_nothing() {
    let (folio, pool, _kept) = db::lasting(&schema(), 1).await;
    let check = async {
        let mut ended = 0;
        for round in 0..500 {
            let (polls, keep) = (round / 2 % 50, round % 2 == 0);
            let work = DB::transaction(async || {
                insert(1).await?;
                let inner: Result<()> = DB::transaction(async || insert(2).await).await;
                inner?;
                Note::paginate(5).await?;
                tokio::task::yield_now().await;
                insert(3).await?;
                if keep { Ok(()) } else { Err(failure()) }
            });
            let result = drop_after(work, polls).await;
            ended += usize::from(result.is_some());
            // Waits for the lock that an unfinished rollback would hold.
            let rows: Vec<i64> = DB::transaction(async || {
                let rows = Note::paginate(5).await?.data;
                db::here("DELETE FROM notes").await?;
                Ok::<_, FrameworkError>(rows.into_iter().map(|note| note.id).collect())
            })
            .await
            .unwrap_or_else(|error| panic!("after {polls} polls, round {round}, {result:?}: {error}"));
            let expected: &[i64] = if keep && !rows.is_empty() { &[1, 2, 3] } else { &[] };
            assert_eq!(rows, expected, "after {polls} polls: {result:?}");
            assert!(!matches!(result, Some(Ok(()))) || rows == [1, 2, 3]);
            settled(&pool).await;
            db::run(&pool, "DELETE FROM notes").await;
        }
        assert!((1..500).contains(&ended), "some finished, some were dropped: {ended}");
    };
    folio.scope(check).await;
    assert_none_in_transaction(&pool).await;
}

/// Waits until every connection of a pool is idle or closed.
async fn settled(pool: &Pool) {
    while pool.num_idle() < usize::try_from(pool.size()).unwrap() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_dropped_page_leaves_the_pool_usable() {
    let (folio, pool, _kept) = db::lasting(&schema(), 2).await;
    // Enough rows for several packets, so that a page can be dropped between them.
    let rows: Vec<String> = (0..2_000).map(|id| format!("({id})")).collect();
    db::run(&pool, format!("INSERT INTO notes VALUES {}", rows.join(", "))).await;
    let limited = folio.clone().statement_timeout(Duration::from_secs(60));
    let check = async {
        let mut ended = 0;
        for polls in (0..24).chain([usize::MAX]).cycle().take(250) {
            let page = drop_after(Note::paginate(2_000), polls).await;
            ended += usize::from(page.is_some());
            drop_after(Note::cursor_paginate(2_000), polls).await;
            // Deep enough to be read in a transaction.
            drop_after(Note::query().page(10_001).paginate(1), polls).await;
            // Read in a transaction on SQLite and PostgreSQL.
            drop_after(limited.scope(Note::cursor_paginate(3)), polls).await;
            let page = Note::simple_paginate(3).await.unwrap();
            assert_eq!(page.data.iter().map(|note| note.id).collect::<Vec<_>>(), [0, 1, 2], "after {polls} polls");
            settled(&pool).await;
            assert!((1..=2).contains(&pool.size()));
        }
        assert!((1..250).contains(&ended), "some finished, some were dropped: {ended}");
    };
    folio.scope(check).await;
    assert_none_in_transaction(&pool).await;
    assert_eq!(pool.size(), 2);
}

/// After a dropped page, statements return correct results or the transaction fails.
#[tokio::test]
async fn a_page_dropped_inside_a_transaction_does_not_corrupt_it() {
    let (folio, pool, _kept) = db::lasting(&schema(), 1).await;
    let check = async {
        for polls in 0..24 {
            let result: Result<()> = DB::transaction(async || {
                insert(1).await?;
                let page = drop_after(Note::paginate(5), polls).await;
                assert_eq!(Note::paginate(5).await?.data.len(), 1);
                insert(2).await?;
                assert!(page.is_none_or(|page| page.is_ok()));
                Ok(())
            })
            .await;
            let rows = kept(&pool).await;
            match result {
                Ok(()) => assert_eq!(rows, [1, 2], "after {polls} polls"),
                Err(error) => {
                    assert!(
                        !server::RECOVERS && error.to_string().contains("cut short"),
                        "after {polls} polls: {error}"
                    );
                    assert_eq!(rows, Vec::<i64>::new());
                }
            }
            db::run(&pool, "DELETE FROM notes").await;
        }
    };
    folio.scope(check).await;
    assert_none_in_transaction(&pool).await;
}

#[tokio::test]
async fn a_dropped_savepoint_loses_only_its_own_rows() {
    let (folio, pool, _kept) = db::lasting(&schema(), 1).await;
    let check = async {
        let (mut whole, mut without) = (0, 0);
        for polls in 0..40 {
            db::run(&pool, "DELETE FROM notes").await;
            let mut ended = false;
            let result: Result<()> = DB::transaction(async || {
                insert(1).await?;
                let inner = DB::transaction(async || {
                    insert(2).await?;
                    tokio::task::yield_now().await;
                    insert(3).await
                });
                ended = drop_after(inner, polls).await.is_some();
                insert(4).await
            })
            .await;
            let rows = kept(&pool).await;
            match result {
                // A savepoint that is dropped while it is released may be kept, but never in part.
                Ok(()) if rows == [1, 2, 3, 4] => whole += 1,
                Ok(()) => {
                    assert!(!ended && rows == [1, 4], "after {polls} polls: {rows:?}");
                    without += 1;
                }
                Err(error) => {
                    assert!(
                        !server::RECOVERS && error.to_string().contains("cut short"),
                        "after {polls} polls: {error}"
                    );
                    assert_eq!(rows, Vec::<i64>::new());
                }
            }
        }
        assert!(whole > 0 && without > 0, "{whole} whole, {without} without");
    };
    folio.scope(check).await;
    assert_none_in_transaction(&pool).await;
}
