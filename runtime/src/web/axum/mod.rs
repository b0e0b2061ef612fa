//! Pages and errors as responses of [axum](::axum), and a layer that sets the active request.
//!
//! This module needs the feature `axum`. Add [`Folio::layer`](crate::Folio::layer) to a router once. Handlers inside it
//! can paginate without further setup, and return any of the following types, because each implements axum's
//! `IntoResponse`:
//!
//! | type | response |
//! |---|---|
//! | a paginator | its JSON; with a `Link` header after `with_link_header` |
//! | [`FrameworkError`](crate::FrameworkError) | its status, with an [`ErrorBody`](crate::ErrorBody) |
//! | [`JsonApi`](crate::json_api::JsonApi), [`JsonApiError`](crate::json_api::JsonApiError) | a JSON:API document |
//! | [`InertiaResponse`](crate::inertia::InertiaResponse) | an HTML document or a page object |
//! | [`json_response!`](crate::json_response) of any value | its JSON, with a status and headers |
//!
//! `?` gives the rejections of axum's `Query` and `Path` the same form: take `Result<Query<T>, QueryRejection>` as the
//! argument of a handler that returns [`folio::Result`](crate::Result).
//!
//! The cause of a 5xx is logged through `tracing`, under the target `folio::axum`, and not sent to the client. If no
//! `tracing` subscriber is set, the first one of the process is written to stderr.
//!
//! ```
//! # #[derive(Debug, serde::Serialize, sqlx::FromRow, folio::Paginate)]
//! # struct Post { id: i64, title: String }
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
//! # sqlx::query("CREATE TABLE posts (id INTEGER PRIMARY KEY, title TEXT NOT NULL)").execute(&pool).await?;
//! # sqlx::query("INSERT INTO posts VALUES (1, 'a'), (2, 'b'), (3, 'c')").execute(&pool).await?;
//! use axum::{Router, body::Body, http::Request, routing::get};
//! use folio::axum::WithLinkHeader;
//! use folio::{Folio, Paginator, PerPage};
//! use tower_service::Service;
//!
//! async fn posts() -> folio::Result<WithLinkHeader<Paginator<Post>>> {
//!     let per_page = PerPage::from_request(15, 100)?;
//!     Ok(Post::query().with_path("/posts").simple_paginate(per_page).await?.with_link_header())
//! }
//!
//! let mut app = Router::new().route("/posts", get(posts)).layer(Folio::new(pool).layer());
//!
//! let response = app.call(Request::get("/posts?per_page=2").body(Body::empty())?).await?;
//! assert_eq!(response.headers()["content-type"], "application/json");
//! assert_eq!(response.headers()["link"], r#"</posts?page=1>; rel="first", </posts?page=2>; rel="next""#);
//!
//! let response = app.call(Request::get("/posts?per_page=0").body(Body::empty())?).await?;
//! assert_eq!(response.status(), 400);
//! # Ok(())
//! # }
//! ```

pub(crate) mod json_response;
mod layer;
mod rejections;
mod responses;

pub use self::layer::{FolioFuture, FolioLayer, FolioService};
pub(super) use self::responses::{error_responses, log, responses};
pub use super::request_scope::FolioBody;
pub use super::respond::WithLinkHeader;
