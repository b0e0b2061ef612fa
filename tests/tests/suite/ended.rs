//! Transactions that end on the server before their work does: nothing more runs in them, and they report it.

use folio::{DB, Folio, FrameworkError, Paginate, Result};

use crate::server::{self, End, ID};
use crate::suite::db::{self, Pool};
use crate::suite::limit::limited;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[expect(dead_code, reason = "only the rows are counted")]
struct Note {
    id: i64,
}

async fn set_up() -> (Folio, Pool) {
    db::folio(&format!("CREATE TABLE notes (id {ID})")).await
}

async fn insert(id: i64) -> Result<()> {
    db::here(format!("INSERT INTO notes (id) VALUES ({id})")).await
}

async fn kept(pool: &Pool) -> Vec<i64> {
    sqlx::query_scalar("SELECT id FROM notes ORDER BY id").fetch_all(pool).await.unwrap()
}

/// Ends the transaction on the server, whatever the statement itself comes to.
async fn end(end: End) -> Result<()> {
    let _ = sqlx::raw_sql(end.sql).execute(&mut *server::connection().await?).await;
    Ok(())
}

fn says_so(error: &FrameworkError) {
    assert!(matches!(error, FrameworkError::Internal { .. }), "{error}");
    assert!(error.to_string().contains("ended on the server"), "{error}");
}

/// What is there after a transaction that inserted 1 and was ended: by a commit, or else by a rollback.
fn left(end: End) -> &'static [i64] {
    if end.commits { &[1] } else { &[] }
}

async fn usable(pool: &Pool) {
    for _ in 0..pool.options().get_max_connections() {
        let mut connection = pool.acquire().await.unwrap();
        assert!(!server::in_transaction(&mut connection).await, "a pooled connection is inside a transaction");
    }
}

#[tokio::test]
async fn it_is_reported_where_the_work_ignores_it() {
    for ending in server::ENDS {
        let (folio, pool) = set_up().await;
        let work = DB::transaction(async || {
            insert(1).await?;
            end(*ending).await
        });
        let result = limited(folio.scope(work)).await;
        says_so(&result.expect_err(ending.sql));
        assert_eq!(kept(&pool).await, left(*ending), "{}", ending.sql);
        usable(&pool).await;
    }
}

#[tokio::test]
async fn nothing_more_runs_in_it() {
    for ending in server::ENDS.iter().filter(|ending| !ending.begins) {
        let (folio, pool) = set_up().await;
        let work = DB::transaction(async || {
            insert(1).await?;
            end(*ending).await?;
            says_so(&insert(2).await.expect_err(ending.sql));
            says_so(&Note::paginate(5).await.expect_err(ending.sql));
            says_so(&DB::transaction(async || insert(3).await).await.expect_err(ending.sql));
            let handed_on = DB::current().unwrap();
            says_so(&tokio::spawn(async move { handed_on.scope(insert(4)).await }).await.unwrap().unwrap_err());
            Ok::<_, FrameworkError>(())
        });
        let result = limited(folio.scope(work)).await;
        says_so(&result.expect_err(ending.sql));
        assert_eq!(kept(&pool).await, left(*ending), "{}", ending.sql);
        usable(&pool).await;
    }
}

/// Where another transaction is begun by hand, what follows runs in that one, and is rolled back.
#[tokio::test]
async fn what_runs_after_it_is_not_kept() {
    for ending in server::ENDS {
        let (folio, pool) = set_up().await;
        let work = DB::transaction(async || {
            insert(1).await?;
            end(*ending).await?;
            let _ = insert(2).await;
            let _ = Note::paginate(5).await;
            let _: Result<()> = DB::transaction(async || insert(3).await).await;
            Ok::<_, FrameworkError>(())
        });
        let result = limited(folio.scope(work)).await;
        says_so(&result.expect_err(ending.sql));
        assert_eq!(kept(&pool).await, left(*ending), "{}", ending.sql);
        usable(&pool).await;
    }
}

#[tokio::test]
async fn a_nested_one_takes_the_transaction_around_it_along() {
    for ending in server::ENDS {
        let (folio, pool) = set_up().await;
        let work = DB::transaction(async || {
            insert(1).await?;
            let nested: Result<()> = DB::transaction(async || end(*ending).await).await;
            says_so(&nested.expect_err(ending.sql));
            says_so(&insert(2).await.expect_err(ending.sql));
            Ok::<_, FrameworkError>(())
        });
        let result = limited(folio.scope(work)).await;
        says_so(&result.expect_err(ending.sql));
        assert_eq!(kept(&pool).await, left(*ending), "{}", ending.sql);
        usable(&pool).await;
    }
}

/// The work's own error says more, and the connection is as good as new.
#[tokio::test]
async fn an_error_of_the_work_passes_through() {
    for ending in server::ENDS {
        let (folio, pool) = set_up().await;
        let work = DB::transaction(async || {
            insert(1).await?;
            end(*ending).await?;
            Err::<(), _>(FrameworkError::Internal { message: "on purpose".into() })
        });
        let error = limited(folio.scope(work)).await.unwrap_err();
        assert_eq!(error.to_string(), "on purpose", "{}", ending.sql);
        assert_eq!(kept(&pool).await, left(*ending), "{}", ending.sql);
        usable(&pool).await;
        folio.scope(DB::transaction(async || insert(5).await)).await.unwrap();
    }
}

/// What fails on its own, or is rolled back to a savepoint by hand, leaves the transaction as it is.
#[tokio::test]
async fn a_statement_that_does_not_end_it_is_no_end() {
    let (folio, pool) = set_up().await;
    let work = DB::transaction(async || {
        insert(1).await?;
        // As sent: MySQL does not prepare savepoints, and PostgreSQL nothing after an error.
        sqlx::raw_sql("SAVEPOINT mine").execute(&mut *server::connection().await?).await?;
        insert(2).await?;
        assert!(insert(1).await.is_err());
        sqlx::raw_sql("ROLLBACK TO SAVEPOINT mine").execute(&mut *server::connection().await?).await?;
        insert(3).await?;
        DB::transaction(async || insert(4).await).await?;
        sqlx::raw_sql("RELEASE SAVEPOINT mine").execute(&mut *server::connection().await?).await?;
        assert_eq!(Note::paginate(5).await?.total, 3);
        Ok::<_, FrameworkError>(())
    });
    limited(folio.scope(work)).await.unwrap();
    assert_eq!(kept(&pool).await, [1, 3, 4]);
}
