//! A real primary and a real streaming replica, started here: reads go to the replica, unless they are in a transaction
//! or ask for the primary. The counters of the servers show which one answered.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use folio::{ActiveRequest, DB, Folio, FrameworkError, Key, Keyring, Paginate};
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

/// A primary with nine places, and its replica, which has them; `None` if the tests are left out.
async fn places() -> Option<(Clusters, Server, Server)> {
    if std::env::var_os("FOLIO_SKIP_REPLICA").is_some() {
        return None;
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
    Some((clusters, Server::new(primary).await, Server::new(replica).await))
}

/// The ids on a page, and its cursor to the next one.
async fn page(uri: &str) -> (Vec<i64>, Option<String>) {
    let page = ActiveRequest::new(uri).scope(Place::query().cursor_paginate(5)).await.unwrap();
    (page.data.iter().map(|place| place.id).collect(), page.next_cursor)
}

/// The total of a list, before and after a request has inserted a place with this id.
async fn totals_around(id: i64) -> (u64, u64) {
    let handler = async {
        let before = Place::query().paginate(5).await?.total;
        DB::transaction(async || {
            let insert = sqlx::query("INSERT INTO places VALUES ($1)").bind(id);
            Ok::<_, FrameworkError>(insert.execute(&mut *DB::postgres().await?).await?)
        })
        .await?;
        Ok::<_, FrameworkError>((before, Place::query().paginate(5).await?.total))
    };
    ActiveRequest::new("/places").scope(handler).await.unwrap()
}

#[tokio::test]
async fn pages_do_not_go_back_in_time() {
    let Some((_clusters, mut primary, mut replica)) = places().await else { return };
    let standby = replica.watch.clone();
    let replay = async |what: &'static str| sqlx::query(what).execute(&standby).await.unwrap();
    let plain = Folio::new(primary.pool.clone()).connection("__read_replica__", replica.pool.clone()).unwrap();
    let plain = plain.keyring(Keyring::new(Key::generate()));
    let (short, long) = (Duration::from_millis(100), Duration::from_secs(20));
    let (hasty, patient) = (plain.clone().read_your_writes(short), plain.clone().read_your_writes(long));

    replay("SELECT pg_wal_replay_pause()").await;
    assert_eq!(plain.scope(totals_around(10)).await, (9, 9), "without the setting, the replica is behind");
    assert_eq!(hasty.scope(totals_around(11)).await, (9, 11), "the primary answers after the wait");
    // A cursor of the primary's page does not lead back to what the replica has.
    let here = async {
        let first = Place::query().using(&primary.pool).cursor_paginate(5).await.unwrap();
        first.next_cursor.unwrap()
    };
    let cursor = hasty.scope(here).await;
    primary.scans().await;
    replica.scans().await;
    assert_eq!(hasty.scope(page(&format!("/places?cursor={cursor}"))).await.0, [6, 7, 8, 9, 10]);
    assert_eq!((primary.scans().await, replica.scans().await), (1, 0));
    // Without the setting, the position in the cursor has no effect.
    assert_eq!(plain.scope(page(&format!("/places?cursor={cursor}"))).await.0, [6, 7, 8, 9]);

    // A page waits for a replica that is on its way.
    let uri = format!("/places?cursor={cursor}");
    let waiting = patient.scope(page(&uri));
    let resuming = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        replay("SELECT pg_wal_replay_resume()").await;
    };
    replica.scans().await;
    let ((ids, next), ()) = tokio::join!(waiting, resuming);
    assert_eq!(ids, [6, 7, 8, 9, 10]);
    assert_eq!((primary.scans().await, replica.scans().await), (0, 1));
    assert_eq!(patient.scope(totals_around(12)).await, (11, 12));
    // The cursors of the replica's pages have its position.
    replica.scans().await;
    primary.scans().await;
    assert_eq!(patient.scope(page(&format!("/places?cursor={}", next.unwrap()))).await.0, [11, 12]);
    // A page that is not full also looks for rows with NULL.
    assert_eq!((primary.scans().await, replica.scans().await), (0, 2));
}

#[tokio::test]
async fn reads_arrive_at_the_replica() {
    let Some((_clusters, mut primary, mut replica)) = places().await else { return };
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
