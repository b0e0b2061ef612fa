//! What MySQL or MariaDB reads for a page: the same at every depth of a million rows, by the session's handler counters
//! and the server's requests to its buffer pool.

use std::cell::Cell;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::str::FromStr as _;

use folio::{Folio, Key, Keyring, Nulls};
use sqlx::MySqlPool as Pool;
use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions};
use tokio::sync::Mutex;

mod million;

use million::texts::Text;
use million::{COLUMNS, Cost, INDEXES, PER_PAGE, Shape, TABLE, feeds};

/// How many rows a page may read, of the table and of what the database puts together for itself.
const ROWS: u64 = 12 * PER_PAGE + 10;

/// The same if NULLs are at the wrong end after another column: the next groups are also found and sorted.
const GROUPED: u64 = 32 * PER_PAGE;

/// The most buffer pool requests of a page on MySQL, and on MariaDB, which makes more for its estimates.
const BUFFERS: (u64, u64) = (300, 2_000);

/// The counters belong to the whole server, so the tests take turns.
static ALONE: Mutex<()> = Mutex::const_new(());

/// A pool of one connection on the table, so that its session's counters are those of the page.
async fn planned(schema: &str, create: &str) -> Pool {
    let url = std::env::var("FOLIO_MYSQL_URL").expect("FOLIO_MYSQL_URL names a server to test on");
    let options = MySqlConnectOptions::from_str(&url).unwrap();
    build(&options, schema, create).await;
    MySqlPoolOptions::new().max_connections(1).connect_with(options.database(schema)).await.unwrap()
}

/// Creates the table, unless an earlier run has left the same.
async fn build(options: &MySqlConnectOptions, schema: &str, create: &str) {
    let pool = MySqlPoolOptions::new().max_connections(1).connect_with(options.clone()).await.unwrap();
    run(&pool, &format!("SELECT GET_LOCK('{schema}', 600)")).await;
    let mut hasher = DefaultHasher::new();
    create.hash(&mut hasher);
    let made = format!("made_{:x}", hasher.finish());
    let sql = "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = ? AND table_name = ?";
    if sqlx::query_scalar::<_, i64>(sql).bind(schema).bind(&made).fetch_one(&pool).await.unwrap() == 0 {
        run(&pool, &format!("DROP DATABASE IF EXISTS {schema}; CREATE DATABASE {schema}; USE {schema}")).await;
        run(&pool, &format!("{create}; ANALYZE TABLE planned")).await;
        run(&pool, &format!("CREATE TABLE {made} (id INT)")).await;
    }
    pool.close().await;
}

async fn run(pool: &Pool, sql: &str) {
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(pool).await.unwrap();
}

/// The million rows.
fn rows() -> String {
    // Each of the six digits comes from its own table, because recursion would reach its limit.
    let digit = "(SELECT 0 AS d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 \
                 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)";
    let ids = format!(
        "SELECT 1 + u.d + 10 * v.d + 100 * w.d + 1000 * x.d + 10000 * y.d + 100000 * z.d AS id \
         FROM {digit} u, {digit} v, {digit} w, {digit} x, {digit} y, {digit} z"
    );
    let rows = format!("SELECT id, id * 7919 % 1000003 AS h, id * 104729 % 1000003 AS g FROM ({ids}) AS ids");
    format!("SELECT {COLUMNS} FROM ({rows}) AS numbered ORDER BY id")
}

/// The table with every index. Each is named by its number.
fn plain() -> String {
    format!("CREATE TABLE {TABLE}; INSERT INTO planned {}; {}", rows(), add_indexes(&INDEXES))
}

fn add_indexes(indexes: &[&str]) -> String {
    let indexes: Vec<_> =
        indexes.iter().enumerate().map(|(at, columns)| format!("ADD INDEX i{at} ({columns})")).collect();
    format!("ALTER TABLE planned {}", indexes.join(", "))
}

async fn is_mariadb(pool: &Pool) -> bool {
    sqlx::query_scalar::<_, String>("SELECT VERSION()").fetch_one(pool).await.unwrap().contains("MariaDB")
}

/// What the session has read since the last call: rows or, if there are more, index entries that a condition has
/// discarded; and the number of buffer pool requests.
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

/// Checks that no page costs more than its limit.
async fn expect(pool: &Pool, shapes: impl IntoIterator<Item = (Shape, Cost)>) {
    let requests = Cell::new(0);
    let dearest = async |shape: &Shape| shape.dearest(pool, async || read(pool, &requests).await).await;
    let measure = async {
        for (shape, most) in shapes {
            let mut cost = dearest(&shape).await;
            // At most one page a minute looks up its table in the catalog, and the server has background work.
            if cost.rows > most.rows || cost.beside > most.beside {
                cost = dearest(&shape).await;
            }
            let Cost { rows, beside: buffers } = cost;
            println!("{}: {rows} rows, {buffers} requests", shape.name);
            assert!((1..=most.rows).contains(&rows), "{}: {rows} rows for a page", shape.name);
            assert!(buffers <= most.beside, "{}: {buffers} requests for a page", shape.name);
        }
    };
    Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())).scope(measure).await;
}

/// The limits of a page that may read this many rows.
async fn limit(pool: &Pool) -> impl Fn(u64) -> Cost {
    let beside = if is_mariadb(pool).await { BUFFERS.1 } else { BUFFERS.0 };
    move |rows| Cost { rows, beside }
}

#[tokio::test]
async fn a_page_reads_few_rows_at_every_depth() {
    let _alone = ALONE.lock().await;
    let pool = planned("folio_million", &plain()).await;
    show_backwards(&pool, true).await;
    let limit = limit(&pool).await;
    let [natural, elsewhere] = million::inner_nulls(Nulls::First);
    let shapes = million::shapes().into_iter().chain(million::in_ties()).chain([natural]);
    expect(&pool, shapes.map(|shape| (shape, limit(ROWS))).chain([(elsewhere, limit(GROUPED))])).await;
}

/// A window costs a page, wherever it begins and ends.
#[tokio::test]
async fn a_window_reads_few_rows_at_every_depth() {
    let _alone = ALONE.lock().await;
    let pool = planned("folio_million", &plain()).await;
    let most = limit(&pool).await(ROWS);
    let requests = Cell::new(0);
    let meter = async || read(&pool, &requests).await;
    let is_expensive = |cost: Cost| cost.rows > most.rows || cost.beside > most.beside;
    let check = |name: &str, Cost { rows, beside: buffers }: Cost| {
        println!("{name}: {rows} rows, {buffers} requests");
        assert!((1..=most.rows).contains(&rows), "{name}: {rows} rows");
        assert!(buffers <= most.beside, "{name}: {buffers} requests");
    };
    let measure = async {
        for shape in million::shapes() {
            let mut costs = shape.costliest_windows(&pool, meter).await;
            // At most one page a minute looks up its table in the catalog.
            if costs.iter().any(|(_, cost)| is_expensive(*cost)) {
                costs = shape.costliest_windows(&pool, meter).await;
            }
            for (window, cost) in costs {
                check(&format!("{}, {window}", shape.name), cost);
            }
        }
        for (name, list) in million::seeks() {
            let mut cost = million::costliest_seek(list.clone(), meter).await;
            if is_expensive(cost) {
                cost = million::costliest_seek(list, meter).await;
            }
            check(name, cost);
        }
    };
    Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())).scope(measure).await;
}

/// SQL text is merged into the statement around it: a page of it reads few rows at every depth. MySQL reads an index
/// from its end instead of a range of it, unless the text names the index.
#[tokio::test]
async fn a_page_of_sql_text_reads_few_rows_at_every_depth() {
    let _alone = ALONE.lock().await;
    let (pool, requests) = (planned("folio_million", &plain()).await, Cell::new(0));
    let limit = limit(&pool).await;
    // MySQL also reads rows ahead, as many at every depth.
    let (hint, ahead) = if is_mariadb(&pool).await { ("", 0) } else { ("FORCE INDEX (PRIMARY, i0)", 20_000) };
    // MySQL does not merge a text with a subquery in its select list.
    let is_merged = |text: &Text| hint.is_empty() || text.name != "a counted relation";
    let measure = async {
        for text in million::texts::texts().into_iter().filter(is_merged) {
            let most = limit(text.reads * ROWS);
            let Cost { rows, beside: buffers } = text.dearest(&pool, hint, async || read(&pool, &requests).await).await;
            println!("{}: {rows} rows, {buffers} requests", text.name);
            assert!((1..=most.rows).contains(&rows), "{}: {rows} rows for a page", text.name);
            assert!(buffers <= text.reads * (most.beside + ahead), "{}: {buffers} requests for a page", text.name);
        }
    };
    Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())).scope(measure).await;
}

/// How many rows are counted for each row of a feed: it is read, written into a temporary table, and read there again.
const COUNTED: u64 = 3;

/// How many more are counted for each group whose head is read first: groups are read from a list and sorted, and each
/// column of a head is read by itself.
const HEADS: u64 = 10;

/// A page of many groups reads few rows of each.
#[tokio::test]
async fn a_page_of_a_feed_reads_few_rows_of_each_group() {
    let _alone = ALONE.lock().await;
    let (pool, requests) = (planned("folio_million", &plain()).await, Cell::new(0));
    let measure = async {
        for groups in feeds::GROUPS {
            for (page, Cost { rows, .. }) in feeds::costliest(groups, async || read(&pool, &requests).await).await {
                println!("{page} of {groups} groups: {rows} rows");
                let heads = if groups > 128 { HEADS * groups } else { 0 };
                let most = COUNTED * feeds::rows(groups) + heads;
                assert!((1..=most).contains(&rows), "{page} of {groups} groups: {rows} rows");
            }
        }
    };
    Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())).scope(measure).await;
}

/// The indexes that MySQL needs to read a mixed key backwards.
const BACKWARDS: [&str; 2] = ["tie, id DESC", "tenant, tie, id DESC"];

/// Shows those indexes of the plain table to the optimizer, or hides them.
async fn show_backwards(pool: &Pool, is_visible: bool) {
    let state = match (is_mariadb(pool).await, is_visible) {
        (true, true) => "NOT IGNORED",
        (true, false) => "IGNORED",
        (false, true) => "VISIBLE",
        (false, false) => "INVISIBLE",
    };
    for (at, columns) in INDEXES.iter().enumerate() {
        if BACKWARDS.contains(columns) {
            run(pool, &format!("ALTER TABLE planned ALTER INDEX i{at} {state}")).await;
        }
    }
}

/// MySQL does not read a range backwards along such an index: it sorts the rows that tie, or those of the filter.
#[tokio::test]
async fn a_mixed_key_with_one_index_reads_as_many_rows_as_tie() {
    let _alone = ALONE.lock().await;
    let pool = planned("folio_million", &plain()).await;
    show_backwards(&pool, false).await;
    let limit = limit(&pool).await;
    let rows = if is_mariadb(&pool).await { ROWS } else { 100_000 + ROWS };
    let shapes = million::shapes().into_iter().filter(|shape| shape.name.starts_with("tie desc, id asc"));
    expect(&pool, shapes.map(|shape| (shape, limit(rows)))).await;
    show_backwards(&pool, true).await;
}

/// The rows in partitions, with the indexes of some keys. The primary key has to contain the partition column.
fn partitioned(primary_key: &str, partitions: &str) -> String {
    let columns = TABLE.replace(" PRIMARY KEY", "");
    let table = format!(
        "CREATE TABLE {}, PRIMARY KEY ({primary_key})) PARTITION BY {partitions}",
        columns.trim_end_matches(')')
    );
    let indexes = add_indexes(&["moment, id", "tie DESC, id", "tie, id DESC", "tenant, moment, id"]);
    format!("{table}; INSERT INTO planned {}; {indexes}", rows())
}

/// Partitions by `moment`, which is between 0 and 333,334.
fn by_moment(count: u32) -> String {
    let partition = |at: u32| format!("PARTITION p{at} VALUES LESS THAN ({})", (at + 1) * 333_400 / count);
    let partitions: Vec<_> = (0..count).map(partition).collect();
    partitioned("id, moment", &format!("RANGE (moment) ({})", partitions.join(", ")))
}

fn by_hash(count: u32) -> String {
    partitioned("id", &format!("HASH (id) PARTITIONS {count}"))
}

/// The keys that partitioned tables have an index for.
const PARTITIONED: [&str; 5] =
    ["id", "moment, id", "moment desc, id desc", "tie desc, id asc", "moment, id of a tenant"];

/// Checks pages of a partitioned table: each partition adds a few rows and requests, at every depth.
async fn expect_partitioned(schema: &str, create: &str, partitions: u64) {
    let pool = planned(schema, create).await;
    let limit = limit(&pool).await;
    // MariaDB reads in each partition for its estimates.
    let requests = if is_mariadb(&pool).await { 200 } else { 50 };
    let shapes = million::shapes().into_iter().filter(|shape| PARTITIONED.contains(&shape.name)).map(|shape| {
        // The model's primary key is the id alone, so that a filtered page asks each partition for each of its rows.
        let rows = if shape.name.ends_with("of a tenant") { PER_PAGE + 5 } else { 5 };
        let Cost { rows, beside } = limit(ROWS + rows * partitions);
        (shape, Cost { rows, beside: beside + requests * partitions })
    });
    println!("{schema}");
    expect(&pool, shapes).await;
}

#[tokio::test]
async fn a_page_of_a_partitioned_table_reads_few_rows_of_each_partition() {
    let _alone = ALONE.lock().await;
    expect_partitioned("folio_million_hash_8", &by_hash(8), 8).await;
    expect_partitioned("folio_million_range_100", &by_moment(100), 100).await;
}

#[tokio::test]
#[ignore = "takes minutes"]
async fn a_page_reads_few_rows_of_each_partition_however_many_there_are() {
    let _alone = ALONE.lock().await;
    expect_partitioned("folio_million_range_8", &by_moment(8), 8).await;
    expect_partitioned("folio_million_hash_100", &by_hash(100), 100).await;
}

#[tokio::test]
async fn the_last_numbered_pages_are_read_from_the_end() {
    let _alone = ALONE.lock().await;
    let (pool, requests) = (planned("folio_million", &plain()).await, Cell::new(0));
    Folio::new(pool.clone()).scope(million::far_by_number(async || read(&pool, &requests).await)).await;
}
