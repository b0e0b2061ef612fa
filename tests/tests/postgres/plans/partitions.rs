//! What PostgreSQL reads for a page of a partitioned or foreign table.

use folio::{Folio, Key, Keyring};
use folio_tests::recorder::Recorder;
use sqlx::PgPool as Pool;

use super::{explained_in, options, planned, read};
use crate::million::{Cost, PER_PAGE, Shape, shapes};

/// The most rows that a page may read: one more for each partition, if it reads from all of them.
const ROWS: u64 = 12 * PER_PAGE + 10;

/// The keys. In each layout the first three have an index.
const KEYS: [&str; 4] = ["id", "moment, id", "moment desc, id desc", "tie desc, id asc"];

fn keys() -> impl Iterator<Item = Shape> {
    shapes().into_iter().filter(|shape| KEYS.contains(&shape.name))
}

/// The same rows in their own schema, unless an earlier run has left them there.
async fn laid_out(schema: &str, create: &str) -> Pool {
    let plain = planned().await;
    let run = async |sql: &str| sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&plain).await.map(drop).unwrap();
    run("SELECT pg_advisory_lock(7422)").await;
    let made = format!("SELECT obj_description(to_regclass('{schema}.planned')) IS NOT DISTINCT FROM $1");
    let made = sqlx::query_scalar(sqlx::AssertSqlSafe(made)).bind(create);
    if !made.fetch_one(&plain).await.unwrap_or(false) {
        run(&format!("DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}")).await;
        run(&format!("SET search_path = {schema}; {create}")).await;
        run("ANALYZE planned").await;
        let kind = if schema.ends_with("foreign") { "FOREIGN TABLE" } else { "TABLE" };
        run(&format!("COMMENT ON {kind} planned IS {}", literal(create))).await;
        run("SET search_path = folio_million").await;
    }
    run("SELECT pg_advisory_unlock(7422)").await;
    plain
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A partitioned table with the indexes of the keys.
fn partitioned(by: &str, partitions: &str) -> String {
    let columns = "id BIGINT NOT NULL, moment INT NOT NULL, tie INT NOT NULL, maybe INT, a INT NOT NULL, b INT NOT NULL, \
                   tenant INT NOT NULL";
    format!(
        "CREATE TABLE planned ({columns}) PARTITION BY {by}; {partitions}; \
         INSERT INTO planned SELECT * FROM folio_million.planned; \
         CREATE INDEX ON planned (id); CREATE INDEX ON planned (moment, id); CREATE INDEX ON planned (tie DESC, id)"
    )
}

/// Partitions by `moment`, which is between 0 and 333,334.
fn by_moment(count: u32) -> String {
    let step = 333_400 / count;
    let partition = |at: u32| {
        let (from, to) = (at * step, (at + 1) * step + if at + 1 == count { count } else { 0 });
        format!("CREATE TABLE planned_{at} PARTITION OF planned FOR VALUES FROM ({from}) TO ({to})")
    };
    partitioned("RANGE (moment)", &(0..count).map(partition).collect::<Vec<_>>().join("; "))
}

fn by_hash(count: u32) -> String {
    let partition = |at: u32| {
        format!("CREATE TABLE planned_{at} PARTITION OF planned FOR VALUES WITH (MODULUS {count}, REMAINDER {at})")
    };
    partitioned("HASH (id)", &(0..count).map(partition).collect::<Vec<_>>().join("; "))
}

/// Checks how many rows and blocks the pages of each key read.
async fn expect(schema: &str, create: &str, blocks: impl Fn(&str) -> u64) {
    let table = laid_out(schema, create).await;
    // Custom plans exclude at least as many partitions.
    let pool = explained_in(schema, "force_generic_plan").await;
    let log = Recorder::of_target("sqlx::postgres::notice");
    let measure = async {
        for shape in keys() {
            let mut cost = shape.dearest(&table, async || read(&log)).await;
            // At most one page a minute looks up its table in the catalog.
            if cost.rows > ROWS || cost.beside > blocks(shape.name) {
                cost = shape.dearest(&table, async || read(&log)).await;
            }
            let Cost { rows, beside } = cost;
            println!("{schema}, {}: {rows} rows, {beside} blocks", shape.name);
            assert!((1..=ROWS).contains(&rows), "{schema}, {}: {rows} rows for a page", shape.name);
            assert!(beside <= blocks(shape.name), "{schema}, {}: {beside} blocks for a page", shape.name);
        }
    };
    Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())).scope(measure).await;
}

/// After a boundary in the partition column, the partitions before it are not visited.
fn of_partitions(count: u64) -> impl Fn(&str) -> u64 {
    move |key| if key.starts_with("moment") { 60 } else { 100 + 8 * count }
}

#[tokio::test]
async fn a_walk_by_the_partition_key_visits_few_partitions() {
    expect("folio_million_8", &by_moment(8), of_partitions(8)).await;
    expect("folio_million_100", &by_moment(100), of_partitions(100)).await;
}

#[tokio::test]
async fn a_page_by_another_key_reads_at_most_a_page_of_each_partition() {
    expect("folio_million_hash", &by_hash(8), |_| 100 + 8 * 8).await;
}

#[tokio::test]
async fn a_page_of_a_foreign_table_is_found_by_the_other_server() {
    let plain = planned().await;
    let has = "SELECT EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'postgres_fdw')";
    if !sqlx::query_scalar(has).fetch_one(&plain).await.unwrap_or(false) {
        eprintln!("skipped: the server does not have postgres_fdw");
        return;
    }
    let options = options("folio_million");
    let here = format!(
        "host {}, port '{}', dbname {}",
        literal(options.get_host()),
        options.get_port(),
        literal(options.get_database().unwrap_or("postgres"))
    );
    let create = format!(
        "CREATE EXTENSION IF NOT EXISTS postgres_fdw; \
         DROP SERVER IF EXISTS folio_million CASCADE; \
         CREATE SERVER folio_million FOREIGN DATA WRAPPER postgres_fdw OPTIONS ({here}); \
         CREATE USER MAPPING FOR CURRENT_USER SERVER folio_million OPTIONS (user {}); \
         IMPORT FOREIGN SCHEMA folio_million LIMIT TO (planned) FROM SERVER folio_million INTO folio_million_foreign",
        literal(options.get_username())
    );
    // The blocks of the foreign table belong to the other server. Only catalog blocks are counted.
    expect("folio_million_foreign", &create, |_| 100).await;
}
