//! Counts after a row, and other small reads: they read what they count, and one row otherwise.

use folio_tests::recorder::Recorder;

use super::totals::EXPLAINED;
use crate::server;
use crate::servers::small_reads::{check, fill};
use crate::suite::db;

#[tokio::test]
async fn small_reads_read_few_rows() {
    let pool = server::pool(1).await;
    fill(&pool).await;
    db::run(&pool, EXPLAINED).await;
    // While a test beside this one keeps an old snapshot, VACUUM cannot make index-only scans possible, and PostgreSQL
    // may prefer to read a table as small as this from its start.
    db::run(&pool, "SET enable_seqscan = off").await;
    let log = Recorder::of_target("sqlx::postgres::notice");
    check(&pool, async || super::read(&log).rows, |[_, postgres]| postgres).await;
}
