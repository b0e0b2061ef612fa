//! A deadlock rolls back the whole transaction on MySQL and MariaDB. Work that ignores it does not continue.

use folio::{DB, Folio, FrameworkError, Result};
use folio_tests::limit::limited;

use crate::server;
use crate::suite::db::{self, Pool};
use crate::suite::transactions::notes::{Note, assert_ended, insert, kept};

async fn set_up() -> (Folio, Pool) {
    let schema = "CREATE TABLE notes (id BIGINT PRIMARY KEY); CREATE TABLE pairs (id BIGINT PRIMARY KEY, name TEXT); \
                  INSERT INTO pairs VALUES (1, 'a'), (2, 'b')";
    db::folio(schema).await
}

/// Makes the task's transaction the victim of a deadlock. Returns the error.
async fn deadlock(pool: &Pool) -> Result<FrameworkError> {
    let error = server::deadlock(&mut *server::connection().await?, pool).await.unwrap();
    assert!(error.to_string().contains("1213"), "{error}");
    Ok(error.into())
}

#[tokio::test]
async fn a_deadlock_that_is_ignored_is_reported() {
    for nested in [false, true] {
        let (folio, pool) = set_up().await;
        let work = DB::transaction(async || {
            insert(10).await?;
            let work = async || {
                deadlock(&pool).await?;
                for error in [
                    insert(11).await.unwrap_err(),
                    Note::paginate(5).await.unwrap_err(),
                    DB::transaction(async || insert(12).await).await.unwrap_err(),
                ] {
                    assert_ended(&error);
                }
                Ok::<_, FrameworkError>(())
            };
            if nested { DB::transaction(work).await } else { work().await }
        });
        let result: Result<()> = limited(folio.scope(work)).await;
        assert_ended(&result.unwrap_err());
        assert_eq!(kept(&pool).await, [0; 0]);
    }
}

/// Work that returns the error gets it back, to retry.
#[tokio::test]
async fn a_deadlock_that_is_passed_on_is_the_error() {
    let (folio, pool) = set_up().await;
    let work = DB::transaction(async || Err::<(), _>(deadlock(&pool).await?));
    let error = limited(folio.scope(work)).await.unwrap_err();
    assert!(matches!(error, FrameworkError::Database(_)) && error.to_string().contains("1213"), "{error}");
}
