//! Statements that run concurrently with a nested transaction: they wait for it, and never run inside it.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use folio::{DB, FrameworkError, Result};
use folio_tests::limit::limited;
use futures_util::future::join_all;
use tokio::sync::Notify;

use super::notes::{Note, failure, insert, kept, set_up};

async fn yield_often() {
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
}

/// Inserts a row in a nested transaction, notifies `begun`, and runs for a while before it ends.
async fn nested(id: i64, begun: &Notify, keep: bool) -> Result<()> {
    DB::transaction(async || {
        insert(id).await?;
        begun.notify_one();
        yield_often().await;
        insert(id + 100).await?;
        if keep { Ok(()) } else { Err(failure()) }
    })
    .await
}

#[tokio::test]
async fn a_write_next_to_a_nested_transaction_is_not_rolled_back_with_it() {
    for keep in [false, true] {
        let (folio, pool) = set_up().await;
        let work = DB::transaction(async || {
            let begun = Notify::new();
            let beside = async {
                begun.notified().await;
                insert(2).await
            };
            let (nested, beside) = tokio::join!(nested(1, &begun, keep), beside);
            assert_eq!(nested.is_ok(), keep);
            beside
        });
        limited(folio.scope(work)).await.unwrap();
        let expected: &[i64] = if keep { &[1, 2, 101] } else { &[2] };
        assert_eq!(kept(&pool).await, expected);
    }
}

#[tokio::test]
async fn a_page_next_to_a_nested_transaction_does_not_see_its_rows() {
    let (folio, _pool) = set_up().await;
    let work = DB::transaction(async || {
        let begun = Notify::new();
        let page = async {
            begun.notified().await;
            Note::paginate(5).await
        };
        let (nested, page) = tokio::join!(nested(1, &begun, false), page);
        assert!(nested.is_err());
        assert_eq!(page?.total, 0);
        Ok::<_, FrameworkError>(())
    });
    limited(folio.scope(work)).await.unwrap();
}

#[tokio::test]
async fn concurrent_branches_write_and_nest() {
    let (folio, pool) = set_up().await;
    let work = DB::transaction(async || {
        let branch = async |id: i64| {
            insert(id).await?;
            let nested: Result<()> = DB::transaction(async || {
                let inner = async |id: i64, keep: bool| {
                    let inner: Result<()> = DB::transaction(async || {
                        insert(id).await?;
                        yield_often().await;
                        if keep { Ok(()) } else { Err(failure()) }
                    })
                    .await;
                    assert_eq!(inner.is_ok(), keep);
                };
                let (kept, (), ()) = tokio::join!(insert(id + 1), inner(id + 2, true), inner(id + 3, false));
                kept?;
                if id % 20 == 0 { Err(failure()) } else { Ok(()) }
            })
            .await;
            assert_eq!(nested.is_err(), id % 20 == 0);
            insert(id + 4).await
        };
        let results = join_all((0..6).map(|branches| branch(branches * 10))).await;
        results.into_iter().collect::<Result<Vec<()>>>()
    });
    limited(folio.scope(work)).await.unwrap();
    let expected = (0..6).map(|branch| branch * 10);
    let expected = expected.flat_map(|id| {
        let inner: &[i64] = if id % 20 == 0 { &[] } else { &[1, 2] };
        [&[0], inner, &[4]].concat().into_iter().map(move |more| id + more)
    });
    assert_eq!(kept(&pool).await, expected.collect::<Vec<i64>>());
}

#[tokio::test]
async fn a_handle_of_an_outer_level_is_refused_inside_a_nested_transaction() {
    let (folio, pool) = set_up().await;
    let work = DB::transaction(async || {
        let outer = DB::current().unwrap();
        DB::transaction(async || {
            insert(1).await?;
            let errors = [
                outer.scope(insert(2)).await.unwrap_err(),
                outer.scope(Note::paginate(5)).await.unwrap_err(),
                outer.scope(DB::transaction(async || insert(3).await)).await.unwrap_err(),
            ];
            for error in errors {
                assert!(matches!(error, FrameworkError::Internal { .. }), "{error}");
                assert!(error.to_string().contains("nested transaction is open"), "{error}");
            }
            // A handle of the nested transaction works in any task.
            let inner = DB::current().unwrap();
            tokio::spawn(async move { inner.scope(insert(5)).await }).await.unwrap()
        })
        .await?;
        outer.scope(insert(6)).await
    });
    limited(folio.scope(work)).await.unwrap();
    assert_eq!(kept(&pool).await, [1, 5, 6]);
}

#[tokio::test]
async fn a_statement_waits_while_another_task_has_a_nested_transaction_open() {
    let (folio, pool) = set_up().await;
    let work = DB::transaction(async || {
        let begun = Arc::new(Notify::new());
        let task = {
            let (transaction, begun) = (DB::current().unwrap(), Arc::clone(&begun));
            tokio::spawn(async move { transaction.scope(nested(1, &begun, true)).await })
        };
        begun.notified().await;
        let nested = DB::transaction(async || insert(4).await);
        let (inserted, page, nested) = tokio::join!(insert(3), Note::paginate(5), nested);
        inserted?;
        nested?;
        assert!((2..=4).contains(&page?.total));
        task.await.unwrap()
    });
    limited(folio.scope(work)).await.unwrap();
    assert_eq!(kept(&pool).await, [1, 3, 4, 101]);
}

/// A page that starts to wait beside one nested transaction and is polled inside the next would wait for itself.
#[tokio::test]
async fn a_nested_page_that_waits_for_an_outer_level_is_refused() {
    let (folio, pool) = set_up().await;
    let work = DB::transaction(async || {
        let begun = Notify::new();
        let beside = async {
            begun.notified().await;
            let mut page = pin!(Note::paginate(5));
            assert!(poll_fn(|context| Poll::Ready(page.as_mut().poll(context))).await.is_pending());
            let error = DB::transaction(async || Ok::<_, FrameworkError>(page.as_mut().await.unwrap_err())).await?;
            assert!(error.to_string().contains("nested transaction is open"), "{error}");
            insert(2).await
        };
        let (nested, beside) = tokio::join!(nested(1, &begun, true), beside);
        nested.and(beside)
    });
    limited(folio.scope(work)).await.unwrap();
    assert_eq!(kept(&pool).await, [1, 2, 101]);
}
