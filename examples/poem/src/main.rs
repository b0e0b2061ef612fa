//! folio with poem: `around` gives each request its scope.
//!
//! Run it with `cargo run -p example-poem`. `PORT` sets its port; 0 means any free one.

#[cfg(test)]
mod tests;

use std::env;
use std::sync::Arc;

use anyhow::{Context, Result};
use folio::{
    ActiveRequest, CursorPaginator, ErrorBody, Folio, FrameworkError, Key, Keyring, LengthAwarePaginator, Paginate,
    PerPage,
};
use poem::error::ResponseError;
use poem::http::StatusCode;
use poem::listener::TcpAcceptor;
use poem::web::Json;
use poem::{Endpoint, EndpointExt, IntoResponse, Request, Response, Route, Server, get, handler};
use serde::Serialize;
use sqlx::sqlite::SqlitePoolOptions;
use tokio::net::TcpListener;

/// The default port.
const PORT: u16 = 3003;

#[derive(Debug, Serialize, sqlx::FromRow, Paginate)]
struct Planet {
    id: i64,
    name: String,
}

/// An error of folio as poem's response.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct Failure(#[from] FrameworkError);

impl ResponseError for Failure {
    fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.0.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn as_response(&self) -> Response {
        // The client does not learn the cause of a 5xx. folio logs it itself only in axum, actix-web and GraphQL.
        if self.status().is_server_error() {
            tracing::error!(error = %self, "a request failed");
        }
        Json(ErrorBody::from(&self.0)).with_status(self.status()).into_response()
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

/// Runs an endpoint inside the scope of its request.
async fn in_scope<E: Endpoint>(folio: Folio, endpoint: Arc<E>, request: Request) -> poem::Result<E::Output> {
    let active = ActiveRequest::new(&request.original_uri().to_string())
        .with_method(request.method().as_str())
        .with_headers(request.headers().clone())
        .with_extensions(request.extensions().clone());
    folio.scope(active.scope(endpoint.call(request))).await
}

/// The routes.
fn app(folio: Folio) -> impl Endpoint {
    let routes = Route::new().at("/planets", get(planets)).at("/feed", get(feed));
    routes.around(move |endpoint, request| in_scope(folio.clone(), endpoint, request))
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
    let acceptor = TcpAcceptor::from_tokio(listener)?;
    Ok(Server::new_with_acceptor(acceptor).run(app(database().await?)).await?)
}
