//! Pages for an [Inertia](https://inertiajs.com) front end, with lists that its `<InfiniteScroll>` component scrolls
//! through.
//!
//! A handler returns an [`InertiaResponse`]: the name of a component and its props. [`paginate`](Inertia::paginate)
//! adds a page of any of the three paginators as a *scroll prop*, which contains the rows and the page's position in
//! its list, so that the client knows what to load next. The response depends on the request: a first visit gets an
//! HTML document, later visits get the page object as JSON, and partial reloads get only the requested props. Versions
//! 2.3 and 3 of the client are supported.
//!
//! Set the document, the asset version and shared props once, on [`Folio`](crate::Folio::root_view).
//!
//! ```
//! use folio::inertia::Inertia;
//! use folio::{ActiveRequest, Paginator};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> folio::Result<()> {
//! let posts = Paginator::new(vec!["c", "d"], 2, 2, true);
//! let request = ActiveRequest::new("/posts?page=2").with_header("X-Inertia", "true");
//! let answer = request.scope(async { Inertia::paginate("Posts/Index", "posts", posts).answer() }).await?;
//!
//! let page: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
//! assert_eq!((page["component"].as_str(), page["url"].as_str()), (Some("Posts/Index"), Some("/posts?page=2")));
//! assert_eq!(page["props"]["posts"], serde_json::json!(["c", "d"]));
//! assert_eq!(page["scrollProps"]["posts"]["nextPage"], 3);
//! # Ok(())
//! # }
//! ```

mod application;
mod big_integers;
mod deferred_props;
mod dotted_keys;
mod html;
mod http;
mod page_object;
#[cfg(any(feature = "actix", feature = "axum"))]
mod respond;
mod responder;
mod scroll_metadata;
mod scroll_prop;
mod settings;
mod visit;

pub use self::http::{InertiaAnswer, InertiaLocation};
pub use self::responder::{Inertia, InertiaResponse};
pub use self::scroll_metadata::{PageIdentifier, ProvidesScrollMetadata, ScrollMetadata};
pub use self::scroll_prop::ScrollProp;

#[cfg(test)]
mod tests;
