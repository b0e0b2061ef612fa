//! A GraphQL server over a list of packages: connections, and connections inside connections, each with its own window.
//! The packages of all sections on a page are read with one statement.
//!
//! Run it with `cargo run -p example-graphql`, and ask it:
//!
//! ```console
//! $ curl -s http://127.0.0.1:3000/graphql -H 'content-type: application/json' -d '{ "query":
//!     "{ sections(first: 2) { nodes { name packages(first: 3, orderBy: SIZE) { nodes { name } totalCount } } } }" }'
//! ```
//!
//! `packages` and `sections` take `first` and `after`, or `last` and `before`. The cursors of a list only open in the
//! same list, with the same filter and order. A client's mistake has the code `BAD_USER_INPUT`.

mod packages;
mod sections;

use async_graphql::{EmptyMutation, EmptySubscription, Request, Response, Schema};
use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json, Router};
use folio::Folio;
use folio::async_graphql::Errors;

/// The maximum complexity of a query. A field costs 1, and a connection costs as much as the requested rows. The limit
/// allows 80 packages of each of 30 sections with two fields.
const COMPLEXITY: usize = 10_000;

/// The root fields of queries.
#[derive(Debug, Clone, Copy, Default, async_graphql::MergedObject)]
struct Query(packages::Packages, sections::Sections);

/// The schema and the data for its execution.
type Packages = Schema<Query, EmptyMutation, EmptySubscription>;

/// The routes. folio's layer provides the connections and the keys; the schema's extension reports errors.
pub fn app(folio: &Folio) -> Router {
    let schema = Schema::build(Query::default(), EmptyMutation, EmptySubscription)
        .extension(Errors)
        .data(sections::loader(folio))
        .limit_complexity(COMPLEXITY)
        .finish();
    Router::new()
        .route("/graphql", post(answer))
        .route("/schema.graphql", get(async |State(schema): State<Packages>| schema.sdl()))
        .with_state(schema)
        .layer(folio.layer())
}

/// Executes a request. The status is 200 for every GraphQL response; errors are in the body.
async fn answer(State(schema): State<Packages>, Json(request): Json<Request>) -> Json<Response> {
    Json(schema.execute(request).await)
}
