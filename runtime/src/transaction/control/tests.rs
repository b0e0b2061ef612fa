use super::*;
#[cfg(feature = "sqlite")]
use crate::transaction::tests::{begun, notes, pool};

#[cfg(any(feature = "postgres", feature = "mysql"))]
const LEVELS: [Isolation; 3] = [Isolation::ReadCommitted, Isolation::RepeatableRead, Isolation::Serializable];

#[cfg(feature = "postgres")]
#[test]
fn postgresql_begins_at_a_level_in_one_statement() {
    let expected = [
        "BEGIN ISOLATION LEVEL READ COMMITTED",
        "BEGIN ISOLATION LEVEL REPEATABLE READ",
        "BEGIN ISOLATION LEVEL SERIALIZABLE",
    ];
    assert_eq!(LEVELS.map(begin_at), expected);
}

#[cfg(feature = "mysql")]
#[test]
fn mysql_sets_the_level_before_it_begins() {
    for (autocommit, chains, commit) in [
        (true, false, ""),
        (false, false, "COMMIT; "),
        (true, true, "COMMIT AND NO CHAIN NO RELEASE; "),
        (false, true, "COMMIT AND NO CHAIN NO RELEASE; "),
    ] {
        let session = Session { autocommit, chains };
        let expected = ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"]
            .map(|level| format!("{commit}SET TRANSACTION ISOLATION LEVEL {level}; BEGIN"));
        assert_eq!(LEVELS.map(|level| begin_at_level(Some(level), session)), expected);
        assert_eq!(begin_at_level(None, session), "BEGIN");
    }
}

#[cfg(feature = "sqlite")]
#[tokio::test]
async fn sqlx_counts_a_commit_of_the_marked_transaction() {
    let pool = pool().await;
    let mut open = begun(&pool).await;
    sqlx::raw_sql("INSERT INTO notes VALUES (1)").execute(&mut *open).await.expect("the table is empty");
    assert!(sqlx::Sqlite::commit_confirmed(&mut open).await.expect("it is open"));
    assert_eq!(open.depth(), 0);
    drop(open);
    assert_eq!(notes(&pool).await, 1);
}

#[cfg(feature = "sqlite")]
#[tokio::test]
async fn an_error_of_sqlite_is_recognized_by_its_message() {
    let error = sqlx::raw_sql("RELEASE mine").execute(&pool().await).await.expect_err("no savepoint is set");
    assert!(says(&error, "no such savepoint") && !says(&error, "within a transaction"));
    assert!(!says(&sqlx::Error::PoolClosed, "no such savepoint"));
}
