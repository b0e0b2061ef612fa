//! What the server reads for a count after a row and other small reads, by the session's counters.

use crate::server;
use crate::servers::small_reads::{check, fill};

#[tokio::test]
async fn small_reads_read_few_rows() {
    let pool = server::pool(1).await;
    fill(&pool).await;
    let rows = async || {
        let sql = "SHOW SESSION STATUS LIKE 'Handler_read%'";
        let counters: Vec<(String, String)> = sqlx::query_as(sql).fetch_all(&pool).await.unwrap();
        sqlx::raw_sql("FLUSH STATUS").execute(&pool).await.unwrap();
        counters.iter().map(|(_, value)| value.parse::<u64>().unwrap()).sum()
    };
    // With a limit, the rows that are counted are written to a table of the server's own, and read there.
    check(&pool, rows, |[mysql, _]| mysql).await;
}
