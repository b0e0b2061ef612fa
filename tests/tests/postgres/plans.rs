//! What PostgreSQL reads for a page: the same at every depth of a million rows, according to EXPLAIN (ANALYZE, BUFFERS)
//! of the statements that ran, with custom and generic plans.

use std::str::FromStr as _;
use std::time::Duration;

use folio::{Folio, IntoOrder as _, Key, Keyring, Nulls};
use folio_tests::recorder::Recorder;
use serde_json::Value as Json;
use sqlx::PgPool as Pool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

mod citus;
mod expressions;
mod feeds;
mod kept;
mod keys_first;
mod partitions;
mod ranges;
mod small_reads;
mod totals;

use crate::million::{self, COLUMNS, Cost, INDEXES, PER_PAGE, Planned, TABLE};

/// How many rows a page may read.
const ROWS: u64 = 6 * PER_PAGE + 10;

/// Where the table is.
const SCHEMA: &str = "folio_million";

/// The most blocks that a page may touch: about one for a row read through an index, and a descent for each range.
const BLOCKS: u64 = 200;

fn options(schema: &str) -> PgConnectOptions {
    let url = std::env::var("FOLIO_POSTGRES_URL").expect("FOLIO_POSTGRES_URL names a server to test on");
    PgConnectOptions::from_str(&url).unwrap().options([("search_path", schema)])
}

/// A pool that explains each statement, and plans it as `plans` says.
async fn explained(plans: &str) -> Pool {
    explained_in(SCHEMA, plans).await
}

async fn explained_in(schema: &str, plans: &str) -> Pool {
    explained_with(options(schema), plans).await
}

async fn explained_with(options: PgConnectOptions, plans: &str) -> Pool {
    let explain = [
        ("session_preload_libraries", "auto_explain"),
        ("auto_explain.log_min_duration", "0"),
        ("auto_explain.log_analyze", "on"),
        ("auto_explain.log_buffers", "on"),
        ("auto_explain.log_format", "json"),
        ("client_min_messages", "log"),
        ("plan_cache_mode", plans),
    ];
    PgPoolOptions::new().max_connections(1).connect_with(options.options(explain)).await.unwrap()
}

/// A pool on the table, which is created unless an earlier run has left the same.
async fn planned() -> Pool {
    let pool = PgPoolOptions::new().max_connections(1).connect_with(options(SCHEMA)).await.unwrap();
    let run = async |sql: &str| sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&pool).await.map(drop).unwrap();
    let rows =
        "SELECT id, id * 7919 % 1000003 AS h, id * 104729 % 1000003 AS g FROM generate_series(1::BIGINT, 1000000) id";
    let schema = format!("CREATE TABLE {TABLE}; INSERT INTO planned SELECT {COLUMNS} FROM ({rows}) n;");
    let indexes = INDEXES.map(|columns| format!("CREATE INDEX ON planned ({columns});")).concat();
    let whole = format!("{schema} {indexes}");
    // A statement that waits for the lock would have a snapshot, in which the new rows are not visible.
    while !sqlx::query_scalar::<_, bool>("SELECT pg_try_advisory_lock(7421)").fetch_one(&pool).await.unwrap() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let made = "SELECT obj_description(to_regclass('folio_million.planned')) IS NOT DISTINCT FROM $1";
    if !sqlx::query_scalar::<_, bool>(made).bind(&whole).fetch_one(&pool).await.unwrap() {
        run("DROP SCHEMA IF EXISTS folio_million CASCADE; CREATE SCHEMA folio_million").await;
        run(&whole).await;
        vacuum(&pool).await;
        run(&format!("COMMENT ON TABLE planned IS '{whole}'")).await;
    }
    run("SELECT pg_advisory_unlock(7421)").await;
    pool
}

/// Vacuums the table until its pages are marked as visible to everyone, so that its indexes are read alone. As long as
/// a statement of another test has a snapshot from before the rows were inserted, they are not. Empty pages never are.
async fn vacuum(pool: &Pool) {
    let is_visible = "SELECT relallvisible >= 0.99 * relpages FROM pg_class WHERE oid = 'planned'::regclass";
    for _ in 0..300 {
        sqlx::raw_sql("VACUUM ANALYZE planned").execute(pool).await.unwrap();
        if sqlx::query_scalar::<_, bool>(is_visible).fetch_one(pool).await.unwrap() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    panic!("some pages of the table stay invisible to a transaction of another session");
}

/// The rows and blocks that the statements since the last call read, by their own explanations.
fn read(log: &Recorder) -> Cost {
    let plans = log.take().into_iter().filter_map(|line| Some(line.split_once("plan:\n")?.1.to_owned()));
    plans.fold(Cost { rows: 0, beside: 0 }, |cost, plan| {
        let plan: Json = serde_json::from_str(&plan).unwrap();
        let blocks = ["Shared Hit Blocks", "Shared Read Blocks"].map(|key| count(&plan["Plan"], key));
        Cost { rows: cost.rows + scanned(&plan["Plan"]), beside: cost.beside + blocks.iter().sum::<u64>() }
    })
}

/// A count of a plan, which PostgreSQL 18 writes as `16.00`.
fn count(node: &Json, key: &str) -> u64 {
    let count = node[key].as_f64().unwrap_or(0.0);
    assert!((0.0..=1e9).contains(&count), "{key}: {count}");
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is in that range")]
    return count.round() as u64;
}

/// The rows that the scans of a plan read, including those that they filtered out.
pub(crate) fn scanned(node: &Json) -> u64 {
    let below: u64 = node["Plans"].as_array().into_iter().flatten().map(scanned).sum();
    // The heap scan above a bitmap's index scan has the same rows.
    let is_bitmap = node["Node Type"] == "Bitmap Index Scan";
    let scans = (node.get("Relation Name").is_some() || node.get("Index Name").is_some()) && !is_bitmap;
    let rows = ["Actual Rows", "Rows Removed by Filter", "Rows Removed by Index Recheck"];
    let own = rows.iter().map(|key| count(node, key)).sum::<u64>() * count(node, "Actual Loops");
    if scans { below + own } else { below }
}

async fn expect(plans: &str) {
    let table = planned().await;
    let pool = explained(plans).await;
    let log = Recorder::of_target("sqlx::postgres::notice");
    let measure = async {
        // A plan for the value that many rows have may walk the primary key, and pass the rows with other values.
        let ties = million::in_ties().into_iter().filter(|_| plans == "force_generic_plan");
        for shape in million::shapes().into_iter().chain(ties).chain(million::inner_nulls(Nulls::Last)) {
            let mut cost = shape.dearest(&table, async || read(&log)).await;
            // At most one page a minute looks up its table in the catalog.
            if cost.rows > ROWS || cost.beside > BLOCKS {
                cost = shape.dearest(&table, async || read(&log)).await;
            }
            let Cost { rows, beside: blocks } = cost;
            assert!((1..=ROWS).contains(&rows), "{}: {rows} rows for a page, {plans}", shape.name);
            assert!((1..=BLOCKS).contains(&blocks), "{}: {blocks} blocks for a page, {plans}", shape.name);
        }
    };
    Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())).scope(measure).await;
}

#[tokio::test]
async fn a_page_reads_few_rows_at_every_depth() {
    expect("auto").await;
}

#[tokio::test]
async fn a_page_reads_few_rows_by_a_generic_plan() {
    expect("force_generic_plan").await;
}

/// A window costs a page, wherever it begins and ends.
#[tokio::test]
async fn a_window_reads_few_rows_at_every_depth() {
    let table = planned().await;
    for plans in ["auto", "force_generic_plan"] {
        let pool = explained(plans).await;
        let log = Recorder::of_target("sqlx::postgres::notice");
        let is_expensive = |cost: Cost| cost.rows > ROWS || cost.beside > BLOCKS;
        let check = |name: &str, Cost { rows, beside: blocks }: Cost| {
            println!("{name}: {rows} rows, {blocks} blocks, {plans}");
            assert!((1..=ROWS).contains(&rows), "{name}: {rows} rows, {plans}");
            assert!(blocks <= BLOCKS, "{name}: {blocks} blocks, {plans}");
        };
        let measure = async {
            for shape in million::shapes() {
                let mut costs = shape.costliest_windows(&table, async || read(&log)).await;
                // At most one page a minute looks up its table in the catalog.
                if costs.iter().any(|(_, cost)| is_expensive(*cost)) {
                    costs = shape.costliest_windows(&table, async || read(&log)).await;
                }
                for (window, cost) in costs {
                    check(&format!("{}, {window}", shape.name), cost);
                }
            }
            for (name, list) in million::seeks() {
                let mut cost = million::costliest_seek(list.clone(), async || read(&log)).await;
                if is_expensive(cost) {
                    cost = million::costliest_seek(list, async || read(&log)).await;
                }
                check(name, cost);
            }
        };
        Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())).scope(measure).await;
    }
}

/// SQL text is merged into the statement around it: a page of it reads few rows at every depth.
#[tokio::test]
async fn a_page_of_sql_text_reads_few_rows_at_every_depth() {
    let table = planned().await;
    for plans in ["auto", "force_generic_plan"] {
        let pool = explained(plans).await;
        let log = Recorder::of_target("sqlx::postgres::notice");
        let measure = async {
            for text in million::texts::texts() {
                let Cost { rows, beside: blocks } = text.dearest(&table, "", async || read(&log)).await;
                println!("{}: {rows} rows, {blocks} blocks, {plans}", text.name);
                assert!((1..=text.reads * ROWS).contains(&rows), "{}: {rows} rows for a page, {plans}", text.name);
                assert!(blocks <= text.reads * BLOCKS, "{}: {blocks} blocks for a page, {plans}", text.name);
            }
        };
        Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())).scope(measure).await;
    }
}

#[tokio::test]
async fn the_last_numbered_pages_are_read_from_the_end() {
    planned().await;
    let pool = explained("auto").await;
    let log = Recorder::of_target("sqlx::postgres::notice");
    let measure = million::far_by_number(async || read(&log));
    Folio::new(pool.clone()).scope(measure).await;
}

/// The statements that a connection has run, with how often by one plan for all values, and how often planned for its
/// own.
async fn plans_of(pool: &Pool) -> Vec<(String, i64, i64)> {
    let sql = "SELECT statement, generic_plans, custom_plans FROM pg_prepared_statements";
    let plans: Vec<(String, i64, i64)> = sqlx::query_as(sql).fetch_all(pool).await.unwrap();
    plans.into_iter().filter(|(_, generic, custom)| generic + custom > 10).collect()
}

/// After a few boundaries, a page of a list without filters is not planned again, because planning takes
/// longer than reading it.
#[tokio::test]
async fn a_page_is_planned_once() {
    planned().await;
    let pool = PgPoolOptions::new().max_connections(1).connect_with(options(SCHEMA)).await.unwrap();
    let (moment, tie, maybe) = (Planned::MOMENT, Planned::TIE, Planned::MAYBE);
    let orders = [moment.erased(), (tie.desc(), Planned::ID).erased(), maybe.nulls_last().erased()];
    let work = async {
        for order in &orders {
            let mut next = None;
            for _ in 0..20 {
                let query = Planned::query().cursor_by(order.clone()).cursor(next.as_deref());
                next = query.cursor_paginate(PER_PAGE).await.unwrap().next_cursor;
            }
        }
        for page in 1..=20 {
            Planned::query().order_by_desc(moment).page(page % 4 + 1).simple_paginate(PER_PAGE).await.unwrap();
        }
    };
    Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())).scope(work).await;
    let often = plans_of(&pool).await;
    // One for each order, and one for later pages.
    assert_eq!(often.len(), 4, "{often:#?}");
    for (sql, generic, custom) in often {
        assert!(custom <= 5, "{sql}: planned {custom} times, and run {generic} times by one plan");
    }
}
