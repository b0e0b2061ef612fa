//! Transactions across tasks: a handle passes one on, and ends with it.

use std::sync::Arc;

use folio::{ActiveRequest, DB, Folio, FrameworkError, Result};
use tokio::sync::Notify;

use super::notes::{Note, assert_none_in_transaction, drop_after, failure, insert, kept, set_up};

/// Application, request and transaction belong to a task, and each can be passed to another task.
#[tokio::test]
async fn a_spawned_task_is_outside_the_transaction_until_given_a_handle() {
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
                    // A savepoint that the task sets.
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
async fn a_handle_does_not_outlive_its_transaction() {
    let (folio, pool) = set_up().await;
    let ended = async |handle: &folio::TransactionHandle| {
        let errors = [
            handle.scope(insert(9)).await.unwrap_err(),
            handle.scope(Note::paginate(5)).await.unwrap_err(),
            handle.scope(DB::transaction(async || insert(9).await)).await.unwrap_err(),
        ];
        for error in errors {
            assert!(matches!(error, FrameworkError::Internal { .. }), "{error}");
            assert_eq!(error.to_string(), "the transaction passed to this task has already ended");
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
        // A savepoint's handle ends with the savepoint, not with the transaction.
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

/// A transaction cannot commit while another task has a nested transaction open in it.
#[tokio::test]
async fn a_transaction_does_not_commit_while_a_nested_one_runs() {
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
    assert!(error.to_string().contains("has already ended"), "{error}");
    assert_eq!(kept(&pool).await, Vec::<i64>::new());
    assert_none_in_transaction(&pool).await;
}
