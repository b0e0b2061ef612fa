//! folio without axum, on plain hyper. Any other framework needs the same few lines.
//!
//! Run it with `cargo run -p example-hyper`. `PORT` sets its port; 0 means any free one.

use std::convert::Infallible;
use std::env;

use anyhow::{Context, Result};
use folio::{ActiveRequest, ErrorBody, Folio, LengthAwarePaginator, Paginate, PerPage};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode, server::conn::http1};
use hyper_util::rt::TokioIo;
use serde::Serialize;
use sqlx::sqlite::SqlitePoolOptions;
use tokio::net::TcpListener;

/// The default port.
const PORT: u16 = 3001;

#[derive(Debug, Serialize, sqlx::FromRow, Paginate)]
struct Planet {
    id: i64,
    name: String,
}

/// A handler does not depend on the framework: folio finds the active request through a task-local.
async fn planets() -> folio::Result<LengthAwarePaginator<Planet>> {
    Planet::query().with_path("/planets").paginate(PerPage::from_request(3, 10)?).await
}

/// Everything that connects folio with a framework: it sets the active request, and returns JSON and a status.
async fn answer(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let active = ActiveRequest::new(&request.uri().to_string()).with_method(request.method().as_str());
    let (status, body) = match active.scope(planets()).await {
        Ok(page) => (200, serde_json::to_vec(&page)),
        Err(error) => {
            // The client does not learn the cause of a 5xx. folio logs it itself only in axum, actix-web and GraphQL.
            if error.status() >= 500 {
                tracing::error!(%error, "a request failed");
            }
            (error.status(), serde_json::to_vec(&ErrorBody::from(&error)))
        }
    };
    let mut response = Response::new(Full::from(body.unwrap_or_default()));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}

#[tokio::main]
async fn main() -> Result<()> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    // The connection is kept, because the database ends with it.
    let options = SqlitePoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
    let pool = options.connect("sqlite::memory:").await?;
    sqlx::raw_sql(
        "CREATE TABLE planets (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
         INSERT INTO planets (name) VALUES
            ('Mercury'), ('Venus'), ('Earth'), ('Mars'), ('Jupiter'), ('Saturn'), ('Uranus'), ('Neptune');",
    )
    .execute(&pool)
    .await?;
    // Installed for the process, so that requests need no scope.
    Folio::new(pool).install()?;

    let port = env::var("PORT")
        .ok()
        .map(|port| port.parse())
        .transpose()
        .context("PORT is not a port number")?
        .unwrap_or(PORT);
    let listener =
        TcpListener::bind(("127.0.0.1", port)).await.with_context(|| format!("cannot listen on port {port}"))?;
    println!("Listening: curl -si 'http://{}/planets?page=2&per_page=2'", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service_fn(answer)));
    }
}
