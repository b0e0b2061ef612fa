//! What PostgreSQL's transactions allow, and folio's own statements must not prevent.

use folio::{DB, FrameworkError};

use crate::suite::db;

/// The mode of a transaction can be set until its first query. folio looks for the transaction in between, because the
/// first guard may have ended it.
#[tokio::test]
async fn a_transaction_without_a_query_can_still_be_set() {
    let (folio, _pool) = db::folio("CREATE TABLE notes (id BIGINT PRIMARY KEY)").await;
    let level = folio.scope(DB::transaction(async || {
        sqlx::query("SET LOCAL application_name = 'notes'").execute(&mut *DB::postgres().await?).await?;
        sqlx::query("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE").execute(&mut *DB::postgres().await?).await?;
        let level: String =
            sqlx::query_scalar("SHOW transaction_isolation").fetch_one(&mut *DB::postgres().await?).await?;
        Ok::<_, FrameworkError>(level)
    }));
    assert_eq!(level.await.unwrap(), "serializable");
}
