//! folio with salvo: a hoop gives each request its scope.
//!
//! Run it with `cargo run -p example-salvo`. `PORT` sets its port; 0 means any free one.

#[cfg(test)]
mod tests;

use std::env;

use anyhow::{Context, Result};
use folio::{
    ActiveRequest, CursorPaginator, ErrorBody, Folio, FrameworkError, Key, Keyring, LengthAwarePaginator, Paginate,
    PerPage,
};
use salvo::conn::tcp::TcpAcceptor;
use salvo::http::StatusCode;
use salvo::writing::{Json, Scribe};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, Router, Server, async_trait, handler};
use serde::Serialize;
use sqlx::sqlite::SqlitePoolOptions;
use tokio::net::TcpListener;

/// The default port.
const PORT: u16 = 3004;

#[derive(Debug, Serialize, sqlx::FromRow, Paginate)]
struct Planet {
    id: i64,
    name: String,
}

/// An error of folio as salvo's response.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct Failure(#[from] FrameworkError);

impl Scribe for Failure {
    fn render(self, response: &mut Response) {
        let status = StatusCode::from_u16(self.0.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        // The client does not learn the cause of a 5xx. folio logs it itself only in axum, actix-web and GraphQL.
        if status.is_server_error() {
            tracing::error!(error = %self, "a request failed");
        }
        response.status_code(status);
        response.render(Json(ErrorBody::from(&self.0)));
    }
}

/// `/planets?page=2&per_page=2`
#[handler]
async fn planets() -> Result<Json<LengthAwarePaginator<Planet>>, Failure> {
    let per_page = PerPage::from_request(3, 10)?;
    Ok(Json(Planet::query().with_query_string().paginate(per_page).await?))
}

/// `/feed`, then `/feed?cursor=…`
#[handler]
async fn feed() -> Result<Json<CursorPaginator<Planet>>, Failure> {
    Ok(Json(Planet::query().with_query_string().cursor_paginate(3).await?))
}

/// Runs the handlers after it inside the scope of their request.
struct Scope(Folio);

#[async_trait]
impl Handler for Scope {
    async fn handle(&self, request: &mut Request, depot: &mut Depot, response: &mut Response, flow: &mut FlowCtrl) {
        let active = ActiveRequest::new(&request.uri().to_string())
            .with_method(request.method().as_str())
            .with_headers(request.headers().clone())
            .with_extensions(request.extensions().clone());
        self.0.scope(active.scope(flow.call_next(request, depot, response))).await;
    }
}

/// The routes.
fn app(folio: Folio) -> Router {
    let routes = Router::new().push(Router::with_path("planets").get(planets));
    routes.push(Router::with_path("feed").get(feed)).hoop(Scope(folio))
}

/// A database with the planets.
async fn database() -> Result<Folio> {
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
    Ok(Folio::new(pool).keyring(Keyring::new(Key::generate())))
}

/// The port of `PORT`.
fn port() -> Result<u16> {
    env::var("PORT").map_or(Ok(PORT), |port| port.parse().context("PORT is not a port number"))
}

#[tokio::main]
async fn main() -> Result<()> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let port = port()?;
    let listener =
        TcpListener::bind(("127.0.0.1", port)).await.with_context(|| format!("cannot listen on port {port}"))?;
    println!("Listening: curl -si 'http://{}/planets?page=2&per_page=2'", listener.local_addr()?);
    let app = app(database().await?);
    Ok(Server::new(TcpAcceptor::try_from(listener)?).try_serve(app).await?)
}
