//! Walks over a Galera cluster whose replica node becomes unavailable. `tests/scripts/galera test` starts the cluster
//! and runs these tests.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use folio::{CursorPaginator, Folio, FrameworkError, Key, Keyring, Paginate};
use sqlx::Executor as _;
use sqlx::mysql::{MySqlConnectOptions, MySqlPool, MySqlPoolOptions};

#[derive(Debug, sqlx::FromRow, Paginate)]
struct Event {
    id: i64,
    #[expect(dead_code, reason = "only which rows there are matters")]
    moment: i64,
}

const ROWS: i64 = 20_000;

/// How long a page waits for the replica.
const WAIT: Duration = Duration::from_millis(500);

fn folder() -> PathBuf {
    std::env::var_os("FOLIO_GALERA").expect("run tests/scripts/galera test").into()
}

/// A pool on a node, on which each statement first waits for the cluster if it says so.
async fn node(number: u16, sync: bool) -> MySqlPool {
    let options = MySqlConnectOptions::new().host("127.0.0.1").port(24_100 + number).username("root");
    let server = MySqlPoolOptions::new().max_connections(1).connect_with(options.clone()).await.unwrap();
    server.execute("CREATE DATABASE IF NOT EXISTS folio_galera").await.unwrap();
    let pool = MySqlPoolOptions::new().max_connections(4).after_connect(move |connection, _| {
        Box::pin(async move {
            let sync = if sync { "SET SESSION wsrep_sync_wait = 1" } else { "SET SESSION wsrep_sync_wait = 0" };
            connection.execute(sync).await.map(drop)
        })
    });
    pool.connect_with(options.database("folio_galera")).await.unwrap()
}

async fn fill(primary: &MySqlPool) {
    primary.execute("CREATE OR REPLACE TABLE events (id BIGINT PRIMARY KEY, moment BIGINT NOT NULL)").await.unwrap();
    let rows = format!("INSERT INTO events SELECT seq, seq FROM seq_1_to_{ROWS}");
    sqlx::raw_sql(sqlx::AssertSqlSafe(rows)).execute(primary).await.unwrap();
}

/// Sends a signal to a node.
fn signal(number: u16, signal: &str) {
    let pid = std::fs::read_to_string(folder().join(number.to_string()).join("pid")).unwrap();
    assert!(Command::new("kill").args([signal, pid.trim()]).status().unwrap().success());
}

/// Starts a node again, and waits until it is ready.
fn restart(number: u16) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/galera");
    let mut command = Command::new(script);
    command.args(["start", &number.to_string()]).env("FOLIO_GALERA", folder());
    assert!(command.status().unwrap().success());
}

/// Waits until a node takes statements again: until it has joined the others, it refuses them with error 1047.
async fn ready(number: u16) {
    let options = MySqlConnectOptions::new().host("127.0.0.1").port(24_100 + number).username("root");
    let server = MySqlPoolOptions::new().max_connections(1).connect_with(options).await.unwrap();
    for _ in 0..240 {
        // The node has to notice first that the others have gone on without it.
        tokio::time::sleep(Duration::from_millis(500)).await;
        let sql = "SHOW STATUS LIKE 'wsrep_ready'";
        let (_, ready): (String, String) = sqlx::query_as(sql).fetch_one(&server).await.unwrap();
        if ready == "ON" && server.execute("SELECT * FROM folio_galera.events LIMIT 1").await.is_ok() {
            return;
        }
    }
    panic!("node {number} does not join again");
}

/// The page at a cursor. A node that is leaving refuses statements on its open connections, so the page is
/// requested again.
async fn page(cursor: Option<&str>) -> CursorPaginator<Event> {
    for _ in 0..100 {
        match Event::query().cursor(cursor).cursor_paginate(500).await {
            Err(FrameworkError::Database(error)) if error.to_string().contains("1047") => {
                println!("refused: {error}");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            page => return page.unwrap(),
        }
    }
    panic!("every page is refused")
}

/// Walks to the end, and lets `away` happen after the fifth page. Returns how long the slowest page took.
async fn walk(away: impl FnOnce()) -> Duration {
    let (mut cursor, mut seen, mut away, mut slowest) = (None, Vec::new(), Some(away), Duration::ZERO);
    for number in 1.. {
        let began = Instant::now();
        let rows = page(cursor.as_deref()).await;
        slowest = slowest.max(began.elapsed());
        seen.extend(rows.data.iter().map(|row| row.id));
        if number == 5 {
            away.take().unwrap()();
        }
        cursor = rows.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen, (1..=ROWS).collect::<Vec<_>>(), "each row once");
    slowest
}

#[tokio::test]
#[ignore = "needs a cluster: tests/scripts/galera test"]
async fn a_walk_goes_on_while_the_replica_is_away() {
    let primary = node(1, false).await;
    fill(&primary).await;
    for (name, number, away) in [("frozen", 2, "-STOP"), ("stopped", 2, "-TERM"), ("killed", 3, "-KILL")] {
        let replica = node(number, true).await;
        let folio = Folio::new(primary.clone()).keyring(Keyring::new(Key::generate()));
        let folio = folio.connection("__read_replica__", replica).unwrap().replica_fallback(WAIT);
        let slowest = folio.scope(walk(|| signal(number, away))).await;
        println!("{name}: each of {ROWS} rows once, the slowest page in {slowest:?}");
        match away {
            "-STOP" => {
                signal(number, "-CONT");
                ready(number).await;
            }
            _ => restart(number),
        }
    }
}

/// How many of 300 pages right after a write lack the new row.
async fn stale(primary: &MySqlPool, sync: bool) -> usize {
    let folio = Folio::new(primary.clone()).keyring(Keyring::new(Key::generate()));
    let folio = folio.connection("__read_replica__", node(2, sync).await).unwrap();
    let mut stale = 0;
    for round in 0..300 {
        let write = format!("UPDATE events SET moment = moment + 1; INSERT INTO events VALUES ({}, 0)", -round - 1);
        sqlx::raw_sql(sqlx::AssertSqlSafe(write)).execute(primary).await.unwrap();
        let page = folio.scope(async { Event::cursor_paginate(1).await.unwrap() }).await;
        stale += usize::from(page.data[0].id != -round - 1);
    }
    primary.execute("DELETE FROM events WHERE id < 1").await.unwrap();
    stale
}

#[tokio::test]
#[ignore = "needs a cluster: tests/scripts/galera test"]
async fn a_node_that_waits_for_the_cluster_is_never_behind() {
    let primary = node(1, false).await;
    primary.execute("CREATE OR REPLACE TABLE events (id BIGINT PRIMARY KEY, moment BIGINT NOT NULL)").await.unwrap();
    primary.execute("INSERT INTO events SELECT seq, seq FROM seq_1_to_500").await.unwrap();
    println!("without wsrep_sync_wait: {} of 300 pages are stale", stale(&primary, false).await);
    assert_eq!(stale(&primary, true).await, 0);
    println!("with wsrep_sync_wait = 1: none");
}
