//! Connections and errors in the types of [async-graphql](::async_graphql).
//!
//! This module needs the feature `async-graphql`. A resolver reads a [`relay::Connection`](Connection), as described in
//! [`relay`](crate::relay), and converts it with `into()`. The field `totalCount` is null unless the list is
//! [`counted`](crate::Builder::counted), so count the list if the client asks for this field:
//!
//! ```
#![doc = include_str!("../doc/posts.txt")]
//! use async_graphql::connection::Connection;
//! use async_graphql::{Context, EmptyMutation, EmptySubscription, Object, Schema, SimpleObject};
//! use folio::async_graphql::{Errors, TotalCount};
//! use folio::relay::Window;
//!
//! #[derive(SimpleObject)]
//! #[graphql(name = "Post")]
//! struct PostNode {
//!     id: i64,
//!     title: String,
//! }
//!
//! struct Query;
//!
//! #[Object]
//! impl Query {
//!     async fn posts(
//!         &self,
//!         ctx: &Context<'_>,
//!         first: Option<i32>,
//!         after: Option<String>,
//!         last: Option<i32>,
//!         before: Option<String>,
//!     ) -> folio::Result<Connection<String, PostNode, TotalCount>> {
//!         let window = Window::from_arguments(first, after, last, before).or_first(20).at_most(100);
//!         let is_counted = ctx.look_ahead().field("totalCount").exists();
//!         let posts = if is_counted { Post::query().counted() } else { Post::query() };
//!         let posts = posts.connection(window).await?;
//!         Ok(posts.map(|post| PostNode { id: post.id, title: post.title }).into())
//!     }
//! }
//!
//! let schema = Schema::build(Query, EmptyMutation, EmptySubscription).extension(Errors).finish();
//!
//! let answer = schema.execute("{ posts(first: 2) { nodes { id } pageInfo { hasNextPage } totalCount } }").await;
//! let expected = serde_json::json!({ "posts": {
//!     "nodes": [{ "id": 1 }, { "id": 2 }],
//!     "pageInfo": { "hasNextPage": true },
//!     "totalCount": 3,
//! } });
//! assert_eq!(answer.data.into_json().unwrap(), expected);
//!
//! let answer = schema.execute(r#"{ posts(after: "altered") { nodes { id } } }"#).await;
//! let error = serde_json::to_value(&answer.errors[0]).unwrap();
//! assert_eq!(error["message"], "Invalid pagination cursor");
//! assert_eq!(error["extensions"]["code"], "BAD_USER_INPUT");
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! For connections nested in another connection, a [`ConnectionLoader`] batches the reads over all parents.
//!
//! # Errors
//!
//! async-graphql sends the text of every error to the client, even of a 5xx, which can contain SQL. If you add the
//! extension [`Errors`] to the schema, the client gets these messages instead:
//!
//! | error | message | `extensions.code` |
//! |---|---|---|
//! | folio's, 401, 403, 404 | the error's text | `UNAUTHENTICATED`, `FORBIDDEN`, `NOT_FOUND` |
//! | folio's, other 4xx | the error's text | `BAD_USER_INPUT` |
//! | folio's, 5xx | `Internal Server Error`, or the text of [`TimedOut`](crate::FrameworkError::TimedOut) | `INTERNAL_SERVER_ERROR` |
//! | of any other type, returned with `?` | `Internal Server Error` | `INTERNAL_SERVER_ERROR` |
//! | a text, or an [`Error`] without a source | unchanged | unchanged |
//!
//! An error in an `Arc`, as a `DataLoader` returns it, counts as folio's too. For an
//! [`InvalidParameter`](FrameworkError::InvalidParameter) or a [`ParamError`](FrameworkError::ParamError),
//! `extensions.parameter` is the parameter's name, and `extensions.allowed` lists the allowed values if there are any
//! to list. The text of a hidden error is logged through `tracing`, under the target `folio::async_graphql`. If no
//! `tracing` subscriber is set, the first one of the process is written to stderr.
//!
//! To show the text of an error type of your own, implement [`ErrorExtensions`] for it, and return
//! `Err(error.extend())`. If your type wraps one of folio's errors, call `extend` on that error.
//!
//! Without the extension, call `extend` of [`ResultExt`](::async_graphql::ResultExt) on each result:
//! `posts.connection(window).await.extend()?`. For an error in an `Arc`, write `.map_err(|error| error.extend())?`.

mod loader;

use std::sync::Arc;

use async_graphql::connection::{
    Connection as GraphqlConnection, ConnectionNameType, Edge as GraphqlEdge, EdgeNameType, EmptyFields,
};
use async_graphql::extensions::{Extension, ExtensionContext, ExtensionFactory, NextExecute, NextSubscribe};
use async_graphql::{Error, ErrorExtensionValues, ErrorExtensions, OutputType, Response, ServerError, SimpleObject};
use async_trait::async_trait;
use futures_core::stream::BoxStream;
use futures_util::StreamExt as _;

pub use self::loader::ConnectionLoader;
use crate::error::FrameworkError;
use crate::relay::{Connection, Edge};
use crate::web::error_body::{self, ErrorBody};
use crate::web::unseen;

/// The field `totalCount` of a connection.
///
/// See the [module](self) for an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SimpleObject)]
pub struct TotalCount {
    /// The number of rows in the list. Null unless it was counted.
    pub total_count: Option<u64>,
}

impl<T, Name, EdgeName> From<Connection<T>> for GraphqlConnection<String, T, TotalCount, EmptyFields, Name, EdgeName>
where
    T: OutputType,
    Name: ConnectionNameType,
    EdgeName: EdgeNameType,
{
    fn from(connection: Connection<T>) -> Self {
        let Connection { edges, page_info, total_count } = connection;
        let (previous, next) = (page_info.has_previous_page, page_info.has_next_page);
        let mut converted = Self::with_additional_fields(previous, next, TotalCount { total_count });
        converted.edges.extend(edges.into_iter().map(|Edge { node, cursor }| GraphqlEdge::new(cursor, node)));
        converted
    }
}

impl ErrorExtensions for FrameworkError {
    /// The error for the client. The cause of a 5xx is logged through `tracing`.
    fn extend(&self) -> Error {
        let status = error_body::status(self);
        if status >= 500 {
            tracing::error!(target: "folio::async_graphql", error = self as &dyn std::error::Error, "a field failed");
            unseen::write_first(self);
        }
        Error { extensions: Some(extensions(self, status)), ..Error::new(ErrorBody::from(self).message) }
    }
}

/// The code of an error, the parameter that it names, and what is allowed.
fn extensions(error: &FrameworkError, status: u16) -> ErrorExtensionValues {
    let mut extensions = ErrorExtensionValues::default();
    extensions.set("code", code(status));
    if let Some((parameter, allowed)) = error.parameter() {
        extensions.set("parameter", parameter);
        if !allowed.is_empty() {
            extensions.set("allowed", allowed.to_vec());
        }
    }
    extensions
}

/// The code of a status. Clients know these names from other GraphQL servers.
fn code(status: u16) -> &'static str {
    match status {
        401 => "UNAUTHENTICATED",
        403 => "FORBIDDEN",
        404 => "NOT_FOUND",
        500.. => "INTERNAL_SERVER_ERROR",
        _ => "BAD_USER_INPUT",
    }
}

/// A schema extension that adds a code to folio's errors and hides the cause of a 5xx, so that `?` is enough in
/// resolvers. It also hides the text of errors that are neither folio's nor written for the client: see the
/// [module](self#errors).
///
/// ```
/// use async_graphql::{EmptyMutation, EmptySubscription, Object, Schema};
/// use folio::FrameworkError;
/// use folio::async_graphql::Errors;
///
/// struct Query;
///
/// #[Object]
/// impl Query {
///     async fn posts(&self) -> folio::Result<i32> {
///         Err(FrameworkError::Internal { message: "no keyring is set".into() })
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let schema = Schema::build(Query, EmptyMutation, EmptySubscription).extension(Errors).finish();
/// let error = schema.execute("{ posts }").await.errors.remove(0);
/// assert_eq!(error.message, "Internal Server Error");
/// # }
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Errors;

impl ExtensionFactory for Errors {
    fn create(&self) -> Arc<dyn Extension> {
        Arc::new(Self)
    }
}

#[async_trait]
impl Extension for Errors {
    /// Runs for queries and mutations, and for each event of a subscription.
    async fn execute(&self, ctx: &ExtensionContext<'_>, operation: Option<&str>, next: NextExecute<'_>) -> Response {
        let mut response = next.run(ctx, operation).await;
        response.errors.iter_mut().for_each(tell);
        response
    }

    /// If a subscription fails to start, `execute` is not called.
    fn subscribe<'s>(
        &self,
        ctx: &ExtensionContext<'_>,
        stream: BoxStream<'s, Response>,
        next: NextSubscribe<'_>,
    ) -> BoxStream<'s, Response> {
        let told = |mut response: Response| {
            response.errors.iter_mut().for_each(tell);
            response
        };
        next.run(ctx, stream).map(told).boxed()
    }
}

/// Replaces the message and the extensions of an error, unless it was written for the client. Its path in the query
/// stays.
fn tell(error: &mut ServerError) {
    let is_text = error.source::<&'static str>().is_some() || error.source::<String>().is_some();
    if error.source.is_none() || is_text {
        return;
    }
    let shared = || error.source::<Arc<FrameworkError>>().map(Arc::as_ref);
    let told = match error.source::<FrameworkError>().or_else(shared) {
        Some(error) => error.extend(),
        // Its text may be that of a database error.
        None => FrameworkError::internal(error.message.as_str()).extend(),
    };
    // Extensions that the application has added stay as well.
    let mut extensions = error.extensions.take().unwrap_or_default();
    for name in ["code", "parameter", "allowed"] {
        if let Some(value) = told.extensions.as_ref().and_then(|told| told.get(name)) {
            extensions.set(name, value.clone());
        }
    }
    (error.message, error.extensions, error.source) = (told.message, Some(extensions), None);
}
