//! Sessions that the server ends while a transaction runs on them. The error is the database's own.

use folio::{DB, Folio, FrameworkError, Result};
use folio_tests::limit::limited;

use crate::server;
use crate::suite::db::Pool;
use crate::suite::transactions::notes::{assert_none_in_transaction, insert, kept, set_up};

/// Ends the session of the transaction that the task is in.
async fn kill(pool: &Pool) -> Result<()> {
    let session = server::session(&mut *server::connection().await?).await;
    server::kill(session, pool).await;
    Ok(())
}

/// Runs `work` in a transaction that has inserted a row and whose session has ended.
async fn run((folio, pool): &(Folio, Pool), work: impl AsyncFnOnce() -> Result<()>) {
    let transaction = DB::transaction(async || {
        insert(1).await?;
        kill(pool).await?;
        work().await
    });
    let error = limited(folio.scope(transaction)).await.expect_err("the session has ended");
    assert!(matches!(error, FrameworkError::Database(_)), "{error:?}");
    assert!(kept(pool).await.is_empty());
    assert_none_in_transaction(pool).await;
}

#[tokio::test]
async fn a_commit_on_a_session_that_has_ended_fails() {
    run(&set_up().await, async || Ok(())).await;
}

#[tokio::test]
async fn a_session_that_has_ended_is_not_lent() {
    let borrow = async || {
        let lent = server::connection().await.map(drop);
        assert!(matches!(lent, Err(FrameworkError::Database(_))), "{lent:?}");
        lent
    };
    run(&set_up().await, borrow).await;
}
