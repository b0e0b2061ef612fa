//! A primary of MariaDB and a replica that lags on purpose, started here: pages do not go back in time.

use std::fs;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use folio::{ActiveRequest, DB, Folio, FrameworkError, Key, Keyring, Paginate};
use sqlx::Executor as _;
use sqlx::mysql::{MySqlConnectOptions, MySqlPool, MySqlPoolOptions};

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "places")]
struct Place {
    id: i64,
}

/// Two servers in a folder, which are stopped when they are dropped.
struct Servers {
    folder: tempfile::TempDir,
    running: Vec<Child>,
}

impl Servers {
    /// Starts a primary and a replica on the same empty data, and returns their ports; `None` if the test is left out.
    fn start() -> Option<(Self, [u16; 2])> {
        if std::env::var_os("FOLIO_SKIP_REPLICA").is_some() {
            return None;
        }
        let folder = tempfile::Builder::new().prefix("folio_replica").tempdir_in("/tmp").unwrap();
        let mut servers = Self { folder, running: Vec::new() };
        let primary = servers.path("1");
        let install = ["--no-defaults", "--skip-test-db", "--auth-root-authentication-method=normal"];
        let output = Command::new("mariadb-install-db").args(install).arg(format!("--datadir={primary}")).output();
        let output = output.expect(
            "mariadb-install-db does not start: install MariaDB's server, or set FOLIO_SKIP_REPLICA to leave this out",
        );
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(Command::new("cp").args(["-r", &primary, &servers.path("2")]).status().unwrap().success());
        let ports = [servers.serve(1), servers.serve(2)];
        Some((servers, ports))
    }

    /// Starts the server with this number, and returns its port.
    fn serve(&mut self, number: u8) -> u16 {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let data = self.path(&number.to_string());
        let log = fs::File::create(self.path(&format!("{number}.log"))).unwrap();
        let options = [
            "--no-defaults".to_owned(),
            "--user=root".to_owned(),
            "--bind-address=127.0.0.1".to_owned(),
            "--log-bin".to_owned(),
            "--log-slave-updates".to_owned(),
            "--innodb-buffer-pool-size=32M".to_owned(),
            "--innodb-flush-log-at-trx-commit=0".to_owned(),
            format!("--server-id={number}"),
            format!("--port={port}"),
            format!("--datadir={data}"),
            format!("--socket={data}/socket"),
            format!("--pid-file={data}/pid"),
        ];
        let mut command = Command::new("mariadbd");
        command.args(options).stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
        self.running.push(command.spawn().expect("mariadbd does not start, although mariadb-install-db does"));
        port
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        for server in &mut self.running {
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}

/// A pool on a server, once it answers.
async fn connect(port: u16) -> MySqlPool {
    let options = MySqlConnectOptions::new().host("127.0.0.1").port(port).username("root");
    for _ in 0..200 {
        let pool = MySqlPoolOptions::new().max_connections(2).connect_with(options.clone().database("mysql")).await;
        if let Ok(pool) = pool {
            return pool;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("no server answers on port {port}")
}

async fn run(pool: &MySqlPool, sql: impl Into<String>) {
    pool.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(sql.into()))).await.unwrap();
}

/// The total of a list, before and after a request has inserted a place with this id.
async fn totals_around(id: i64) -> (u64, u64) {
    let handler = async {
        let before = Place::query().paginate(5).await?.total;
        DB::transaction(async || {
            let insert = sqlx::query("INSERT INTO places VALUES (?)").bind(id);
            Ok::<_, FrameworkError>(insert.execute(&mut *DB::mysql().await?).await?)
        })
        .await?;
        Ok::<_, FrameworkError>((before, Place::query().paginate(5).await?.total))
    };
    ActiveRequest::new("/places").scope(handler).await.unwrap()
}

async fn ids_after(cursor: &str) -> Vec<i64> {
    let request = ActiveRequest::new(&format!("/places?cursor={cursor}"));
    let page = request.scope(Place::query().cursor_paginate(5)).await.unwrap();
    page.data.iter().map(|place| place.id).collect()
}

#[tokio::test]
async fn pages_do_not_go_back_in_time() {
    let Some((_servers, [primary_port, replica_port])) = Servers::start() else { return };
    let (primary, replica) = (connect(primary_port).await, connect(replica_port).await);
    let follow = format!(
        "CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = {primary_port}, MASTER_USER = 'root', \
         MASTER_USE_GTID = slave_pos; START SLAVE"
    );
    run(&replica, follow).await;
    run(&primary, "CREATE TABLE places (id BIGINT PRIMARY KEY); INSERT INTO places SELECT seq FROM seq_1_to_9").await;
    let count = || sqlx::query_scalar::<_, i64>("SELECT COUNT(*) FROM places").fetch_one(&replica);
    while count().await.unwrap_or(0) < 9 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let plain = Folio::new(primary.clone()).connection("__read_replica__", replica.clone()).unwrap();
    let plain = plain.keyring(Keyring::new(Key::generate()));
    let (short, long) = (Duration::from_millis(100), Duration::from_secs(20));
    let (hasty, patient) = (plain.clone().read_your_writes(short), plain.clone().read_your_writes(long));

    run(&replica, "STOP SLAVE SQL_THREAD").await;
    assert_eq!(plain.scope(totals_around(10)).await, (9, 9), "without the setting, the replica is behind");
    assert_eq!(hasty.scope(totals_around(11)).await, (9, 11), "the primary answers after the wait");
    let first = hasty.scope(Place::query().using(&primary).cursor_paginate(5)).await.unwrap();
    let cursor = first.next_cursor.unwrap();
    assert_eq!(hasty.scope(ids_after(&cursor)).await, [6, 7, 8, 9, 10]);
    assert_eq!(plain.scope(ids_after(&cursor)).await, [6, 7, 8, 9]);

    // A page waits for a replica that is on its way, which then answers.
    let waiting = patient.scope(ids_after(&cursor));
    let resuming = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        run(&replica, "START SLAVE SQL_THREAD").await;
    };
    let (ids, ()) = tokio::join!(waiting, resuming);
    assert_eq!(ids, [6, 7, 8, 9, 10]);
    assert_eq!(count().await.unwrap(), 11);
    assert_eq!(patient.scope(totals_around(12)).await, (11, 12));
}
