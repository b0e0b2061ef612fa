//! A service on its own socket, and requests to it.

use std::net::SocketAddr;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use folio::{Folio, Key, Keyring};
use http_body_util::BodyExt;
use hyper_util::client::legacy::{Client, connect::HttpConnector};
use hyper_util::rt::TokioExecutor;
use serde_json::Value;
use sqlx::sqlite::{SqlitePool, SqlitePoolOptions};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::specification::violations;

/// A service, which ends with its runtime.
pub(crate) struct Service {
    pub(crate) address: SocketAddr,
    client: Client<HttpConnector, Body>,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Service {
    /// Starts it on a free port.
    pub(crate) async fn start(app: Router) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self::at(address)
    }

    /// One that listens on an address already.
    pub(crate) fn at(address: SocketAddr) -> Self {
        Self { address, client: Client::builder(TokioExecutor::new()).build_http() }
    }

    /// Requests a path.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.get_with(path, &[]).await
    }

    /// Requests a path with headers.
    pub(crate) async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let request = Request::get(format!("http://{}{path}", self.address));
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let response = self.client.request(request.body(Body::empty()).unwrap()).await.unwrap();
        let (head, body) = response.into_parts();
        let text = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
        Answer { status: head.status, headers: head.headers, text }
    }

    /// Sends arbitrary bytes as the path, which no client does. Returns the status and the body. The status
    /// is 0 if the server closes the connection before it has read the request, as it may if that is too large.
    pub(crate) async fn get_raw(&self, path: &[u8]) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let request = [b"GET ", path, b" HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"].concat();
        // A server may refuse a request and close the connection before it has read all of it.
        let _ = stream.write_all(&request).await;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).unwrap_or("0");
        (status.parse().unwrap(), body.to_owned())
    }
}

impl Answer {
    /// The body, which must have this media type. A document of JSON:API must be valid.
    #[track_caller]
    pub(crate) fn json_of(&self, media_type: &str) -> Value {
        assert_eq!(self.headers["content-type"], media_type, "{self:?}");
        let json = serde_json::from_str(&self.text).unwrap();
        if media_type.starts_with("application/vnd.api+json") {
            assert_eq!(violations(&json), [""; 0], "{json:#}");
        }
        json
    }

    /// The document of JSON:API.
    #[track_caller]
    pub(crate) fn document(&self) -> Value {
        self.json_of("application/vnd.api+json")
    }

    /// The document of the cursor pagination profile, which says so in the body and the headers.
    #[track_caller]
    pub(crate) fn profiled(&self) -> Value {
        let profile = "https://jsonapi.org/profiles/ethanresnick/cursor-pagination";
        let document = self.json_of(&format!("application/vnd.api+json; profile=\"{profile}\""));
        assert_eq!(self.headers["vary"], "accept", "{self:?}");
        assert_eq!(document["jsonapi"], serde_json::json!({ "profile": [profile] }));
        document
    }

    /// The body of JSON.
    pub(crate) fn json(&self) -> Value {
        self.json_of("application/json")
    }
}

/// A database in memory with the table of `example-api` and `rows` packages.
pub(crate) async fn packages(rows: i64) -> SqlitePool {
    // The connection is kept, because the database ends with it.
    let options = SqlitePoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
    let pool = options.connect("sqlite::memory:").await.unwrap();
    fill(&pool, rows).await;
    pool
}

/// Creates the table of `example-api` with `rows` packages: see [`package`].
pub(crate) async fn fill(pool: &SqlitePool, rows: i64) {
    sqlx::raw_sql(
        "CREATE TABLE packages (
            id                 INTEGER PRIMARY KEY,
            name               TEXT NOT NULL,
            version            TEXT NOT NULL,
            section            TEXT NOT NULL,
            priority           TEXT NOT NULL,
            installed_size_kib INTEGER,
            download_bytes     INTEGER NOT NULL,
            depends_count      INTEGER
        );
        CREATE INDEX packages_by_depends ON packages (depends_count, id);",
    )
    .execute(pool)
    .await
    .unwrap();
    let mut transaction = pool.begin().await.unwrap();
    for id in 1..=rows {
        let package = package(id);
        let insert = "INSERT INTO packages VALUES (?, ?, '1.0', ?, 'optional', NULL, ?, ?)";
        let insert = sqlx::query(insert).bind(id).bind(&package.name).bind(package.section);
        insert.bind(id * 1000).bind(package.depends_count).execute(&mut *transaction).await.unwrap();
    }
    transaction.commit().await.unwrap();
}

/// What the row of a package is made from.
pub(crate) struct NewPackage {
    pub(crate) name: String,
    pub(crate) section: &'static str,
    pub(crate) depends_count: Option<i64>,
}

/// The row of an id. Many packages tie in `depends_count`, and every seventh has NULL.
pub(crate) fn package(id: i64) -> NewPackage {
    NewPackage {
        name: format!("package-{id}"),
        section: if id % 3 == 0 { "games" } else { "libs" },
        depends_count: (id % 7 != 0).then_some(id % 5),
    }
}

/// The ids in the order of a cursor walk: the most dependencies first, NULLs last.
pub(crate) fn walked(rows: i64) -> Vec<i64> {
    let mut ids: Vec<i64> = (1..=rows).collect();
    // The primary key is the tie-breaker, in the direction of the last column.
    ids.sort_by_key(|id| (package(*id).depends_count.map_or(i64::MAX, |count| -count), -id));
    ids
}

/// An application with a keyring.
pub(crate) fn folio(pool: SqlitePool) -> Folio {
    Folio::new(pool).keyring(Keyring::new(Key::generate()))
}

/// `example-api` with `rows` packages.
pub(crate) async fn example(rows: i64) -> Service {
    Service::start(example_api::app(&folio(packages(rows).await))).await
}

/// The ids of the rows on a page.
pub(crate) fn ids(page: &Value) -> Vec<i64> {
    page["data"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
}

/// A row of [`packages`], in the order of its index.
#[derive(Debug, sqlx::FromRow, serde::Serialize, folio::Paginate)]
#[paginate(table = "packages", cursor_key = "depends_count desc nulls last")]
pub(crate) struct Package {
    pub(crate) id: i64,
    depends_count: Option<i64>,
}

/// The active request, as a handler sees it.
pub(crate) async fn active() -> String {
    folio::ActiveRequest::current().map_or("none".to_owned(), |request| {
        let header = request.header("X-Test").unwrap_or("none");
        format!("{} {} {header}", request.method(), request.uri())
    })
}
