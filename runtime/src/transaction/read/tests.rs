use sqlx::SqlitePool;

use super::*;

#[tokio::test]
async fn statements_see_one_snapshot_from_repeatable_read_on() {
    for (isolation, expected) in [
        (None, false),
        (Some(Isolation::ReadCommitted), false),
        (Some(Isolation::RepeatableRead), true),
        (Some(Isolation::Serializable), true),
    ] {
        let pool = SqlitePool::connect("sqlite::memory:").await.expect("SQLite opens");
        let connection = pool.acquire().await.expect("a connection is free");
        let transaction = ReadTransaction::begin(connection, &pool, isolation).await.expect("it begins");
        assert_eq!(transaction.is_snapshot(), expected, "{isolation:?}");
        assert_eq!(format!("{transaction:?}"), "ReadTransaction(..)");
        assert!(transaction.names_statements());
    }
}
