//! An axum service with folio, compared with the same service by hand, over connections that are kept alive.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail, ensure};
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use folio::{CursorDirection, CursorPaginator, Folio, Key, Keyring, Paginator};
use folio_benches::by_hand;
use folio_benches::contest::{Rival, contest};
use folio_benches::data::{Bind, Database, Post, PostKey, databases};
use folio_benches::report::{Report, ratio};
use folio_benches::statements;
use futures_util::future::try_join_all;
use serde::Deserialize;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Mutex;

const ROWS: i64 = 200_000;
const PER_PAGE: u64 = 15;
const LIMIT: i64 = 15;
const PATH: &str = "/posts";

/// The number of concurrent connections, and the requests of each per round.
const CONNECTIONS: u32 = 4;
const REQUESTS: u32 = 100;

const BY_HAND: &str = "by hand";
const FOLIO: &str = "folio";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut report = Report::default();
    report.heading(&format!("Requests a second over {CONNECTIONS} connections"));
    let key = Key::generate();
    let mut rows = Vec::new();
    for database in databases(Path::new(env!("CARGO_TARGET_TMPDIR")), ROWS).await? {
        let folio = Folio::new(database.pool()).keyring(Keyring::new(key.clone()));
        if rows.is_empty() {
            // For the cursors of the handwritten service, which has no application.
            folio.clone().install()?;
        }
        rows.extend(folio.scope(run(&database, &key)).await?);
    }
    report.table(&["page", "database", "turns", BY_HAND, FOLIO, "ratio", "limit"], &rows);
    report.write(&Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"), "service")
}

async fn run(database: &Database, key: &Key) -> Result<Vec<Vec<String>>> {
    let (_, simple) = statements::of(Post::query().page(2).simple_paginate(PER_PAGE)).await;
    let (page, first) = statements::of(Post::query().cursor_paginate(PER_PAGE)).await;
    let next = page?.next_cursor.context("the list goes on")?;
    let (_, behind) = statements::of(Post::query().cursor(Some(&next)).cursor_paginate(PER_PAGE)).await;
    let ([simple], [first], [behind]) = (&simple[..], &first[..], &behind[..]) else {
        bail!("one statement each: {simple:?}, {first:?}, {behind:?}");
    };

    // Each service has its own connections.
    let own = || database.with_connections(CONNECTIONS);
    let hand = Arc::new(ByHand { database: own(), simple, first, behind });
    let folio = Folio::new(own().pool()).keyring(Keyring::new(key.clone()));
    let by_hand = clients(serve(hand.router())?).await?;
    let with_folio = clients(serve(router(&folio))?).await?;

    let mut rows = Vec::new();
    for (name, query) in [("simple, page 2", "page=2".to_owned()), ("cursor, second page", format!("cursor={next}"))] {
        let outcome =
            contest([Rival::new(BY_HAND, || ask(&by_hand, &query)), Rival::new(FOLIO, || ask(&with_folio, &query))])
                .await?;
        let a_second = |rival| {
            let turn = outcome.median(rival).unwrap_or_default().as_secs_f64();
            format!("{:.0}", f64::from(CONNECTIONS * REQUESTS) / turn)
        };
        rows.push(vec![
            name.to_owned(),
            database.name().to_owned(),
            outcome.rounds.to_string(),
            a_second(BY_HAND),
            a_second(FOLIO),
            // Requests per second: the inverse of the ratio of times.
            ratio(&outcome, BY_HAND, FOLIO),
            "0.97".to_owned(),
        ]);
    }
    Ok(rows)
}

/// The service with folio.
fn router(folio: &Folio) -> Router {
    async fn simple() -> folio::Result<Paginator<Post>> {
        Post::query().with_path(PATH).simple_paginate(PER_PAGE).await
    }
    async fn cursor() -> folio::Result<CursorPaginator<Post>> {
        Post::query().with_path(PATH).cursor_paginate(PER_PAGE).await
    }
    Router::new().route("/simple", get(simple)).route("/cursor", get(cursor)).layer(folio.layer())
}

/// The service by hand, with the statements that folio runs.
struct ByHand {
    database: Database,
    simple: &'static str,
    first: &'static str,
    behind: &'static str,
}

#[derive(Deserialize)]
struct Asked {
    page: Option<u64>,
    cursor: Option<String>,
}

impl ByHand {
    fn router(self: Arc<Self>) -> Router {
        Router::new().route("/simple", get(Self::simple)).route("/cursor", get(Self::cursor)).with_state(self)
    }

    async fn simple(
        State(service): State<Arc<Self>>,
        Query(asked): Query<Asked>,
    ) -> Result<Json<by_hand::Simple>, StatusCode> {
        let page = asked.page.unwrap_or(1).max(1);
        let offset = i64::try_from((page - 1).saturating_mul(PER_PAGE)).map_err(|_| StatusCode::BAD_REQUEST)?;
        let rows = service.rows(service.simple, &[Bind::Int(LIMIT + 1), Bind::Int(offset)]).await?;
        Ok(Json(by_hand::Simple::new(PATH, rows, page, PER_PAGE)))
    }

    /// Only forwards.
    async fn cursor(
        State(service): State<Arc<Self>>,
        Query(asked): Query<Asked>,
    ) -> Result<Json<by_hand::Cursor>, StatusCode> {
        let mut rows = match &asked.cursor {
            None => service.rows(service.first, &[Bind::Int(LIMIT + 1)]).await?,
            Some(cursor) => {
                let (key, _) = PostKey::decode(cursor).map_err(|_| StatusCode::BAD_REQUEST)?;
                service.rows(service.behind, &service.database.behind(key.created_at, key.id, LIMIT + 1)).await?
            }
        };
        let more = rows.len() as u64 > PER_PAGE;
        rows.truncate(PER_PAGE as usize);
        let seal = |row: Option<&Post>, direction| {
            row.map(|row| row.cursor_key().encode(direction)).transpose().map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
        };
        let next = seal(rows.last().filter(|_| more), CursorDirection::Next)?;
        let prev = seal(rows.first().filter(|_| asked.cursor.is_some()), CursorDirection::Prev)?;
        Ok(Json(by_hand::Cursor::new(PATH, rows, PER_PAGE, next, prev)))
    }

    async fn rows(&self, sql: &'static str, binds: &[Bind]) -> Result<Vec<Post>, StatusCode> {
        self.database.rows(sql, binds).await.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
    }
}

/// Starts a service on a new thread.
fn serve(router: Router) -> Result<SocketAddr> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    std::thread::spawn(move || runtime.block_on(async { axum::serve(TcpListener::from_std(listener)?, router).await }));
    Ok(address)
}

struct Client {
    stream: TcpStream,
    answer: Vec<u8>,
}

async fn clients(address: SocketAddr) -> Result<Vec<Mutex<Client>>> {
    try_join_all((0..CONNECTIONS).map(|_| async move {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Mutex::new(Client { stream, answer: Vec::new() }))
    }))
    .await
}

/// Sends the requests of all clients, each client's one after another. Returns the last body.
async fn ask(clients: &[Mutex<Client>], query: &str) -> Result<String> {
    let kind = if query.starts_with("page") { "simple" } else { "cursor" };
    let request = format!("GET /{kind}?{query} HTTP/1.1\r\nhost: localhost\r\naccept: application/json\r\n\r\n");
    let bodies = try_join_all(clients.iter().map(async |client| {
        let mut client = client.lock().await;
        for _ in 1..REQUESTS {
            client.ask(&request).await?;
        }
        Ok::<_, anyhow::Error>(client.ask(&request).await?.to_owned())
    }))
    .await?;
    without_cursors(bodies.into_iter().next_back().context("there are clients")?)
}

/// A body whose cursors are replaced by the pages that they lead to, because two cursors never have the same text.
fn without_cursors(body: String) -> Result<String> {
    let page: serde_json::Value = serde_json::from_str(&body)?;
    let tokens = ["next_cursor", "prev_cursor"].into_iter().filter_map(|key| page[key].as_str());
    tokens
        .into_iter()
        .try_fold(body.clone(), |body, token| Ok(body.replace(token, &format!("{:?}", PostKey::decode(token)?))))
}

impl Client {
    /// The body of one response.
    async fn ask(&mut self, request: &str) -> Result<&str> {
        self.stream.write_all(request.as_bytes()).await?;
        self.answer.clear();
        let (body, length) = loop {
            ensure!(self.stream.read_buf(&mut self.answer).await? > 0, "the service hung up");
            let Some(end) = self.answer.windows(4).position(|end| end == b"\r\n\r\n") else { continue };
            let head = std::str::from_utf8(&self.answer[..end])?;
            ensure!(head.starts_with("HTTP/1.1 200 "), "{head}");
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            break (end + 4, length.context("the body's length")?.parse::<usize>()?);
        };
        while self.answer.len() < body + length {
            ensure!(self.stream.read_buf(&mut self.answer).await? > 0, "the service hung up");
        }
        Ok(std::str::from_utf8(&self.answer[body..])?)
    }
}
