//! Counts what SQLite does.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::SqlitePool;

/// How many instructions of SQLite's virtual machine are counted at once.
const EACH: u16 = 10;

/// Counts the instructions that the pool's only connection executes.
pub(super) async fn count_steps(pool: &SqlitePool) -> Arc<AtomicU64> {
    let steps = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&steps);
    let mut connection = pool.acquire().await.unwrap();
    connection.lock_handle().await.unwrap().set_progress_handler(EACH.into(), move || {
        counter.fetch_add(EACH.into(), Ordering::Relaxed);
        true
    });
    steps
}
