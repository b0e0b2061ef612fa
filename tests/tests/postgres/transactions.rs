//! What PostgreSQL's transactions allow, and folio's own statements must not prevent.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use folio::{DB, Folio, FrameworkError, Isolation};
use folio_tests::proxy::{self, Passed, Sender};

use crate::server;
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

/// An error with this message, and the end of a statement.
fn refusal(message: &str) -> Vec<u8> {
    let fields = format!("SERROR\0VERROR\0C58000\0M{message}\0\0");
    let length = u32::try_from(fields.len() + 4).unwrap();
    [b"E", &length.to_be_bytes()[..], fields.as_bytes(), b"Z\0\0\0\x05I"].concat()
}

/// PgDog refuses BEGIN and SET LOCAL in one message. Only the first transaction of a pool finds out.
#[tokio::test]
async fn a_transaction_begins_behind_a_proxy_that_refuses_set_beside_other_statements() {
    let (_, direct) = db::folio("CREATE TABLE notes (id BIGINT PRIMARY KEY)").await;
    let refused = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&refused);
    let pass = move |sender, message: &[u8]| {
        let text = String::from_utf8_lossy(message);
        let is_mixed = sender == Sender::Client && text.starts_with('Q') && text.contains(';') && text.contains("SET ");
        if !is_mixed {
            return Passed::Unchanged;
        }
        count.fetch_add(1, Ordering::SeqCst);
        Passed::Answered(refusal("multi-statement queries cannot mix SET with other commands"))
    };
    let port = proxy::changing(server::port(&direct), server::PROTOCOL, pass).await;
    let folio = Folio::new(server::at_port(port, &direct));
    let insert = async |id: i64| {
        sqlx::query("INSERT INTO notes VALUES ($1)").bind(id).execute(&mut *DB::postgres().await?).await?;
        Ok::<_, FrameworkError>(())
    };
    folio.scope(DB::transaction(async || insert(1).await)).await.unwrap();
    folio.scope(DB::transaction_with(Isolation::Serializable, async || insert(2).await)).await.unwrap();
    let level: String = folio
        .scope(DB::transaction_with(Isolation::RepeatableRead, async || {
            // A guard that was dropped lets folio look for its transaction.
            insert(3).await?;
            Ok::<_, FrameworkError>(
                sqlx::query_scalar("SHOW transaction_isolation").fetch_one(&mut *DB::postgres().await?).await?,
            )
        }))
        .await
        .unwrap();
    assert_eq!(level, "repeatable read");
    let ended = folio.scope(DB::transaction(async || {
        insert(4).await?;
        db::here("COMMIT").await
    }));
    let error = ended.await.unwrap_err();
    assert!(error.to_string().contains("ended"), "{error}");
    let failed = folio.scope(DB::transaction(async || insert(1).await)).await.unwrap_err();
    assert!(failed.to_string().contains("duplicate key"), "{failed}");
    let ids: Vec<i64> = sqlx::query_scalar("SELECT id FROM notes ORDER BY id").fetch_all(&direct).await.unwrap();
    assert_eq!(ids, [1, 2, 3, 4]);
    assert_eq!(refused.load(Ordering::SeqCst), 1, "it is remembered");
}
