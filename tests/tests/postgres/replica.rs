//! A real primary and a real streaming replica, started here: reads go to the replica, unless they are in a transaction
//! or ask for the primary. The counters of the servers show which one answered.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use folio::{DB, Folio, FrameworkError, Key, Keyring, Paginate};
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "places")]
struct Place {
    id: i64,
}

/// The programs of the newest installed version of PostgreSQL, if any.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let version = |path: &PathBuf| path.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok());
    let newest = versions.map(|entry| entry.path()).filter(|path| path.join("bin/initdb").exists()).max_by_key(version);
    newest.map(|path| path.join("bin"))
}

/// A folder with two clusters, which are stopped when it is dropped.
struct Clusters {
    programs: PathBuf,
    folder: tempfile::TempDir,
}

impl Clusters {
    fn new(programs: PathBuf) -> Self {
        let folder = tempfile::Builder::new().prefix("folio_replica").tempdir_in("/tmp").unwrap();
        let clusters = Self { programs, folder };
        if is_root() {
            let status = Command::new("chown").arg("postgres").arg(clusters.folder.path()).status();
            assert!(status.unwrap().success());
        }
        clusters
    }

    /// Starts a primary and its replica. Returns their ports.
    fn start(&self) -> (u16, u16) {
        let (primary, replica) = (self.path("primary"), self.path("replica"));
        self.run("initdb", &["-D", &primary, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]);
        let first = self.serve("primary");
        let url = format!("postgres://postgres@127.0.0.1:{first}/postgres");
        self.run("pg_basebackup", &["-d", &url, "-D", &replica, "-R", "--no-sync", "--checkpoint=fast"]);
        (first, self.serve("replica"))
    }

    /// Starts the server of a cluster on a free port. If another process takes that port first, it tries another one.
    fn serve(&self, name: &str) -> u16 {
        let (data, log) = (self.path(name), self.path(&format!("{name}.log")));
        for _ in 0..5 {
            let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            let options = format!(
                "-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off \
                 -c shared_buffers=8MB -c max_connections=20 -c wal_receiver_status_interval=1"
            );
            let output = self.program("pg_ctl", &["-D", &data, "-l", &log, "-w", "-o", &options, "start"]);
            if output.status.success() {
                return port;
            }
        }
        panic!("the {name} does not start: {}", fs::read_to_string(log).unwrap_or_default());
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let output = self.program(program, arguments);
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Runs a program as a user other than root, because the server refuses root.
    fn program(&self, program: &str, arguments: &[&str]) -> Output {
        let program = self.programs.join(program);
        let mut command = if is_root() { Command::new("runuser") } else { Command::new(&program) };
        if is_root() {
            command.args(["-u", "postgres", "--"]).arg(&program);
        }
        // The output goes to files, because a pipe would wait for the server that inherits it.
        let output = fs::File::create(self.folder.path().join("output")).unwrap();
        let status = command
            .args(arguments)
            .current_dir("/")
            .stdin(std::process::Stdio::null())
            .stdout(output.try_clone().unwrap())
            .stderr(output)
            .status()
            .unwrap();
        Output { status, stdout: Vec::new(), stderr: fs::read(self.folder.path().join("output")).unwrap() }
    }
}

impl Drop for Clusters {
    fn drop(&mut self) {
        for name in ["replica", "primary"] {
            if Path::new(&self.path(name)).join("postmaster.pid").exists() {
                self.program("pg_ctl", &["-D", &self.path(name), "-m", "immediate", "-w", "stop"]);
            }
        }
    }
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    output.stdout == b"0\n"
}

/// Names the sessions, to tell them from those of the test.
async fn connect(port: u16) -> PgPool {
    let options = PgConnectOptions::new().host("127.0.0.1").port(port).username("postgres").database("postgres");
    PgPoolOptions::new().max_connections(2).connect_with(options).await.unwrap()
}

/// A server, as it counts the scans of the table.
struct Server {
    pool: PgPool,
    watch: PgPool,
    scans: i64,
}

impl Server {
    async fn new(port: u16) -> Self {
        let (pool, watch) = (connect(port).await, connect(port).await);
        let mut server = Self { pool, watch, scans: 0 };
        server.scans = server.count().await;
        server
    }

    async fn count(&self) -> i64 {
        let sql = "SELECT seq_scan + idx_scan FROM pg_stat_user_tables WHERE relname = 'places'";
        sqlx::query_scalar(sql).fetch_one(&self.watch).await.unwrap()
    }

    /// Makes the sessions of the pool report their counts, which they do at the latest when they end.
    async fn report(&self) {
        let mut sessions = Vec::new();
        for _ in 0..self.pool.size() {
            sessions.push(self.pool.acquire().await.unwrap());
        }
        for session in &mut sessions {
            sqlx::query("SELECT pg_stat_force_next_flush()").execute(&mut **session).await.unwrap();
        }
    }

    /// The number of scans since the last call.
    async fn scans(&mut self) -> i64 {
        self.report().await;
        let scans = self.count().await;
        scans - std::mem::replace(&mut self.scans, scans)
    }
}

#[tokio::test]
async fn reads_arrive_at_the_replica() {
    if std::env::var_os("FOLIO_SKIP_REPLICA").is_some() {
        return;
    }
    let programs = programs().expect(
        "no initdb under /usr/lib/postgresql/*/bin: install PostgreSQL's server, or set FOLIO_SKIP_REPLICA to leave this out",
    );
    let clusters = Clusters::new(programs);
    let (primary, replica) = clusters.start();
    let pool = connect(primary).await;
    for sql in ["CREATE TABLE places (id BIGINT PRIMARY KEY)", "INSERT INTO places SELECT generate_series(1, 9)"] {
        sqlx::query(sql).execute(&pool).await.unwrap();
    }
    let arrived =
        "SELECT pg_is_in_recovery() AND to_regclass('places') IS NOT NULL AND (SELECT COUNT(*) FROM places) = 9";
    let follower = connect(replica).await;
    while !sqlx::query_scalar::<_, bool>(arrived).fetch_one(&follower).await.unwrap_or(false) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    drop((pool, follower));

    let (mut primary, mut replica) = (Server::new(primary).await, Server::new(replica).await);
    let folio = Folio::new(primary.pool.clone()).connection("__read_replica__", replica.pool.clone()).unwrap();
    let check = async {
        // A count and a page, a page, a page.
        let read = async |query: folio::Builder<Place>| {
            assert_eq!(query.clone().paginate(5).await.unwrap().total, 9);
            assert_eq!(query.clone().simple_paginate(5).await.unwrap().data[4].id, 5);
            assert_eq!(query.cursor_paginate(5).await.unwrap().data[4].id, 5);
        };
        read(Place::query()).await;
        assert_eq!((primary.scans().await, replica.scans().await), (0, 4), "on their own");

        read(Place::on("__primary__")).await;
        assert_eq!((primary.scans().await, replica.scans().await), (4, 0), "through __primary__");

        read(Place::on("__read_replica__")).await;
        assert_eq!((primary.scans().await, replica.scans().await), (0, 4), "by name");

        let inside: Result<(), FrameworkError> = DB::transaction(async || {
            read(Place::query()).await;
            sqlx::query("INSERT INTO places VALUES (10)").execute(&mut *DB::postgres().await?).await?;
            assert_eq!(Place::query().paginate(5).await?.total, 10, "what the transaction has written is seen");
            DB::transaction(read_eleven).await?;
            Err(FrameworkError::Internal { message: "on purpose".into() })
        })
        .await;
        assert_eq!(inside.unwrap_err().to_string(), "on purpose");
        assert_eq!(replica.scans().await, 0, "in a transaction");
        assert!(primary.scans().await >= 8);
    };
    folio.keyring(Keyring::new(Key::generate())).scope(check).await;
}

/// A page inside a savepoint, after a write in it.
async fn read_eleven() -> folio::Result<()> {
    sqlx::query("INSERT INTO places VALUES (11)").execute(&mut *DB::postgres().await?).await?;
    assert_eq!(Place::query().paginate(5).await?.total, 11);
    Ok(())
}
