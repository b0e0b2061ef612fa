//! `DB::transaction`: what is kept, what is rolled back, and that no connection is left inside one.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use folio::{DB, Folio, FrameworkError, Paginate, Result};
use sqlx::SqlitePool;

use crate::suite::db;

const SCHEMA: &str = "CREATE TABLE notes (id INTEGER PRIMARY KEY)";

#[derive(Debug, sqlx::FromRow, Paginate)]
struct Note {
    id: i64,
}

async fn insert(id: i64) -> Result<()> {
    sqlx::query("INSERT INTO notes (id) VALUES (?)").bind(id).execute(&mut *DB::sqlite().await?).await?;
    Ok(())
}

fn failure() -> FrameworkError {
    FrameworkError::Internal { message: "on purpose".into() }
}

async fn kept(pool: &SqlitePool) -> Vec<i64> {
    sqlx::query_scalar("SELECT id FROM notes ORDER BY id").fetch_all(pool).await.unwrap()
}

async fn set_up() -> (Folio, SqlitePool) {
    db::folio(SCHEMA).await
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

/// Polls a future at most `polls` times, then drops it. Whether it ended.
async fn drop_after<F: Future>(future: F, polls: usize) -> bool {
    let mut future = pin!(future);
    let mut left = polls;
    poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(false);
        }
        left -= 1;
        match future.as_mut().poll(context) {
            Poll::Ready(_) => Poll::Ready(true),
            Poll::Pending if left == 0 => Poll::Ready(false),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}

#[tokio::test]
async fn dropped_at_any_point_it_leaves_no_trace() {
    // A pool closes the connection of an `acquire` that is dropped, and in memory the database with it.
    let (folio, pool, _folder) = db::on_disk(SCHEMA).await;
    let check = async {
        let mut ended = 0;
        for polls in (0..40).cycle().take(500) {
            let work = DB::transaction(async || {
                insert(1).await?;
                let inner: Result<()> = DB::transaction(async || insert(2).await).await;
                inner?;
                Note::paginate(5).await?;
                tokio::task::yield_now().await;
                Err::<(), _>(failure())
            });
            ended += usize::from(drop_after(work, polls).await);
            // The pool has one connection: were it left inside a transaction, this would begin a savepoint in it.
            let probe =
                DB::transaction(async || Ok::<_, FrameworkError>(Note::paginate(5).await?.total)).await.unwrap();
            assert_eq!(probe, 0, "after {polls} polls");
        }
        assert!(ended > 50 && ended < 450, "some ended, some were dropped: {ended}");
        for polls in (0..20).cycle().take(200) {
            drop_after(Note::paginate(5), polls).await;
            drop_after(Note::cursor_paginate(5), polls).await;
        }
        assert_eq!(Note::paginate(5).await.unwrap().total, 0);
    };
    folio.scope(check).await;
    assert_eq!(pool.size(), 1);
}

#[tokio::test]
async fn a_dropped_savepoint_takes_only_its_own_with_it() {
    let (folio, _pool, _folder) = db::on_disk(SCHEMA).await;
    let check = async {
        for polls in 0..30 {
            sqlx::query("DELETE FROM notes").execute(&mut *DB::sqlite().await.unwrap()).await.unwrap();
            let ended = DB::transaction(async || {
                insert(1).await?;
                let inner = DB::transaction(async || {
                    insert(2).await?;
                    tokio::task::yield_now().await;
                    insert(3).await
                });
                let ended = drop_after(inner, polls).await;
                insert(4).await?;
                Ok::<_, FrameworkError>(ended)
            });
            let ended = ended.await.unwrap();
            let rows: Vec<i64> = Note::paginate(9).await.unwrap().data.into_iter().map(|note| note.id).collect();
            // Dropped while it is committed it may be committed, but never by half.
            let whole = rows == [1, 2, 3, 4];
            assert!(whole || (!ended && rows == [1, 4]), "after {polls} polls: {rows:?}");
        }
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn without_folio_there_is_no_transaction() {
    let error = DB::transaction(async || Ok::<_, FrameworkError>(())).await.unwrap_err();
    assert!(matches!(error, FrameworkError::Internal { .. }) && error.to_string().contains("Folio::new"), "{error}");
}
