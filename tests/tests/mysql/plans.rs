//! What MySQL or MariaDB reads for a page: as much at every depth of a million rows, as the session's handler counters
//! tell.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::str::FromStr as _;

use folio::{Folio, Key, Keyring, Nulls};
use sqlx::mysql::{MySqlConnectOptions, MySqlPool, MySqlPoolOptions};

#[path = "../db/million.rs"]
mod million;

use million::{COLUMNS, Cost, INDEXES, PER_PAGE, TABLE};

/// How many rows a page may read, of the table and of what the database puts together for itself.
const ROWS: u64 = 12 * PER_PAGE + 10;

/// The same where a key has NULLs at the wrong end behind another column: the next groups are found and sorted, too.
const GROUPED: u64 = 32 * PER_PAGE;

/// A pool of one connection on the table, so that its session's counters are those of the page.
async fn planned() -> MySqlPool {
    let url = std::env::var("FOLIO_MYSQL_URL").expect("FOLIO_MYSQL_URL names a server to test on");
    let options = MySqlConnectOptions::from_str(&url).unwrap();
    build(&options).await;
    MySqlPoolOptions::new().max_connections(1).connect_with(options.database("folio_million")).await.unwrap()
}

/// Makes the table, unless an earlier run has left the same.
async fn build(options: &MySqlConnectOptions) {
    let pool = MySqlPoolOptions::new().max_connections(1).connect_with(options.clone()).await.unwrap();
    let run = async |sql: &str| {
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&pool).await.unwrap();
    };
    // The six digits of a number, each from a table of its own: recursion would meet its limit.
    let digit = "(SELECT 0 AS d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 \
                 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)";
    let ids = format!(
        "SELECT 1 + u.d + 10 * v.d + 100 * w.d + 1000 * x.d + 10000 * y.d + 100000 * z.d AS id \
         FROM {digit} u, {digit} v, {digit} w, {digit} x, {digit} y, {digit} z"
    );
    let rows = format!("SELECT id, id * 7919 % 1000003 AS h, id * 104729 % 1000003 AS g FROM ({ids}) AS ids");
    let create =
        format!("CREATE TABLE {TABLE}; INSERT INTO planned SELECT {COLUMNS} FROM ({rows}) AS numbered ORDER BY id");
    let indexes = INDEXES.map(|columns| format!("ALTER TABLE planned ADD INDEX ({columns})")).join("; ");
    let create = format!("{create}; {indexes}; ANALYZE TABLE planned");
    run("SELECT GET_LOCK('folio_million', 600)").await;
    let mut hasher = DefaultHasher::new();
    create.hash(&mut hasher);
    let made = format!("made_{:x}", hasher.finish());
    let sql = "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'folio_million' AND table_name = ?";
    if sqlx::query_scalar::<_, i64>(sql).bind(&made).fetch_one(&pool).await.unwrap() == 0 {
        run("DROP DATABASE IF EXISTS folio_million; CREATE DATABASE folio_million; USE folio_million").await;
        run(&create).await;
        run(&format!("CREATE TABLE {made} (id INT)")).await;
    }
    pool.close().await;
}

/// The rows that the session read since the last call. What a condition throws away inside of an index is not counted
/// as read, but as an attempt of it.
async fn read(pool: &MySqlPool) -> Cost {
    let sql = "SHOW SESSION STATUS WHERE Variable_name LIKE 'Handler_read%' OR Variable_name = 'Handler_icp_attempts'";
    let counters: Vec<(String, String)> = sqlx::query_as(sql).fetch_all(pool).await.unwrap();
    sqlx::raw_sql("FLUSH STATUS").execute(pool).await.unwrap();
    let (attempts, read): (Vec<_>, Vec<_>) = counters.iter().partition(|(name, _)| name == "Handler_icp_attempts");
    let sum = |counters: &[&(String, String)]| counters.iter().map(|(_, value)| value.parse::<u64>().unwrap()).sum();
    Cost { rows: sum(&read), beside: sum(&attempts) }
}

#[tokio::test]
async fn a_page_reads_few_rows_at_every_depth() {
    let pool = planned().await;
    let [natural, elsewhere] = million::inner_nulls(Nulls::First);
    let shapes =
        million::shapes().into_iter().chain([natural]).map(|shape| (shape, ROWS)).chain([(elsewhere, GROUPED)]);
    let measure = async {
        for (shape, most) in shapes {
            // At most one page a minute looks its table up in the catalog, which is not what is measured here.
            let [once, again] = [
                shape.dearest(&pool, async || read(&pool).await).await,
                shape.dearest(&pool, async || read(&pool).await).await,
            ];
            let (rows, attempts) = (once.rows.min(again.rows), once.beside.min(again.beside));
            assert!((1..=most).contains(&rows), "{}: {rows} rows for a page", shape.name);
            assert!(attempts <= most, "{}: {attempts} index entries for a page", shape.name);
        }
    };
    Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())).scope(measure).await;
}

#[tokio::test]
async fn the_last_pages_by_number_are_read_from_the_end() {
    let pool = planned().await;
    Folio::new(pool.clone()).scope(million::far_by_number(async || read(&pool).await)).await;
}
