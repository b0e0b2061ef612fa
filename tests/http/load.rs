//! Ten thousand requests at once from another process: no 5xx, and always the requested page.

use std::env;
use std::net::SocketAddr;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use serde_json::Value;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::sync::{Barrier, Semaphore};

use crate::service::{Service, fill, folio, package, walked};

/// The packages in the table.
const ROWS: i64 = 1_000;
const REQUESTS: usize = 10_000;
/// The address of the service, for the second process.
const ADDRESS: &str = "FOLIO_TESTS_ADDRESS";
/// How many connections are opened at a time.
const OPENING: usize = 200;
/// Descriptors for everything except the connections.
const SPARE_FILES: usize = 500;

#[test]
fn ten_thousand_requests_at_once_from_another_process() {
    if let Ok(address) = env::var(ADDRESS) {
        return Runtime::new().unwrap().block_on(ask_all(address.parse().unwrap()));
    }
    let folder = tempfile::tempdir().unwrap();
    let runtime = Runtime::new().unwrap();
    let service = runtime.block_on(async {
        let file = SqliteConnectOptions::new().filename(folder.path().join("packages.db")).create_if_missing(true);
        // Ten thousand requests wait in turn for four connections.
        let options = SqlitePoolOptions::new().max_connections(4).acquire_timeout(Duration::from_secs(600));
        let pool = options.connect_with(file).await.unwrap();
        fill(&pool, ROWS).await;
        Service::start(example_api::app(&folio(pool))).await
    });
    // Runs this test again, as the client.
    let name = "load::ten_thousand_requests_at_once_from_another_process";
    let mut client = Command::new(env::current_exe().unwrap());
    let client = client.args([name, "--exact", "--nocapture"]).env(ADDRESS, service.address.to_string());
    assert!(client.status().unwrap().success());
}

/// The expected response.
#[derive(Debug, Clone)]
enum Expected {
    /// A page of these ids.
    Page(Vec<i64>),
    /// 400 with this message.
    Refused(&'static str),
}

const CURSOR: Expected = Expected::Refused("Invalid pagination cursor");
const PER_PAGE: Expected = Expected::Refused("`per_page` is a number from 1 to 100");

/// Numbers that are the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        // Marsaglia's xorshift, with the shifts 13, 7 and 17.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).unwrap()
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// A cursor of the service: the rows of `walked` after or before this position.
enum Given {
    Next(String, usize),
    Prev(String, usize),
}

/// A request for a page on any route, valid or not.
struct Requests {
    random: Random,
    all: Vec<i64>,
    games: Vec<i64>,
    walked: Vec<i64>,
    cursors: Vec<Given>,
}

impl Requests {
    fn next(&mut self) -> (String, Expected) {
        let size = 1 + self.random.below(30);
        match self.random.below(10) {
            0 | 1 => self.numbered("/packages?page=", "&per_page=", size),
            2 => self.numbered("/packages/simple?page=", "&per_page=", size),
            3 => self.numbered("/api/packages?page%5Bnumber%5D=", "&page%5Bsize%5D=", size),
            4 => {
                let page = 1 + self.random.below(40);
                (format!("/packages?section=games&per_page={size}&page={page}"), slice(&self.games, page, size))
            }
            5 => {
                let text = self.random.pick(&["", "0", "-1", "x", "%00", "1.5", "%F0%9F%92%A9", "1e3", "+2"]);
                (format!("/packages?per_page={size}&page={text}"), slice(&self.all, 1, size))
            }
            6 => {
                let text = *self.random.pick(&["0", "x", "-1", "%00", "1.5"]);
                (format!("/packages?per_page={text}"), PER_PAGE)
            }
            7 => {
                let (Given::Next(cursor, _) | Given::Prev(cursor, _)) = self.random.pick(&self.cursors);
                let mut bytes = cursor.clone().into_bytes();
                let place = self.random.below(bytes.len());
                bytes[place] = if bytes[place] == b'A' { b'B' } else { b'A' };
                (format!("/packages/cursor?cursor={}", String::from_utf8(bytes).unwrap()), CURSOR)
            }
            _ => self.walked(size),
        }
    }

    /// A page of the whole list, or past its end.
    fn numbered(&mut self, page_key: &str, size_key: &str, size: usize) -> (String, Expected) {
        let page = match self.random.below(20) {
            0 => usize::MAX,
            _ => 1 + self.random.below(ROWS as usize / size + 3),
        };
        (format!("{page_key}{page}{size_key}{size}"), slice(&self.all, page, size))
    }

    /// A page of the walk, forwards or backwards.
    fn walked(&mut self, size: usize) -> (String, Expected) {
        let (cursor, from, to) = match self.random.pick(&self.cursors) {
            Given::Next(cursor, place) => (cursor, *place, (place + size).min(self.walked.len())),
            Given::Prev(cursor, place) => (cursor, place.saturating_sub(size), *place),
        };
        let url = format!("/packages/cursor?per_page={size}&cursor={cursor}");
        (url, Expected::Page(self.walked[from..to].to_vec()))
    }
}

/// Page `page` of `rows`.
fn slice(rows: &[i64], page: usize, size: usize) -> Expected {
    let from = (page - 1).saturating_mul(size).min(rows.len());
    Expected::Page(rows[from..from.saturating_add(size).min(rows.len())].to_vec())
}

/// The cursors of a walk with 10 rows a page, and their positions.
async fn cursors(address: SocketAddr) -> Vec<Given> {
    let mut connection = Connection::open(address).await;
    let (mut given, mut place, mut url) = (Vec::new(), 0, Some("/packages/cursor?per_page=10".to_owned()));
    while let Some(next) = url {
        let (status, page) = connection.get(&next).await;
        assert_eq!(status, 200);
        given.extend(page["prev_cursor"].as_str().map(|cursor| Given::Prev(cursor.to_owned(), place)));
        place += 10;
        given.extend(page["next_cursor"].as_str().map(|cursor| Given::Next(cursor.to_owned(), place)));
        url = page["next_page_url"].as_str().map(str::to_owned);
    }
    assert_eq!(given.len(), 2 * (ROWS as usize / 10 - 1));
    given
}

/// Sends all requests at once: every connection is open before the first one is sent.
async fn ask_all(address: SocketAddr) {
    let all: Vec<i64> = (1..=ROWS).collect();
    let games = all.iter().copied().filter(|id| package(*id).section == "games").collect();
    let random = Random(0x9E37_79B9_7F4A_7C15);
    let mut requests = Requests { random, all, games, walked: walked(ROWS), cursors: cursors(address).await };

    let connections = REQUESTS.min(files().saturating_sub(SPARE_FILES)).max(1);
    let ready = Arc::new(Barrier::new(connections));
    let opening = Arc::new(Semaphore::new(OPENING));
    let mut tasks = Vec::new();
    for share in shares(REQUESTS, connections) {
        let asked: Vec<_> = (0..share).map(|_| requests.next()).collect();
        let (ready, opening) = (ready.clone(), opening.clone());
        tasks.push(tokio::spawn(async move {
            let turn = opening.acquire().await.unwrap();
            let mut connection = Connection::open(address).await;
            // Waits for a response, because the system queues only a limited number of connections.
            assert_eq!(connection.get("/nothing").await.0, 404);
            drop(turn);
            ready.wait().await;
            for (url, expected) in asked {
                let (status, body) = connection.get(&url).await;
                assert_answer(&url, status, &body, &expected);
            }
            share
        }));
    }
    let (start, mut answered) = (Instant::now(), 0);
    for task in tasks {
        answered += task.await.unwrap();
    }
    assert_eq!(answered, REQUESTS);
    println!("{answered} requests on {connections} connections at once, answered in {:.1?}", start.elapsed());
}

/// `count` in `parts` parts of almost the same size.
fn shares(count: usize, parts: usize) -> impl Iterator<Item = usize> {
    (0..parts).map(move |part| count / parts + usize::from(part < count % parts))
}

/// The number of files that this process may open, if the system reports it.
fn files() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(1024)
}

fn assert_answer(url: &str, status: StatusCode, body: &Value, expected: &Expected) {
    match expected {
        Expected::Page(ids) => {
            assert_eq!(status, 200, "{url}: {body}");
            let rows = body["data"].as_array().unwrap();
            let id = |row: &Value| row["id"].as_i64().or_else(|| row["id"].as_str()?.parse().ok()).unwrap();
            assert_eq!(&rows.iter().map(id).collect::<Vec<_>>(), ids, "{url}");
            for row in rows {
                let attributes = if row["type"].is_string() { &row["attributes"] } else { row };
                assert_eq!(attributes["name"], package(id(row)).name, "{url}");
            }
        }
        Expected::Refused(message) => {
            assert_eq!((status.as_u16(), body["message"].as_str()), (400, Some(*message)), "{url}");
        }
    }
}

/// A connection that sends one request after another.
struct Connection(BufReader<TcpStream>);

impl Connection {
    async fn open(address: SocketAddr) -> Self {
        Self(BufReader::new(TcpStream::connect(address).await.unwrap()))
    }

    async fn get(&mut self, path: &str) -> (StatusCode, Value) {
        self.0.write_all(format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").as_bytes()).await.unwrap();
        let status = self.line().await.split(' ').nth(1).unwrap().parse().unwrap();
        let mut length = 0;
        loop {
            let line = self.line().await;
            match line.split_once(": ") {
                Some(("content-length", value)) => length = value.parse().unwrap(),
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).await.unwrap();
        (status, serde_json::from_slice(&body).unwrap())
    }

    /// The next line of a head, without its end.
    async fn line(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).await.unwrap();
        line.trim_end().to_owned()
    }
}
