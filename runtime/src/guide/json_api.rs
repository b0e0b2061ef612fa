//! JSON:API documents with related resources and sparse fieldsets, and the cursor pagination profile.
//!
//! [`Resource::paginated`](crate::json_api::Resource::paginated) turns a page into a document: see [`frameworks`](crate::guide::frameworks). This chapter describes what else a document can contain. The examples use the tables of the [`cookbook`](crate::guide::cookbook).
//!
//! # A list with its related resources
//!
//! 1. A row states its relationships, and leaves the foreign keys out of its attributes.
//! 2. The handler reads what the client asks for: [`Includes`](crate::json_api::Includes) and [`Fieldsets`](crate::json_api::Fieldsets) list what it may ask for.
//! 3. The handler reads the related rows of the whole page, in one query for each type, and adds them to the document.
//!
//! ```rust
#![doc = include_str!("../doc/issues.txt")]
//! use folio::json_api::{
//!     Fieldsets, Included, Includes, JsonApi, JsonApiError, JsonResource, Relationship, Resource, ResourceIdentifier,
//! };
//! use folio::{ActiveRequest, CursorPaginator, Paginate};
//! use serde_json::json;
//!
//! impl JsonResource for Issue {
//!     fn resource_type(&self) -> &str {
//!         "issues"
//!     }
//!     fn id(&self) -> String {
//!         self.id.to_string()
//!     }
//!     fn attributes(&self) -> impl serde::Serialize {
//!         json!({ "title": self.title, "state": self.state })
//!     }
//!     fn relationships(&self) -> Option<serde_json::Value> {
//!         Some(json!({
//!             "author": Relationship::to_one(ResourceIdentifier::new("people", self.author_id)),
//!             "comments": Relationship::related(format!("/issues/{}/comments", self.id)),
//!         }))
//!     }
//! }
//!
//! #[derive(serde::Serialize, sqlx::FromRow, Paginate)]
//! #[paginate(table = "users", resource = "people")]
//! struct Person {
//!     id: i64,
//!     name: String,
//! }
//!
//! async fn issues() -> Result<JsonApi<Issue, CursorPaginator<Issue>>, JsonApiError> {
//!     let include = Includes::new().allow("author").from_request()?;
//!     let fields = Fieldsets::new()
//!         .allow("issues", ["title", "state", "author", "comments"])
//!         .allow("people", ["name"])
//!         .from_request()?;
//!     let page = Issue::query().with_query_string().with_cursor_name("page[cursor]").cursor_paginate(3).await?;
//!     let mut included = Included::new();
//!     if include.has("author") {
//!         let ids = page.data.iter().map(|issue| issue.author_id);
//!         // Always page 1, because the request's page number is for the issues.
//!         let authors = Person::query().filter(Person::ID.any_of(ids)).page(1).simple_paginate(3).await?;
//!         included = included.with(authors.data);
//!     }
//!     Ok(Resource::paginated(page).with_included(included)?.with_fields(fields))
//! }
//!
//! let document = async |uri| {
//!     let document = ActiveRequest::new(uri).scope(issues()).await;
//!     document.map(|document| serde_json::to_value(document).unwrap())
//! };
//! let asked = "/issues?include=author&fields%5Bissues%5D=title,author";
//! let found = document(asked).await.unwrap();
//! assert_eq!(found["data"][0], json!({
//!     "type": "issues",
//!     "id": "1",
//!     "attributes": { "title": "Crash" },
//!     "relationships": { "author": { "data": { "type": "people", "id": "7" } } },
//! }));
//! // The three issues have two authors, each of whom is included once.
//! assert_eq!(found["included"], json!([
//!     { "type": "people", "id": "7", "attributes": { "name": "Ada" } },
//!     { "type": "people", "id": "8", "attributes": { "name": "Max" } },
//! ]));
//! assert!(found["links"]["next"].as_str().unwrap().starts_with(asked));
//!
//! for (asked, parameter) in [("?include=project", "include"), ("?fields[people]=email", "fields[people]")] {
//!     let error = serde_json::to_value(document(asked).await.unwrap_err()).unwrap();
//!     assert_eq!(error["errors"][0]["source"], json!({ "parameter": parameter }));
//! }
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! # Relationships
//!
//! | relationship | written as |
//! |---|---|
//! | to one resource, or none | [`Relationship::to_one`](crate::json_api::Relationship::to_one): `data` is an identifier or `null` |
//! | to several resources, all of which are known | [`Relationship::to_many`](crate::json_api::Relationship::to_many): `data` is an array |
//! | to a paginated list | [`Relationship::related`](crate::json_api::Relationship::related): only the URL of the list |
//!
//! In a model with `#[paginate(resource = "issues")]`, `#[paginate(to_one = "people")]` on the field `author_id` states the relationship `author`, and leaves the field out of the attributes: see [`Paginate`](derive@crate::Paginate).
//!
//! A list that grows, such as comments, should be a paginated list of its own; do not put the ids of all comments into each issue. If a resource needs more than its own columns, such as the ids of its tags, [`load`](crate::load) them for the whole page, and convert the rows with `page.map` into a struct that implements `JsonResource`.
//!
//! Attributes and relationships share one namespace. A resource with an attribute and a relationship of the same name fails to serialize, with an error that names it.
//!
//! # Included resources
//!
//! [`with_included`](crate::json_api::JsonApi::with_included) writes each resource once: it leaves out rows of the page and duplicates. A resource that no relationship in the document refers to is an error, because JSON:API requires full linkage. So for `?include=comments.author`, include the comments as well, because their relationships refer to the authors. [`IncludePaths::has`](crate::json_api::IncludePaths::has) returns `true` for both paths.
//!
//! `with_included` writes the member `included` even if it is empty, as JSON:API requires in a response to `?include=`. Without `with_included`, the document has no such member.
//!
//! # Endpoints without `include` or `fields`
//!
//! folio reads these parameters only if you call it to. JSON:API requires an endpoint to answer 400 to an `include` that it does not support, and to send no fields other than the ones that a client asks for. Empty lists refuse both parameters:
//!
//! ```rust
//! use folio::json_api::{Fieldsets, Includes};
//!
//! # fn main() -> folio::Result<()> {
//! Includes::new().from_request()?;
//! Fieldsets::new().from_request()?;
//! # assert!(Includes::new().resolve(Some("author")).is_err());
//! # assert!(Fieldsets::new().resolve("fields[posts]=title").is_err());
//! # Ok(())
//! # }
//! ```
//!
//! The parameters are checked against these lists, not against the rows, so an empty page gives the same answers as any other.
//!
//! # The cursor pagination profile
//!
//! The [profile](https://jsonapi.org/profiles/ethanresnick/cursor-pagination/) is a convention for paging by cursor: requests have `page[size]`, `page[after]` and `page[before]`, and each resource in the response has a cursor. A client that knows the profile can page through any such list. [`CursorWindow`](crate::json_api::CursorWindow) reads the request, and [`Resource::cursor_paginated`](crate::json_api::Resource::cursor_paginated) writes the document:
//!
//! ```rust
#![doc = include_str!("../doc/issues.txt")]
//! use folio::ActiveRequest;
//! use folio::json_api::{CursorDocument, CursorWindow, JsonApiError, JsonResource, Resource};
//! use serde_json::{Value, json};
//!
//! impl JsonResource for Issue {
//! #   fn resource_type(&self) -> &str { "issues" }
//! #   fn id(&self) -> String { self.id.to_string() }
//! #   fn attributes(&self) -> impl serde::Serialize { json!({ "title": self.title }) }
//!     // …
//! }
//!
//! async fn issues() -> Result<CursorDocument<Issue>, JsonApiError> {
//!     let window = CursorWindow::from_request(20, 100)?;
//!     Ok(Resource::cursor_paginated(Issue::query().with_query_string().cursor_window(window).await?))
//! }
//!
//! let document = async |uri: &str| {
//!     let document = ActiveRequest::new(uri).scope(issues()).await;
//!     document.map(|document| serde_json::to_value(document).unwrap())
//! };
//! let first = document("/issues?page[size]=2").await.unwrap();
//! assert_eq!(first["links"]["prev"], Value::Null);
//! let next = document(first["links"]["next"].as_str().unwrap()).await.unwrap();
//! assert_eq!(next["data"][0]["id"], "3");
//!
//! // From any resource, in either direction.
//! let cursor = next["data"][0]["meta"]["page"]["cursor"].as_str().unwrap();
//! let before = document(&format!("/issues?page[size]=1&page[before]={cursor}")).await.unwrap();
//! assert_eq!(before["data"][0]["id"], "2");
//!
//! let error = serde_json::to_value(document("/issues?page[size]=101").await.unwrap_err()).unwrap();
//! assert_eq!(error["errors"][0]["meta"], json!({ "page": { "maxSize": 100 } }));
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! | request | rows |
//! |---|---|
//! | neither cursor | the first rows of the list |
//! | `page[after]` | the first rows after the cursor |
//! | `page[before]` | the last rows before the cursor |
//! | both | the first rows between the cursors, and `meta.page.rangeTruncated` if there are more |
//!
//! - A `page[size]` above the maximum is a 400 that names the maximum, whereas [`PerPage`](crate::PerPage) caps the size. Without a size, a request with both cursors gets as many rows as the maximum, and any other request the default.
//! - An invalid parameter is a 400 whose `source.parameter` names it. The link `type` of an error is a string, as JSON:API 1.1 requires. The profile is older than version 1.1 and shows an array.
//! - [`counted`](crate::Builder::counted) adds `meta.page.total`, or `estimatedTotal` if the number is not exact.
//! - Without the features `actix` and `axum`, send [`CursorWindow::MEDIA_TYPE`](crate::json_api::CursorWindow::MEDIA_TYPE) as the content type, and `Vary: Accept`.
