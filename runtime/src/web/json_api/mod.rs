//! Pages as [JSON:API](https://jsonapi.org/format/1.1/) documents.
//!
//! [`Resource::paginated`] converts a page of any of the three paginators to a document, with the rows as resource
//! objects, the page's position under `meta.pagination`, and the URLs of other pages under `links`. A row type
//! implements [`JsonResource`], through `#[paginate(resource = "…")]` or by hand. A handler that returns `Result<_,
//! JsonApiError>` responds with an error object if it fails. With the feature `actix` or `axum`, documents and errors
//! are responses with the media type `application/vnd.api+json`.
//!
//! For related resources, a [`Relationship`] refers to other resources, [`Includes`] reads which of them the client
//! asks for, and [`Included`] adds them to the document. [`Fieldsets`] reads the fields that the client asks for. The
//! guide's chapter [`json_api`](crate::guide::json_api) has an example of all of them.
//!
//! [`Resource::cursor_paginated`] writes documents of the [cursor pagination
//! profile](https://jsonapi.org/profiles/ethanresnick/cursor-pagination/): a [`CursorWindow`] reads `page[size]`,
//! `page[after]` and `page[before]`, and each resource has a cursor.
//!
//! ```
//! use folio::json_api::{JsonApiError, Resource};
//! use folio::{CursorPaginator, FrameworkError, Paginate};
//! use serde_json::json;
//!
//! #[derive(serde::Serialize, sqlx::FromRow, Paginate)]
//! #[paginate(resource = "posts")]
//! struct Post {
//!     id: i64,
//!     title: String,
//! }
//!
//! let page = CursorPaginator::new(vec![Post { id: 7, title: "Pages".into() }], 1, Some("AbC".into()), None);
//! let document = serde_json::to_value(Resource::paginated(page.with_path("/posts")))?;
//! assert_eq!(document, json!({
//!     "data": [{ "type": "posts", "id": "7", "attributes": { "title": "Pages" } }],
//!     "meta": { "pagination": { "next_cursor": "AbC", "prev_cursor": null } },
//!     "links": { "next": "/posts?cursor=AbC" },
//! }));
//!
//! let error = JsonApiError::from(FrameworkError::ParamError { param_name: "per_page".into() });
//! assert_eq!(serde_json::to_value(&error)?["errors"][0]["source"], json!({ "parameter": "per_page" }));
//! # serde_json::Result::Ok(())
//! ```

mod attributes;
mod cursor_document;
pub(crate) mod cursor_window;
mod derived;
mod document;
mod error;
mod fieldsets;
mod included;
mod includes;
mod object;
mod paginated;
mod relationship;
mod resource;
#[cfg(any(feature = "actix", feature = "axum"))]
mod respond;
mod sparse_fieldsets;

pub use self::cursor_document::CursorDocument;
pub use self::cursor_window::{CursorPage, CursorWindow, CursorWindowError};
pub use self::document::{JsonApi, Resource};
pub use self::error::JsonApiError;
pub use self::fieldsets::Fieldsets;
pub use self::included::Included;
pub use self::includes::{IncludePaths, Includes};
pub use self::paginated::{Links, Paginated};
pub use self::relationship::{Relationship, ResourceIdentifier};
pub use self::resource::JsonResource;
pub use self::sparse_fieldsets::SparseFieldsets;

/// Only for the code that the derive generates. It can change without notice.
#[doc(hidden)]
pub mod __private {
    pub use super::derived::{SerializedModel, resource_id, to_one_relationships};
    pub use serde_json::Value as Json;
}
