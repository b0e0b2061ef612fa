//! Behind a real PgBouncer that lends a server connection for one transaction at a time, without named statements:
//! many sessions of the pool share two connections of the server, and each page is the right one.

use std::fs;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::str::FromStr as _;
use std::time::Duration;

use folio::{DB, Folio, FrameworkError, Key, Keyring, Paginate};
use futures_util::future::join_all;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "places", schema = "folio_pooler", cursor_key = "name")]
struct Place {
    id: i64,
    name: String,
}

/// A PgBouncer that ends with the test.
struct Pooler {
    process: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Pooler {
    fn start(server: &PgConnectOptions) -> Self {
        let folder = tempfile::Builder::new().prefix("folio_pooler").tempdir_in("/tmp").unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let path = folder.path().join("pgbouncer.ini");
        let (host, database) = (server.get_host(), server.get_database().unwrap_or("postgres"));
        let settings = format!(
            "[databases]\n* = host={host} port={} dbname={database} user={}\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n\
             pool_mode = transaction\ndefault_pool_size = 2\nserver_round_robin = 1\n\
             ignore_startup_parameters = extra_float_digits\n{}",
            server.get_port(),
            server.get_username(),
            no_names(),
        );
        fs::write(&path, settings).unwrap();
        let mut command = Command::new("pgbouncer");
        // It refuses to run as root.
        if Command::new("id").arg("-u").output().unwrap().stdout == b"0\n" {
            let owned = Command::new("chown").args(["-R", "postgres"]).arg(folder.path()).status().unwrap();
            assert!(owned.success());
            command.args(["-u", "postgres"]);
        }
        let process = command.arg("-q").arg(&path).current_dir("/").stderr(Stdio::null()).spawn().unwrap();
        Self { process, port, _folder: folder }
    }

    /// A pool of eight connections through it, once it answers.
    async fn pool(&self, statements_kept: usize) -> PgPool {
        let options = PgConnectOptions::new().host("127.0.0.1").port(self.port).username("folio").database("any");
        let options = options.statement_cache_capacity(statements_kept);
        for _ in 0..50 {
            match PgPoolOptions::new().max_connections(8).connect_with(options.clone()).await {
                Ok(pool) => return pool,
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
        panic!("PgBouncer does not answer")
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The setting that disables named statements, which PgBouncer has had since 1.21.
fn no_names() -> &'static str {
    let output = Command::new("pgbouncer").arg("--version").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = text.split_whitespace().nth(1).and_then(|version| version.split('.').nth(1)?.parse::<u32>().ok());
    if version.unwrap() < 21 { "" } else { "max_prepared_statements = 0\n" }
}

async fn server() -> PgConnectOptions {
    let url = std::env::var("FOLIO_POSTGRES_URL").expect("FOLIO_POSTGRES_URL names a server to test on");
    let options = PgConnectOptions::from_str(&url).unwrap();
    let pool = PgPoolOptions::new().max_connections(1).connect_with(options.clone()).await.unwrap();
    let schema = "DROP SCHEMA IF EXISTS folio_pooler CASCADE; CREATE SCHEMA folio_pooler; \
                  CREATE TABLE folio_pooler.places (id BIGINT PRIMARY KEY, name TEXT NOT NULL); \
                  INSERT INTO folio_pooler.places SELECT id, 'place ' || id % 7 FROM generate_series(1, 300) id";
    sqlx::raw_sql(schema).execute(&pool).await.unwrap();
    options
}

/// A walk to the end, a numbered page and a transaction, concurrently with others.
async fn use_it(number: i64) -> Result<(), FrameworkError> {
    let (mut cursor, mut seen) = (None, Vec::new());
    loop {
        let query = Place::query().filter(Place::ID.gt(number)).cursor(cursor.as_deref());
        let page = query.cursor_paginate(u64::try_from(40 + number).unwrap()).await?;
        seen.extend(page.data.iter().map(|place| (place.name.clone(), place.id)));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert!(seen.is_sorted(), "a walk in its order");
    assert_eq!(seen.len(), usize::try_from(300 - number).unwrap());
    let page = Place::query().filter(Place::ID.lte(number)).page(1).paginate(2).await?;
    assert_eq!((page.total, page.data.len()), (u64::try_from(number).unwrap(), 2));
    DB::transaction(async || {
        let page = Place::query().filter(Place::ID.lte(number)).page(2).simple_paginate(1).await?;
        assert_eq!(page.data[0].id, 2);
        // Without this, sqlx names the statement, although its cache keeps none.
        let touch = sqlx::query("UPDATE folio_pooler.places SET name = name WHERE id = $1").bind(200 + number);
        touch.persistent(false).execute(&mut *DB::postgres().await?).await?;
        Ok(())
    })
    .await
}

/// Pages on a connection that the caller lends: outside of a transaction, and in one that SQL text began.
async fn lend(pool: &PgPool, number: i64) -> Result<(), FrameworkError> {
    let mut connection = pool.acquire().await?;
    for begins in [false, true, false] {
        if begins {
            sqlx::raw_sql("BEGIN").execute(&mut *connection).await?;
        }
        for page in 1..4 {
            let query = || Place::query().filter(Place::ID.gt(number)).order_by(Place::ID);
            let numbered = query().using(&mut *connection).page(page).paginate(10).await?;
            assert_eq!(numbered.total, u64::try_from(300 - number).unwrap());
            let simple = query().using(&mut *connection).page(page).simple_paginate(10).await?;
            assert_eq!(simple.data.len(), 10);
            let first = query().using(&mut *connection).cursor(None).cursor_paginate(10).await?;
            assert_eq!(first.data[0].id, number + 1);
            let mut each =
                query().using(&mut *connection).each_of(Place::NAME, ["place 1".to_owned()]).first(2).await?;
            assert_eq!(each.remove("place 1").map(|rows| rows.len()), Some(2));
        }
        if begins {
            // The caller's transaction is still open.
            let open: bool = sqlx::raw_sql("SELECT now() <> statement_timestamp()")
                .fetch_one(&mut *connection)
                .await
                .map(|row| sqlx::Row::get(&row, 0))?;
            assert!(open);
            sqlx::raw_sql("COMMIT").execute(&mut *connection).await?;
        }
    }
    Ok(())
}

/// Each of 16 tasks lends a connection.
async fn lent(pool: PgPool) -> Vec<Result<(), FrameworkError>> {
    let folio = Folio::new(pool.clone()).keyring(Keyring::new(Key::generate()));
    folio.scope(join_all((1..17).map(|number| lend(&pool, number)))).await
}

/// The same for thirty tasks at once.
async fn results(pool: PgPool) -> Vec<Result<(), FrameworkError>> {
    let folio = Folio::new(pool).keyring(Keyring::new(Key::generate()));
    folio.scope(join_all((3..33).map(use_it))).await
}

#[tokio::test]
async fn a_pooler_without_named_statements_serves_every_page() {
    if std::env::var_os("FOLIO_SKIP_POOLER").is_some() {
        return;
    }
    let installed = Command::new("pgbouncer").arg("--version").output().is_ok();
    assert!(installed, "no pgbouncer in PATH: install it, or set FOLIO_SKIP_POOLER to leave this out");
    let pooler = Pooler::start(&server().await);
    for result in results(pooler.pool(0).await).await {
        result.unwrap();
    }
    for result in lent(pooler.pool(0).await).await {
        result.unwrap();
    }
    // With named statements, one name would be used for different statements on a connection, and sqlx may panic.
    let named = tokio::spawn(results(pooler.pool(100).await)).await;
    let fails = named.map_or(true, |named| named.iter().any(Result::is_err));
    assert!(fails, "this pooler knows names, so the test shows nothing");
}
