//! What MySQL or MariaDB reads for a page: as much at every depth of a million rows, by the session's handler counters and
//! the server's requests to its buffer pool.

use std::cell::Cell;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::str::FromStr as _;

use folio::{Folio, Key, Keyring, Nulls};
use sqlx::MySqlPool as Pool;
use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions};
use tokio::sync::Mutex;

#[path = "db/million.rs"]
mod million;

use million::{COLUMNS, Cost, INDEXES, PER_PAGE, Shape, TABLE};

/// How many rows a page may read, of the table and of what the database puts together for itself.
const ROWS: u64 = 12 * PER_PAGE + 10;

/// The same where a key has NULLs at the wrong end behind another column: the next groups are found and sorted, too.
const GROUPED: u64 = 32 * PER_PAGE;

/// How many requests to the buffer pool a page may make: of MySQL, and of MariaDB, which makes more for its estimates.
const BUFFERS: (u64, u64) = (300, 2_000);

/// What both tests count is the server's.
static ALONE: Mutex<()> = Mutex::const_new(());

/// A pool of one connection on the table, so that its session's counters are those of the page.
async fn planned() -> Pool {
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

/// What the session has read since the last call: rows and, if they are more, entries of an index that a condition has
/// thrown away inside of it; and how often the server has asked the buffer pool for a page.
async fn read(pool: &Pool, requests: &Cell<u64>) -> Cost {
    let sql = "SHOW SESSION STATUS WHERE Variable_name LIKE 'Handler_read%' OR Variable_name = 'Handler_icp_attempts'";
    let counters: Vec<(String, String)> = sqlx::query_as(sql).fetch_all(pool).await.unwrap();
    sqlx::raw_sql("FLUSH STATUS").execute(pool).await.unwrap();
    let (attempts, read): (Vec<_>, Vec<_>) = counters.iter().partition(|(name, _)| name == "Handler_icp_attempts");
    let sum =
        |counters: &[&(String, String)]| counters.iter().map(|(_, value)| value.parse::<u64>().unwrap()).sum::<u64>();
    let sql = "SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_read_requests'";
    let (_, now): (String, String) = sqlx::query_as(sql).fetch_one(pool).await.unwrap();
    let now = now.parse().unwrap();
    Cost { rows: sum(&read).max(sum(&attempts)), beside: now - requests.replace(now) }
}

/// Holds what pages cost against the limits.
async fn expect(pool: &Pool, shapes: impl IntoIterator<Item = (Shape, u64)>) {
    let requests = Cell::new(0);
    let version: String = sqlx::query_scalar("SELECT VERSION()").fetch_one(pool).await.unwrap();
    let most_requests = if version.contains("MariaDB") { BUFFERS.1 } else { BUFFERS.0 };
    let dearest = async |shape: &Shape| shape.dearest(pool, async || read(pool, &requests).await).await;
    for (shape, most) in shapes {
        let mut cost = dearest(&shape).await;
        // At most one page a minute looks its table up in the catalog, and the server has work of its own.
        if cost.rows > most || cost.beside > most_requests {
            cost = dearest(&shape).await;
        }
        let Cost { rows, beside: buffers } = cost;
        println!("{}: {rows} rows, {buffers} requests", shape.name);
        assert!((1..=most).contains(&rows), "{}: {rows} rows for a page", shape.name);
        assert!(buffers <= most_requests, "{}: {buffers} requests for a page", shape.name);
    }
}

#[tokio::test]
async fn a_page_reads_few_rows_at_every_depth() {
    let _alone = ALONE.lock().await;
    let pool = planned().await;
    let [natural, elsewhere] = million::inner_nulls(Nulls::First);
    let shapes =
        million::shapes().into_iter().chain([natural]).map(|shape| (shape, ROWS)).chain([(elsewhere, GROUPED)]);
    Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())).scope(expect(&pool, shapes)).await;
}

#[tokio::test]
async fn the_last_pages_by_number_are_read_from_the_end() {
    let _alone = ALONE.lock().await;
    let (pool, requests) = (planned().await, Cell::new(0));
    Folio::new(pool.clone()).scope(million::far_by_number(async || read(&pool, &requests).await)).await;
}
