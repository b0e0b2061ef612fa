//! `DB::transaction`: what is kept, what is rolled back, and that no connection is left inside one.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use folio::{ActiveRequest, DB, Folio, FrameworkError, Isolation, Paginate, Result};
use tokio::sync::Notify;

use crate::server::{self, ID};
use crate::suite::db::{self, Pool};

fn schema() -> String {
    format!("CREATE TABLE notes (id {ID})")
}

#[derive(Debug, sqlx::FromRow, Paginate)]
struct Note {
    id: i64,
}

/// Inserts a row, by a statement that the connection has not met yet.
async fn insert(id: i64) -> Result<()> {
    db::here(format!("INSERT INTO notes (id) VALUES ({id})")).await
}

fn failure() -> FrameworkError {
    FrameworkError::Internal { message: "on purpose".into() }
}

async fn kept(pool: &Pool) -> Vec<i64> {
    sqlx::query_scalar("SELECT id FROM notes ORDER BY id").fetch_all(pool).await.unwrap()
}

async fn set_up() -> (Folio, Pool) {
    db::folio(&schema()).await
}

#[tokio::test]
async fn ok_commits_and_err_rolls_back() {
    let (folio, pool) = set_up().await;
    let check = async {
        let value = DB::transaction(async || insert(1).await.map(|()| "done")).await.unwrap();
        assert_eq!(value, "done");
        let error = DB::transaction(async || {
            insert(2).await?;
            assert_eq!(Note::paginate(5).await?.total, 2);
            Err::<(), _>(failure())
        });
        assert_eq!(error.await.unwrap_err().to_string(), "on purpose");
        // An error of the application's own passes through, too.
        #[derive(Debug)]
        struct Own;
        impl From<FrameworkError> for Own {
            fn from(_: FrameworkError) -> Self {
                Self
            }
        }
        let own: std::result::Result<(), Own> = DB::transaction(async || Err(Own)).await;
        assert!(own.is_err());
    };
    folio.scope(check).await;
    assert_eq!(kept(&pool).await, [1]);
}

#[tokio::test]
async fn nested_ones_are_savepoints() {
    let (folio, pool) = set_up().await;
    let work = DB::transaction(async || {
        insert(1).await?;
        let inner: Result<()> = DB::transaction(async || {
            insert(2).await?;
            DB::transaction(async || insert(3).await).await?;
            Err(failure())
        })
        .await;
        assert!(inner.is_err());
        DB::transaction(async || {
            insert(4).await?;
            let innermost: Result<()> = DB::transaction(async || {
                insert(5).await?;
                Err(failure())
            })
            .await;
            assert!(innermost.is_err());
            insert(6).await
        })
        .await?;
        assert_eq!(Note::paginate(9).await?.total, 3);
        Ok::<_, FrameworkError>(())
    });
    folio.scope(work).await.unwrap();
    assert_eq!(kept(&pool).await, [1, 4, 6]);
}

#[tokio::test]
async fn a_panic_rolls_back() {
    let (folio, pool) = set_up().await;
    let task = tokio::spawn(async move {
        let work = DB::transaction(async || {
            insert(1).await?;
            assert_eq!(Note::paginate(5).await?.total, 0, "a panic on purpose");
            Ok::<_, FrameworkError>(())
        });
        folio.scope(work).await
    });
    assert!(task.await.unwrap_err().is_panic());
    assert_eq!(kept(&pool).await, Vec::<i64>::new());
    left_outside(&pool).await;
}

#[tokio::test]
async fn siblings_inside_one_transaction_take_turns() {
    let (folio, pool) = set_up().await;
    let work = DB::transaction(async || {
        let nested = |id: i64| async move {
            let result: Result<()> = DB::transaction(async || {
                insert(id).await?;
                tokio::task::yield_now().await;
                assert_eq!(Note::query().filter(Note::ID.eq(id)).paginate(5).await?.total, 1);
                if id % 2 == 0 { Err(failure()) } else { Ok(()) }
            })
            .await;
            result.is_ok()
        };
        let kept = futures_util::future::join_all((1..=8).map(nested)).await;
        assert_eq!(kept, [true, false, true, false, true, false, true, false]);
        Ok::<_, FrameworkError>(())
    });
    folio.scope(work).await.unwrap();
    assert_eq!(kept(&pool).await, [1, 3, 5, 7]);
}

/// What PostgreSQL calls a success: COMMIT after an error, which rolls back there. Ok means that the rows are kept.
#[tokio::test]
async fn ok_is_a_commit_even_after_an_error() {
    let (folio, pool) = set_up().await;
    let result: Result<()> = folio
        .scope(DB::transaction(async || {
            insert(1).await?;
            assert!(insert(1).await.is_err());
            Ok(())
        }))
        .await;
    match result {
        Ok(()) => assert_eq!(kept(&pool).await, [1]),
        Err(error) => {
            assert!(matches!(error, FrameworkError::Database(_)), "{error}");
            assert_eq!(kept(&pool).await, Vec::<i64>::new());
        }
    }
    left_outside(&pool).await;
}

/// Where an error has ended the transaction, a savepoint cannot be set; what comes after that is no part of anything
/// else, and is rolled back like all the rest.
#[tokio::test]
async fn nothing_is_kept_behind_a_savepoint_that_fails() {
    let (folio, pool) = set_up().await;
    let check = async {
        let result: Result<()> = DB::transaction(async || {
            insert(1).await?;
            assert!(insert(1).await.is_err());
            let _: Result<()> = DB::transaction(async || insert(2).await).await;
            let _ = insert(3).await;
            Err(failure())
        })
        .await;
        assert!(result.is_err());
        assert_eq!(Note::paginate(5).await.unwrap().total, 0);

        // One level further down only the savepoint is lost.
        let result: Result<()> = DB::transaction(async || {
            insert(4).await?;
            let inner: Result<()> = DB::transaction(async || {
                insert(5).await?;
                assert!(insert(5).await.is_err());
                let _: Result<()> = DB::transaction(async || insert(6).await).await;
                let _ = insert(7).await;
                Err(failure())
            })
            .await;
            assert!(inner.is_err());
            insert(8).await
        })
        .await;
        result.unwrap();
    };
    folio.scope(check).await;
    assert_eq!(kept(&pool).await, [4, 8]);
    left_outside(&pool).await;
}

/// Polls a future at most `polls` times, then drops it. What it came to, if it ended.
async fn drop_after<F: Future>(future: F, polls: usize) -> Option<F::Output> {
    let mut future = pin!(future);
    let mut left = polls;
    poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        match future.as_mut().poll(context) {
            Poll::Ready(output) => Poll::Ready(Some(output)),
            Poll::Pending if left == 0 => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}

/// Every connection that the pool can give is outside of a transaction: asked of each, and of the server.
async fn left_outside(pool: &Pool) {
    let mut held = Vec::new();
    for _ in 0..pool.options().get_max_connections() {
        let mut connection = pool.acquire().await.unwrap();
        assert!(!server::in_transaction(&mut connection).await, "a pooled connection is inside a transaction");
        held.push(connection);
    }
    drop(held);
    while server::strays(pool).await > 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn the_suite_can_tell_what_is_inside_a_transaction() {
    let (folio, pool) = set_up().await;
    let check = async {
        DB::transaction(async || {
            insert(1).await?;
            assert!(server::in_transaction(&mut *server::connection().await?).await);
            Ok::<_, FrameworkError>(())
        })
        .await
        .unwrap();
    };
    folio.scope(check).await;
    left_outside(&pool).await;
}

/// A pool of one connection: had a `begin` left it inside a transaction, it would be found there.
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
        assert!((1..500).contains(&ended), "some ended, some were dropped: {ended}");
    };
    folio.scope(check).await;
    left_outside(&pool).await;
}

/// Whatever the point at which it is dropped, its rows are there all or not at all, and the pool is whole.
#[tokio::test]
async fn dropped_at_any_point_it_leaves_all_or_nothing() {
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
            // It takes the lock that a transaction still on its way out would hold.
            let rows: Vec<i64> = DB::transaction(async || {
                let rows = Note::paginate(5).await?.data;
                db::here("DELETE FROM notes").await?;
                Ok::<_, FrameworkError>(rows.into_iter().map(|note| note.id).collect())
            })
            .await
            .unwrap();
            let expected: &[i64] = if keep && !rows.is_empty() { &[1, 2, 3] } else { &[] };
            assert_eq!(rows, expected, "after {polls} polls: {result:?}");
            assert!(!matches!(result, Some(Ok(()))) || rows == [1, 2, 3]);
            settled(&pool).await;
            db::run(&pool, "DELETE FROM notes").await;
        }
        assert!((1..500).contains(&ended), "some ended, some were dropped: {ended}");
    };
    folio.scope(check).await;
    left_outside(&pool).await;
}

/// Waits until every connection of a pool is idle or closed.
async fn settled(pool: &Pool) {
    while pool.num_idle() < usize::try_from(pool.size()).unwrap() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_dropped_page_leaves_the_pool_whole() {
    let (folio, pool, _kept) = db::lasting(&schema(), 2).await;
    // Rows that come in several packets, so that a page can be dropped between them.
    let rows: Vec<String> = (0..2_000).map(|id| format!("({id})")).collect();
    db::run(&pool, format!("INSERT INTO notes VALUES {}", rows.join(", "))).await;
    let check = async {
        let mut ended = 0;
        for polls in (0..24).chain([usize::MAX]).cycle().take(250) {
            let page = drop_after(Note::paginate(2_000), polls).await;
            ended += usize::from(page.is_some());
            drop_after(Note::cursor_paginate(2_000), polls).await;
            // So far on that it is read in a transaction.
            drop_after(Note::query().page(10_001).paginate(1), polls).await;
            let page = Note::simple_paginate(3).await.unwrap();
            assert_eq!(page.data.iter().map(|note| note.id).collect::<Vec<_>>(), [0, 1, 2], "after {polls} polls");
            settled(&pool).await;
            assert!((1..=2).contains(&pool.size()));
        }
        assert!((1..250).contains(&ended), "some ended, some were dropped: {ended}");
    };
    folio.scope(check).await;
    left_outside(&pool).await;
    assert_eq!(pool.size(), 2);
}

/// A page that is dropped inside a transaction: what comes after it is true, or there is no after.
#[tokio::test]
async fn a_page_dropped_inside_a_transaction_does_not_garble_it() {
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
    left_outside(&pool).await;
}

#[tokio::test]
async fn a_dropped_savepoint_takes_only_its_own_with_it() {
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
                // Dropped while it is released it may be there, but never by half.
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
    left_outside(&pool).await;
}

#[tokio::test]
async fn an_isolation_level_is_that_of_one_transaction() {
    let (folio, pool) = set_up().await;
    let level = async || Ok::<_, FrameworkError>(server::isolation(&mut *server::connection().await?, &pool).await);
    let check = async {
        let usual = DB::transaction(level).await.unwrap();
        let levels = [
            (Isolation::ReadCommitted, "READ COMMITTED"),
            (Isolation::RepeatableRead, "REPEATABLE READ"),
            (Isolation::Serializable, "SERIALIZABLE"),
        ];
        for (isolation, name) in levels {
            let inside = DB::transaction_with(isolation, level).await.unwrap();
            assert_eq!(inside.unwrap_or(name), name);
            assert_eq!(DB::transaction(level).await.unwrap(), usual, "the next one has its own again");
        }
        let nested = DB::transaction(async || {
            insert(1).await?;
            DB::transaction_with(Isolation::Serializable, async || insert(2).await).await
        });
        let error = nested.await.unwrap_err();
        assert!(matches!(error, FrameworkError::Database(_)) && error.to_string().contains("savepoint"), "{error}");
    };
    folio.scope(check).await;
    assert_eq!(kept(&pool).await, Vec::<i64>::new());
}

/// Scope, request and transaction are the task's own, and each can be handed on to another.
#[tokio::test]
async fn a_spawned_task_is_outside_until_it_is_handed_the_transaction() {
    let (folio, pool) = set_up().await;
    let check = async {
        assert!(DB::current().is_none());
        let work = DB::transaction(async || {
            insert(1).await?;
            tokio::spawn(async { assert!(DB::current().is_none() && Folio::current().is_err()) }).await.unwrap();

            let (folio, request) = (Folio::current()?, ActiveRequest::current().unwrap());
            let transaction = DB::current().unwrap();
            let task = tokio::spawn(async move {
                let work = async {
                    insert(2).await?;
                    // A savepoint of the task's own.
                    let nested: Result<()> = DB::transaction(async || {
                        insert(3).await?;
                        Err(failure())
                    })
                    .await;
                    assert!(nested.is_err());
                    Note::paginate(1).await
                };
                folio.scope(request.scope(transaction.scope(work))).await
            });
            let page = task.await.unwrap()?;
            assert_eq!((page.current_page, page.total, page.data[0].id), (2, 2, 2));
            Err::<(), _>(failure())
        });
        assert_eq!(work.await.unwrap_err().to_string(), "on purpose");
        assert_eq!(Note::paginate(1).await.unwrap().total, 0);
    };
    ActiveRequest::new("/notes?page=2").scope(folio.scope(check)).await;
    assert_eq!(kept(&pool).await, Vec::<i64>::new());
}

#[tokio::test]
async fn a_transaction_that_was_handed_on_does_not_outlive_its_end() {
    let (folio, pool) = set_up().await;
    let ended = async |handle: &folio::TransactionHandle| {
        let errors = [
            handle.scope(insert(9)).await.unwrap_err(),
            handle.scope(Note::paginate(5)).await.unwrap_err(),
            handle.scope(DB::transaction(async || insert(9).await)).await.unwrap_err(),
        ];
        for error in errors {
            assert!(matches!(error, FrameworkError::Internal { .. }), "{error}");
            assert_eq!(error.to_string(), "the transaction that this task was given has ended");
        }
    };
    let check = async {
        let committed = DB::transaction(async || Ok::<_, FrameworkError>(DB::current().unwrap())).await.unwrap();
        ended(&committed).await;
        let mut handle = None;
        let _: Result<()> = DB::transaction(async || {
            handle = DB::current();
            Err(failure())
        })
        .await;
        ended(&handle.take().unwrap()).await;
        drop_after(
            DB::transaction(async || -> Result<()> {
                handle = DB::current();
                loop {
                    tokio::task::yield_now().await;
                }
            }),
            50,
        )
        .await;
        // A savepoint's ends with the savepoint, while the transaction goes on.
        let work = DB::transaction(async || {
            insert(1).await?;
            let savepoint = DB::transaction(async || Ok::<_, FrameworkError>(DB::current().unwrap())).await?;
            ended(&savepoint).await;
            insert(2).await
        });
        work.await.unwrap();
    };
    folio.scope(check).await;
    assert_eq!(kept(&pool).await, [1, 2]);
}

/// A nested transaction that another task has still open cannot be committed from around it.
#[tokio::test]
async fn a_transaction_does_not_commit_around_one_that_still_runs() {
    let (folio, pool) = set_up().await;
    let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let mut task = None;
    let work = DB::transaction(async || {
        let transaction = DB::current().unwrap();
        let (begun_there, go_on) = (Arc::clone(&begun), Arc::clone(&go_on));
        task = Some(tokio::spawn(async move {
            let nested = DB::transaction(async || {
                insert(1).await?;
                begun_there.notify_one();
                go_on.notified().await;
                insert(2).await
            });
            transaction.scope(nested).await
        }));
        begun.notified().await;
        Ok::<_, FrameworkError>(())
    });
    let error = folio.scope(work).await.unwrap_err();
    assert!(error.to_string().contains("still open in another task"), "{error}");
    go_on.notify_one();
    let error = task.unwrap().await.unwrap().unwrap_err();
    assert!(error.to_string().contains("has ended"), "{error}");
    assert_eq!(kept(&pool).await, Vec::<i64>::new());
    left_outside(&pool).await;
}

#[tokio::test]
async fn without_folio_there_is_no_transaction() {
    let error = DB::transaction(async || Ok::<_, FrameworkError>(())).await.unwrap_err();
    assert!(matches!(error, FrameworkError::Internal { .. }) && error.to_string().contains("Folio::new"), "{error}");
}
