//! The statements that folio runs, recorded from sqlx, so that the same can be run by hand.

use folio_tests::recorder::{record_statements, stop_recording_statements, take_statements};

/// What `work` returns, and the statements that it ran on the measured table, without the catalog queries that run once
/// a minute. They are leaked, because sqlx accepts static statements as they are.
pub async fn of<T>(work: impl Future<Output = T>) -> (T, Vec<&'static str>) {
    record_statements();
    let done = work.await;
    // SQLite reports on its own thread, perhaps a little later.
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    stop_recording_statements();
    let read = take_statements(|sql| sql.contains("posts"));
    take_statements(|_| true);
    (done, read.into_iter().map(|sql| &*sql.leak()).collect())
}
