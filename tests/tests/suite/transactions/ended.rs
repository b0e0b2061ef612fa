//! Transactions that end on the server before their work does: nothing more runs in them, and the end is reported.

use folio::{DB, Folio, FrameworkError, Result};
use folio_tests::limit::limited;
use folio_tests::recorder::Recorder;
use sqlx::Connection as _;

use super::notes::{Note, assert_ended, assert_none_in_transaction, insert, kept, set_up};
use crate::server::{self, End};

/// Runs `work` in a transaction that has inserted 1, and that `work` ends on the server. Only that row may be kept, if
/// the end is a commit.
async fn run(ending: End, work: impl AsyncFnOnce() -> Result<()>) -> (Folio, FrameworkError) {
    let (folio, pool) = set_up().await;
    let transaction = DB::transaction(async || {
        insert(1).await?;
        work().await
    });
    let error = limited(folio.scope(transaction)).await.expect_err(ending.sql);
    let expected: &[i64] = if ending.commits { &[1] } else { &[] };
    assert_eq!(kept(&pool).await, expected, "{}", ending.sql);
    assert_none_in_transaction(&pool).await;
    (folio, error)
}

/// Ends the transaction on the server. The result of the statement itself does not matter.
async fn end(ending: End) -> Result<()> {
    let _ = sqlx::raw_sql(ending.sql).execute(&mut *server::connection().await?).await;
    Ok(())
}

#[tokio::test]
async fn an_end_that_the_work_ignores_is_reported() {
    for ending in server::ENDS {
        let (_, error) = run(*ending, async || end(*ending).await).await;
        assert_ended(&error);
    }
}

#[tokio::test]
async fn nothing_runs_after_the_end() {
    for ending in server::ENDS.iter().filter(|ending| !ending.begins) {
        let work = async || {
            end(*ending).await?;
            assert_ended(&insert(2).await.expect_err(ending.sql));
            assert_ended(&Note::paginate(5).await.expect_err(ending.sql));
            assert_ended(&DB::transaction(async || insert(3).await).await.expect_err(ending.sql));
            let handle = DB::current().unwrap();
            assert_ended(&tokio::spawn(async move { handle.scope(insert(4)).await }).await.unwrap().unwrap_err());
            Ok(())
        };
        assert_ended(&run(*ending, work).await.1);
    }
}

/// If the statement begins another transaction, what follows runs in that one and is rolled back.
#[tokio::test]
async fn statements_after_the_end_are_not_kept() {
    for ending in server::ENDS {
        let work = async || {
            end(*ending).await?;
            let _ = insert(2).await;
            let _ = Note::paginate(5).await;
            let _: Result<()> = DB::transaction(async || insert(3).await).await;
            Ok(())
        };
        assert_ended(&run(*ending, work).await.1);
    }
}

#[tokio::test]
async fn an_end_inside_a_nested_transaction_ends_the_outer_one() {
    for ending in server::ENDS {
        let work = async || {
            let nested: Result<()> = DB::transaction(async || end(*ending).await).await;
            assert_ended(&nested.expect_err(ending.sql));
            assert_ended(&insert(2).await.expect_err(ending.sql));
            Ok(())
        };
        assert_ended(&run(*ending, work).await.1);
    }
}

/// The work's own error says more. The connection can be used again.
#[tokio::test]
async fn an_error_from_the_work_is_returned_unchanged() {
    for ending in server::ENDS {
        let work = async || {
            end(*ending).await?;
            Err(FrameworkError::Internal { message: "on purpose".into() })
        };
        let (folio, error) = run(*ending, work).await;
        assert_eq!(error.to_string(), "on purpose", "{}", ending.sql);
        folio.scope(DB::transaction(async || insert(5).await)).await.unwrap();
    }
}

/// The work's error does not say that rows may have been kept, so a warning does. On MySQL and SQLite, one transaction
/// cannot be told from another that was begun in its place.
#[tokio::test]
async fn a_failed_transaction_logs_a_warning_only_if_it_had_already_ended() {
    let failed = || Err(FrameworkError::Internal { message: "on purpose".into() });
    let recorder = Recorder::of_target("folio::transaction::open");
    let (folio, _pool) = set_up().await;
    let work = async || {
        insert(1).await?;
        failed()
    };
    let result: Result<()> = folio.scope(DB::transaction(work)).await;
    assert!(result.is_err() && recorder.take().is_empty());
    for ending in server::ENDS.iter().filter(|ending| !ending.begins) {
        // The end may have been noticed before, by a nested transaction or a statement whose error the work has
        // replaced.
        for noticed in ["by nothing", "by a nested transaction", "by a statement"] {
            let work = async || {
                match noticed {
                    "by a nested transaction" => drop(DB::transaction(async || end(*ending).await).await),
                    "by a statement" => {
                        end(*ending).await?;
                        assert_ended(&insert(2).await.unwrap_err());
                    }
                    _ => end(*ending).await?,
                }
                failed()
            };
            run(*ending, work).await;
            let warnings = recorder.take();
            let is_one = matches!(&warnings[..], [warning] if warning.contains("had already ended"));
            assert!(is_one, "{}, noticed {noticed}: {warnings:?}", ending.sql);
        }
    }
}

#[tokio::test]
async fn a_failed_statement_or_a_rollback_to_a_savepoint_does_not_end_it() {
    let (folio, pool) = set_up().await;
    let work = DB::transaction(async || {
        insert(1).await?;
        // Not prepared: MySQL does not prepare savepoints, and PostgreSQL prepares nothing after an error.
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

/// Ending folio's transaction would end the caller's as well, and keep or lose rows that the caller has not decided
/// about.
#[tokio::test]
async fn a_transaction_that_was_begun_with_sqlx_and_left_open_is_reported() {
    let (folio, pool) = set_up().await;
    let assert_left_open = |error: FrameworkError| assert!(error.to_string().contains("still open"), "{error}");
    let work = async || {
        insert(1).await?;
        std::mem::forget(server::connection().await?.begin().await?);
        assert_left_open(insert(2).await.expect_err("an insert"));
        assert_left_open(Note::paginate(5).await.expect_err("a page"));
        assert_left_open(DB::transaction(async || insert(3).await).await.expect_err("a nested transaction"));
        Ok(())
    };
    assert_left_open(limited(folio.scope(DB::transaction(work))).await.expect_err("a commit"));
    assert!(kept(&pool).await.is_empty());
    assert_none_in_transaction(&pool).await;
}
