//! Who has the connection of a transaction: others wait for it, but not for ever, and the error names the holder.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::mpsc;
use std::task::Poll;
use std::time::Duration;

use folio::{DB, Folio, FrameworkError};
use futures_util::StreamExt as _;
use tokio::time::timeout;

use super::notes::{Note, assert_none_in_transaction, failure, insert, kept, schema};
use crate::server;
use crate::suite::db::{self, Pool};

/// How long a statement waits for the connection.
const WAIT: Duration = Duration::from_secs(2);

/// An application whose pool has two connections and waits for a short time.
async fn impatient() -> (Folio, Pool, impl Sized + use<>) {
    let (_, patient, kept) = db::lasting(&schema(), 1).await;
    let options = patient.options().clone().max_connections(2).acquire_timeout(WAIT);
    let pool = options.connect_with(patient.connect_options().as_ref().clone()).await.unwrap();
    (Folio::new(pool.clone()), pool, kept)
}

/// Runs a test in a thread, so that a thread that spins or blocks is a failure.
fn watched<F: Future<Output = ()>>(test: impl FnOnce() -> F + Send + 'static) {
    let (done, result) = mpsc::channel();
    // A database is named after the thread of its test.
    let name = std::thread::current().name().unwrap_or_default().to_owned();
    let body = move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(test());
        done.send(()).unwrap();
        runtime.shutdown_background();
    };
    let thread = std::thread::Builder::new().name(name).spawn(body).unwrap();
    match result.recv_timeout(Duration::from_secs(60)) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("a test must not hang"),
        _ => thread.join().unwrap(),
    }
}

/// The error names the guard and where it was taken.
#[track_caller]
fn assert_names_guard(error: &FrameworkError) {
    let text = error.to_string();
    assert!(text.contains("`acquire_timeout`") && text.contains("guard") && text.contains("owner.rs:"), "{text}");
}

#[test]
fn a_guard_that_leaves_its_transaction_is_an_error() {
    watched(|| async {
        let (folio, pool, _kept) = impatient().await;
        let work = DB::transaction(async || {
            insert(1).await?;
            server::connection().await
        });
        let error = folio.scope(work).await.map(drop).unwrap_err();
        assert_names_guard(&error);
        assert!(error.to_string().contains("rolled back"), "{error}");
        assert_none_in_transaction(&pool).await;
        assert_eq!(kept(&pool).await, Vec::<i64>::new());
    });
}

#[test]
fn a_wait_for_ones_own_guard_ends_however_it_is_polled() {
    watched(|| async {
        let (folio, pool, _kept) = impatient().await;
        let work = DB::transaction(async || {
            let mut guard = server::connection().await?;
            let error = Note::paginate(5).await.unwrap_err();
            assert_names_guard(&error);
            assert_eq!(error.status(), 500);
            assert_names_guard(&insert(1).await.unwrap_err());
            let nested: folio::Result<()> = DB::transaction(async || Ok(())).await;
            assert_names_guard(&nested.unwrap_err());
            // What the message advises.
            assert_eq!(Note::query().using(&mut *guard).paginate(5).await?.total, 0);
            let pages = futures_util::stream::iter([3, 4]).map(Note::paginate).buffer_unordered(2);
            for page in pages.collect::<Vec<_>>().await {
                assert_names_guard(&page.unwrap_err());
            }
            let pages = futures_util::future::try_join_all([3, 4].map(Note::paginate)).await;
            assert_names_guard(&pages.map(drop).unwrap_err());
            let shared =
                futures_util::FutureExt::shared(async { Note::paginate(3).await.map(drop).map_err(|e| e.to_string()) });
            let (one, two) = tokio::join!(shared.clone(), shared);
            assert!(one.unwrap_err().contains("owner.rs:") && two.is_err());
            let transaction = DB::current().unwrap();
            assert_names_guard(&transaction.scope(Note::paginate(5)).await.unwrap_err());
            drop(guard);
            DB::transaction(async || {
                let _guard = server::connection().await?;
                let (page, ()) = tokio::join!(Note::paginate(3), async {});
                assert_names_guard(&page.unwrap_err());
                Ok::<_, FrameworkError>(())
            })
            .await?;
            insert(1).await
        });
        folio.scope(work).await.unwrap();
        assert_eq!(kept(&pool).await, [1]);
    });
}

#[test]
fn a_wait_for_a_nested_transaction_of_another_task_ends() {
    watched(|| async {
        let (folio, pool, _kept) = impatient().await;
        let work = DB::transaction(async || {
            let outer = DB::current().unwrap();
            DB::transaction(async || {
                insert(1).await?;
                let waits = tokio::spawn(async move { outer.scope(insert(2)).await });
                let error = waits.await.unwrap().unwrap_err().to_string();
                assert!(error.contains("nested transaction is open") && error.contains("owner.rs:"), "{error}");
                Ok::<_, FrameworkError>(())
            })
            .await
        });
        folio.scope(work).await.unwrap();
        assert_eq!(kept(&pool).await, [1]);
    });
}

#[test]
fn a_guard_may_move_into_another_task() {
    watched(|| async {
        let (folio, pool, _kept) = impatient().await;
        let work = DB::transaction(async || {
            insert(1).await?;
            let mut guard = server::connection().await?;
            let task = tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(20)).await;
                sqlx::query("INSERT INTO notes VALUES (2)").execute(&mut *guard).await.unwrap();
            });
            // It waits for the other task.
            assert_eq!(Note::paginate(5).await?.total, 2);
            task.await.unwrap();
            insert(3).await
        });
        folio.scope(work).await.unwrap();
        assert_eq!(kept(&pool).await, [1, 2, 3]);
    });
}

#[test]
fn a_page_that_is_polled_once_and_kept_does_not_spin_or_block() {
    watched(|| async {
        let (folio, pool, _kept) = impatient().await;
        let work = DB::transaction(async || {
            let guard = server::connection().await?;
            let mut page = pin!(Note::paginate(5));
            assert!(poll_fn(|context| Poll::Ready(page.as_mut().poll(context))).await.is_pending());
            tokio::time::sleep(Duration::from_millis(20)).await;
            drop(guard);
            insert(1).await?;
            let total = page.await?.total;
            assert_eq!(total, 1);
            Ok::<_, FrameworkError>(())
        });
        folio.scope(work).await.unwrap();
        assert_eq!(kept(&pool).await, [1]);
    });
}

/// The commit waits for the end of the statement that was cut short, and no longer than for a connection.
#[test]
fn a_statement_may_be_cut_short() {
    watched(|| async {
        let (folio, pool, _kept) = impatient().await;
        for round in 0..30 {
            db::run(&pool, "DELETE FROM notes").await;
            let work = DB::transaction(async || {
                insert(1).await?;
                let cut = Duration::from_micros(round * 40);
                let _ = timeout(cut, async {
                    let mut guard = server::connection().await?;
                    sqlx::query("SELECT a.id, b.id FROM notes a, notes b").fetch_all(&mut *guard).await?;
                    Ok::<_, FrameworkError>(())
                })
                .await;
                Ok::<_, FrameworkError>(())
            });
            match folio.scope(work).await {
                Ok(()) => assert_eq!(kept(&pool).await, [1]),
                Err(_) => assert_eq!(kept(&pool).await, Vec::<i64>::new()),
            }
        }
        assert_none_in_transaction(&pool).await;
    });
}

/// Outside of a runtime no task can be spawned.
#[test]
fn a_transaction_may_be_dropped_outside_of_a_runtime() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let (folio, pool, _kept) = runtime.block_on(impatient());
    let work = DB::transaction(async || {
        insert(1).await?;
        std::future::pending::<()>().await;
        Err::<(), _>(failure())
    });
    let mut work = Box::pin(folio.scope(work));
    let waited = runtime.block_on(async { timeout(Duration::from_millis(500), work.as_mut()).await.is_err() });
    assert!(waited);
    drop(work);
    runtime.block_on(async {
        assert_none_in_transaction(&pool).await;
        assert_eq!(kept(&pool).await, Vec::<i64>::new());
    });
}
