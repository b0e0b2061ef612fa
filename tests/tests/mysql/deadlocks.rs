//! A deadlock rolls the whole transaction back on MySQL and MariaDB: a work that ignores it does not go on.

use folio::{DB, Folio, FrameworkError, Paginate, Result};

use crate::server;
use crate::suite::db::{self, Pool};
use crate::suite::limit::limited;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[expect(dead_code, reason = "only the rows are counted")]
struct Note {
    id: i64,
}

async fn set_up() -> (Folio, Pool) {
    let schema = "CREATE TABLE notes (id BIGINT PRIMARY KEY); CREATE TABLE pairs (id BIGINT PRIMARY KEY, name TEXT); \
                  INSERT INTO pairs VALUES (1, 'a'), (2, 'b')";
    db::folio(schema).await
}

/// Makes the task's transaction the victim of a deadlock. The error.
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
            db::here("INSERT INTO notes VALUES (10)").await?;
            let work = async || {
                deadlock(&pool).await?;
                for error in [
                    db::here("INSERT INTO notes VALUES (11)").await.unwrap_err(),
                    Note::paginate(5).await.unwrap_err(),
                    DB::transaction(async || db::here("INSERT INTO notes VALUES (12)").await).await.unwrap_err(),
                ] {
                    assert!(error.to_string().contains("ended on the server"), "{error}");
                }
                Ok::<_, FrameworkError>(())
            };
            if nested { DB::transaction(work).await } else { work().await }
        });
        let result: Result<()> = limited(folio.scope(work)).await;
        let error = result.unwrap_err();
        assert!(error.to_string().contains("ended on the server"), "{error}");
        let kept: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM notes").fetch_one(&pool).await.unwrap();
        assert_eq!(kept, 0);
    }
}

/// A work that passes the error on gets it back, to try again.
#[tokio::test]
async fn a_deadlock_that_is_passed_on_is_the_error() {
    let (folio, pool) = set_up().await;
    let work = DB::transaction(async || Err::<(), _>(deadlock(&pool).await?));
    let error = limited(folio.scope(work)).await.unwrap_err();
    assert!(matches!(error, FrameworkError::Database(_)) && error.to_string().contains("1213"), "{error}");
}
