//! Streams a whole table: folio's `cursor_stream` compared with one select by hand. Each read has its own process, so
//! that its peak memory can be measured.
//!
//! `cargo bench --bench export -- 200000` reads fewer rows.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use folio::{Folio, Key, Keyring};
use folio_benches::contest::median;
use folio_benches::data::{Database, Post, databases};
use folio_benches::report::Report;
use futures_util::TryStreamExt as _;

const ROWS: i64 = 5_000_000;

/// Rounds on a database: as many as start within this time, but at least this many.
const PATIENCE: Duration = Duration::from_secs(50);
const FEWEST: usize = 3;

/// The page sizes of folio's streams; 0 is the select by hand.
const WAYS: [u64; 3] = [0, 1_000, 10_000];

const BY_HAND: &str =
    "SELECT id, title, author_id, status, score, tie, views, created_at FROM posts ORDER BY created_at, id";

/// What a reading process reports.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Reading {
    rows: i64,
    /// A checksum of the rows in their order.
    checksum: u64,
    nanoseconds: u64,
    /// The peak of its resident memory in KiB; 0 if the system does not report it.
    memory: u64,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    // Cargo passes `--bench` to every benchmark.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match &arguments[..] {
        [] => compare(ROWS).await,
        [rows] => compare(rows.parse()?).await,
        [name, rows, way] => read(name, rows.parse()?, way.parse()?).await,
        _ => anyhow::bail!("not understood: {arguments:?}"),
    }
}

async fn compare(rows: i64) -> Result<()> {
    let mut report = Report::default();
    for database in open(rows).await? {
        report.heading(&format!("{} {}, {rows} rows", database.name(), database.version().await?));
        let mut readings = WAYS.map(|_| Vec::new());
        let begun = Instant::now();
        let mut rounds = 0;
        while rounds < FEWEST || begun.elapsed() < PATIENCE {
            for turn in 0..WAYS.len() {
                let at = (rounds + turn) % WAYS.len();
                readings[at].push(in_a_process(database.name(), rows, WAYS[at])?);
            }
            rounds += 1;
        }
        let expected = readings[0][0];
        let mut lines = Vec::new();
        let by_hand = middle(&readings[0]);
        for (way, readings) in WAYS.into_iter().zip(&readings) {
            for reading in readings {
                ensure!(
                    (reading.rows, reading.checksum) == (rows, expected.checksum),
                    "{reading:?} is not {expected:?}"
                );
            }
            let time = middle(readings);
            let memory = readings.iter().map(|reading| reading.memory).max().unwrap_or_default();
            lines.push(vec![
                if way == 0 { "select by hand".to_owned() } else { format!("`cursor_stream({way})`") },
                rounds.to_string(),
                format!("{:.0}", rows as f64 / time * 1e9),
                format!("{:.3}", by_hand / time),
                if memory == 0 { "–".to_owned() } else { format!("{:.1} MiB", memory as f64 / 1024.0) },
            ]);
        }
        report.table(&["read by", "rounds", "rows a second", "ratio (limit 0.9)", "peak memory (limit 40 MB)"], &lines);
    }
    report.write(&Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"), "export")
}

async fn open(rows: i64) -> Result<Vec<Database>> {
    databases(Path::new(env!("CARGO_TARGET_TMPDIR")), rows).await
}

fn middle(readings: &[Reading]) -> f64 {
    median(&mut readings.iter().map(|reading| reading.nanoseconds).collect::<Vec<_>>()) as f64
}

/// Reads in a new process.
fn in_a_process(name: &str, rows: i64, way: u64) -> Result<Reading> {
    let arguments = [name, &rows.to_string(), &way.to_string()].map(str::to_owned);
    let output = Command::new(std::env::current_exe()?).args(arguments).output()?;
    let complaint = || String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.success(), complaint());
    let said = String::from_utf8(output.stdout)?;
    let numbers: Vec<u64> = said.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    let [rows, checksum, nanoseconds, memory] = numbers[..] else { anyhow::bail!("{said}: {}", complaint()) };
    Ok(Reading { rows: rows.try_into()?, checksum, nanoseconds, memory })
}

/// Reads the table and reports the result.
async fn read(name: &str, rows: i64, way: u64) -> Result<()> {
    let database =
        open(rows).await?.into_iter().find(|database| database.name() == name).context("no such database")?;
    let mut done = Reading::default();
    let mut add = |post: Post| {
        done.rows += 1;
        for value in [post.id, post.created_at.timestamp(), post.views, post.title.len() as i64] {
            done.checksum = done.checksum.wrapping_mul(31).wrapping_add(value.unsigned_abs());
        }
    };
    let begun = Instant::now();
    if way == 0 {
        let mut stream = database.stream(BY_HAND);
        while let Some(post) = stream.try_next().await? {
            add(post);
        }
    } else {
        let folio = Folio::new(database.pool()).keyring(Keyring::new(Key::generate()));
        folio
            .scope(async {
                let mut stream = std::pin::pin!(Post::query().cursor_stream(way));
                while let Some(post) = stream.try_next().await? {
                    add(post);
                }
                Ok::<_, folio::FrameworkError>(())
            })
            .await?;
    }
    let nanoseconds = begun.elapsed().as_nanos();
    println!("{} {} {nanoseconds} {}", done.rows, done.checksum, peak_memory());
    Ok(())
}

/// The peak of this process's resident memory in KiB; 0 if the system does not report it.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|peak| peak.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}
