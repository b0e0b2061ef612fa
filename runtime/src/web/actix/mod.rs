//! Pages and errors as responses of [actix-web](::actix_web), and a middleware that sets the active request.
//!
//! This module needs the feature `actix`. Wrap an application in [`Folio::middleware`](crate::Folio::middleware) once.
//! Handlers inside it can paginate without further setup, and return any of the following types. Each implements
//! actix's `Responder`, and the errors also implement `ResponseError`:
//!
//! | type | response |
//! |---|---|
//! | a paginator | its JSON; with a `Link` header after `with_link_header` |
//! | [`FrameworkError`](crate::FrameworkError) | its status, with an [`ErrorBody`](crate::ErrorBody) |
//! | [`JsonApi`](crate::json_api::JsonApi), [`JsonApiError`](crate::json_api::JsonApiError) | a JSON:API document |
//! | [`InertiaResponse`](crate::inertia::InertiaResponse) | an HTML document or a page object |
//!
//! The cause of a 5xx is logged through `tracing`, under the target `folio::actix`, and not sent to the client. If no
//! `tracing` subscriber is set, the first one of the process is written to stderr.
//!
//! For another status, return a tuple such as `(page, StatusCode::CREATED)`; for further headers, use `customize`.
//!
//! ```
//! # #[derive(Debug, serde::Serialize, sqlx::FromRow, folio::Paginate)]
//! # struct Post { id: i64, title: String }
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
//! # sqlx::query("CREATE TABLE posts (id INTEGER PRIMARY KEY, title TEXT NOT NULL)").execute(&pool).await?;
//! # sqlx::query("INSERT INTO posts VALUES (1, 'a'), (2, 'b'), (3, 'c')").execute(&pool).await?;
//! use actix_web::test::{TestRequest, call_service, init_service};
//! use actix_web::{App, web};
//! use folio::actix::WithLinkHeader;
//! use folio::{Folio, Paginator, PerPage};
//!
//! async fn posts() -> folio::Result<WithLinkHeader<Paginator<Post>>> {
//!     let per_page = PerPage::from_request(15, 100)?;
//!     Ok(Post::query().with_path("/posts").simple_paginate(per_page).await?.with_link_header())
//! }
//!
//! let app = App::new().wrap(Folio::new(pool).middleware()).route("/posts", web::get().to(posts));
//! let app = init_service(app).await;
//!
//! let response = call_service(&app, TestRequest::with_uri("/posts?per_page=2").to_request()).await;
//! assert_eq!(response.headers().get("content-type").unwrap(), "application/json");
//! let link = response.headers().get("link").unwrap();
//! assert_eq!(link, r#"</posts?page=1>; rel="first", </posts?page=2>; rel="next""#);
//!
//! let response = call_service(&app, TestRequest::with_uri("/posts?per_page=0").to_request()).await;
//! assert_eq!(response.status(), 400);
//! # Ok(())
//! # }
//! ```

mod middleware;
mod responses;

pub use self::middleware::{FolioMiddleware, FolioMiddlewareService};
pub(super) use self::responses::{converted, error_responses, error_status, log, responses};
pub use super::request_scope::FolioBody;
pub use super::respond::WithLinkHeader;
