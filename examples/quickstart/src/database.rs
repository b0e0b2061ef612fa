//! The embedded database: created from the package list on the first run, and reused afterwards.

use std::path::{Path, PathBuf};
use std::{fs, process};

use anyhow::{Context, Result};
use flate2::read::GzDecoder;
use serde::Deserialize;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqlitePool};
use sqlx::{ConnectOptions, Connection, QueryBuilder, Sqlite};

/// 63,663 packages of a Linux distribution.
const LIST: &[u8] = include_bytes!("../data/packages.csv.gz");

/// The name contains a version of the schema, so that a database with an older schema is not reused.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../quickstart/data/packages.1.db");

/// SQLite accepts at most 32,766 parameters in a statement, and a row has seven.
const ROWS_AT_ONCE: usize = 1_000;

/// One index for each order of the pages, ending with the primary key. The table already exists if an interrupted run
/// had the same process id.
const SCHEMA: &str = "
    DROP TABLE IF EXISTS packages;
    CREATE TABLE packages (
        id                 INTEGER PRIMARY KEY,
        name               TEXT NOT NULL,
        version            TEXT NOT NULL,
        section            TEXT NOT NULL,
        priority           TEXT NOT NULL,
        installed_size_kib INTEGER,
        download_bytes     INTEGER NOT NULL,
        depends_count      INTEGER
    );
    CREATE INDEX packages_by_size ON packages (installed_size_kib, id);
    CREATE INDEX packages_by_depends ON packages (depends_count, id);
";

/// A line of the list.
#[derive(Deserialize)]
struct Line {
    name: String,
    version: String,
    section: String,
    priority: String,
    installed_size_kib: Option<i64>,
    download_bytes: i64,
    depends_count: Option<i64>,
}

/// Opens the database, and creates it if necessary.
pub(crate) async fn open() -> Result<SqlitePool> {
    let file = Path::new(FILE);
    if file.try_exists().with_context(|| format!("cannot look for {FILE}"))? {
        println!("Reusing the database that an earlier run built: {FILE}");
    } else {
        build(file).await.with_context(|| format!("cannot build {FILE}"))?;
        println!("Built a database, which later runs reuse: {FILE}");
    }
    let options = SqliteConnectOptions::new().filename(file).read_only(true);
    SqlitePool::connect_with(options).await.with_context(|| format!("cannot open {FILE}"))
}

/// Creates the database under a temporary name and renames it at the end, so that a later run does not use the file of
/// an interrupted one.
async fn build(file: &Path) -> Result<()> {
    let partial = PathBuf::from(format!("{FILE}.{}", process::id()));
    let options = SqliteConnectOptions::new().filename(&partial).create_if_missing(true);
    let mut connection = options.connect().await?;
    fill(&mut connection).await?;
    connection.close().await?;
    fs::rename(partial, file)?;
    Ok(())
}

/// Writes the schema and the rows in one transaction, with many rows per statement.
async fn fill(connection: &mut SqliteConnection) -> Result<()> {
    let mut transaction = connection.begin().await?;
    sqlx::raw_sql(SCHEMA).execute(&mut *transaction).await?;
    let mut lines = csv::Reader::from_reader(GzDecoder::new(LIST)).into_deserialize::<Line>();
    loop {
        let lines: Vec<Line> = lines.by_ref().take(ROWS_AT_ONCE).collect::<Result<_, _>>()?;
        if lines.is_empty() {
            break;
        }
        insert(lines).build().execute(&mut *transaction).await?;
    }
    Ok(transaction.commit().await?)
}

/// Inserts all lines with one statement. The database assigns the ids 1, 2, 3 in the order of the list.
fn insert(lines: Vec<Line>) -> QueryBuilder<Sqlite> {
    let columns = "name, version, section, priority, installed_size_kib, download_bytes, depends_count";
    let mut insert = QueryBuilder::new(format!("INSERT INTO packages ({columns}) "));
    insert.push_values(lines, |mut row, line| {
        row.push_bind(line.name).push_bind(line.version).push_bind(line.section).push_bind(line.priority);
        row.push_bind(line.installed_size_kib).push_bind(line.download_bytes).push_bind(line.depends_count);
    });
    insert
}
