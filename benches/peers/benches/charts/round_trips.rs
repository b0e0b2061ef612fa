//! A numbered page of a filtered list, with its total: two statements by hand, and folio's one, on the server itself
//! and over a network.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs as _};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use folio::{FilterExpr, Folio};
use folio_benches::contest::{Outcome, Rival, contest};
use folio_benches::data::{Bind, Database, Post};
use folio_benches::report::{median, ratio};
use folio_peers::{COLUMNS, PER_PAGE};
use sqlx::mysql::MySqlPoolOptions;
use sqlx::postgres::PgPoolOptions;

pub const BY_HAND: &str = "two statements by hand";
pub const FOLIO: &str = "folio";

pub const HEADER: [&str; 6] = ["server", "network", "rounds", BY_HAND, FOLIO, "ratio"];

/// How long the network takes in each direction.
const DELAY: Duration = Duration::from_micros(500);

const AUTHOR: i64 = 7;

/// What was measured over a network.
pub struct Network {
    pub server: &'static str,
    pub name: &'static str,
    pub outcome: Outcome,
}

impl Network {
    pub fn line(&self) -> Vec<String> {
        let Self { server, name, outcome } = self;
        let times = [BY_HAND, FOLIO].map(|rival| median(outcome, rival));
        let ends = [ratio(outcome, FOLIO, BY_HAND)];
        [&[server.to_string(), name.to_string(), outcome.rounds.to_string()], &times[..], &ends].concat()
    }
}

/// On a server, without and with the delay. SQLite has no network.
pub async fn measure(database: &Database, rows: i64) -> Result<Vec<Network>> {
    let mut networks = Vec::new();
    for (name, is_delayed) in [("loopback", false), ("0.5 ms each way", true)] {
        if let Some(database) = connected(database, is_delayed).await? {
            let outcome = Folio::new(database.pool()).scope(pages(&database, rows)).await?;
            networks.push(Network { server: database.name(), name, outcome });
        }
    }
    Ok(networks)
}

/// The newest posts of an author: 1.5 % of the list, of which every twentieth row is the author's.
async fn pages(database: &Database, rows: i64) -> Result<Outcome> {
    let first = Post::query().filter(Post::ID.eq(rows - rows / 1_000 * 15)).simple_paginate(1).await?;
    let moment = first.data.first().context("the row is there")?.created_at;
    let newest = || -> FilterExpr<Post> { Post::AUTHOR_ID.eq(AUTHOR).and(Post::CREATED_AT.gte(moment)) };

    let mark = |number| database.placeholder(number);
    let filter = format!("author_id = {} AND created_at >= {}", mark(1), mark(2));
    let count: &'static str = format!("SELECT COUNT(*) FROM posts WHERE {filter}").leak();
    let page: &'static str = format!("{COLUMNS} WHERE {filter} ORDER BY created_at, id LIMIT {}", mark(3)).leak();
    let filter = [Bind::Int(AUTHOR), Bind::Moment(moment)];
    let binds = [&filter[..], &[Bind::Int(PER_PAGE.try_into()?)]].concat();
    contest([
        Rival::new(BY_HAND, async || Ok((database.count(count, &filter).await?, database.rows(page, &binds).await?))),
        Rival::new(FOLIO, async || {
            let page = Post::query().filter(newest()).order_by(Post::CREATED_AT).paginate(PER_PAGE).await?;
            Ok((page.total.try_into()?, page.data))
        }),
    ])
    .await
}

/// A server through a new pool, which does not test its connection before each statement: that would be one more round
/// trip.
async fn connected(database: &Database, is_delayed: bool) -> Result<Option<Database>> {
    macro_rules! again {
        ($variant:ident, $pool:expr, $pool_options:ty) => {{
            let options = (*$pool.connect_options()).clone();
            let server = (options.get_host(), options.get_port()).to_socket_addrs()?.next().context("no address")?;
            let address = if is_delayed { delayed(server)? } else { server };
            let options = options.host(&address.ip().to_string()).port(address.port());
            let pool = <$pool_options>::new().max_connections(1).test_before_acquire(false);
            Database::$variant(pool.connect_with(options).await?)
        }};
    }
    Ok(match database {
        Database::Sqlite(_) => None,
        Database::Postgres(pool) => Some(again!(Postgres, pool, PgPoolOptions)),
        Database::MySql(pool) => Some(again!(MySql, pool, MySqlPoolOptions)),
        Database::MariaDb(pool) => Some(again!(MariaDb, pool, MySqlPoolOptions)),
    })
}

/// A proxy on the loopback interface in front of a server. It passes on what it reads after [`DELAY`]. Tokio's timers
/// count milliseconds, so it consists of threads, which end with their connections.
fn delayed(server: SocketAddr) -> Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    thread::spawn(move || -> Result<()> {
        loop {
            let (client, _) = listener.accept()?;
            let server = TcpStream::connect(server)?;
            pass_on(client.try_clone()?, server.try_clone()?)?;
            pass_on(server, client)?;
        }
    });
    Ok(address)
}

fn pass_on(mut from: TcpStream, mut to: TcpStream) -> Result<()> {
    to.set_nodelay(true)?;
    let (sender, receiver) = mpsc::channel::<(Instant, Vec<u8>)>();
    thread::spawn(move || -> Result<()> {
        let mut buffer = vec![0; 1 << 16];
        loop {
            let length = from.read(&mut buffer)?;
            sender.send((Instant::now() + DELAY, buffer[..length].to_vec()))?;
            if length == 0 {
                return Ok(());
            }
        }
    });
    // Reading goes on while what was read waits, so pieces that follow one another are delayed by the same time.
    thread::spawn(move || -> Result<()> {
        for (due, piece) in receiver {
            thread::sleep(due.saturating_duration_since(Instant::now()));
            to.write_all(&piece)?;
        }
        Ok(to.shutdown(std::net::Shutdown::Write)?)
    });
    Ok(())
}
