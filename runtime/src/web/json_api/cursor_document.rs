//! The document of the cursor pagination profile: each resource has a cursor, and the links contain cursors.

use serde::{Serialize, Serializer};

use super::cursor_window::{CursorPage, CursorWindow};
use super::document::Resource;
use super::included::{Included, IncludedObjects, IncludedResource};
use super::object::ResourceObjects;
use super::paginated::{EstimatedTotal, by_kind};
use super::resource::JsonResource;
use super::sparse_fieldsets::SparseFieldsets;
use crate::error::Result;
use crate::paginator::Total;

impl Resource {
    /// Turns a page of a [`CursorWindow`] into a document of the
    /// [cursor pagination profile](https://jsonapi.org/profiles/ethanresnick/cursor-pagination/).
    ///
    /// | member | value |
    /// |---|---|
    /// | `jsonapi.profile` | the profile's URI |
    /// | `meta.page.cursor` of a resource | its cursor, in addition to the row's own [`meta`](JsonResource::meta) |
    /// | `links.prev`, `links.next` | URLs with `page[before]` or `page[after]`, or `null` |
    /// | `links.first` | the URL without cursors |
    /// | `meta.page.total` | the total, if it was [counted](crate::Builder::counted) |
    /// | `meta.page.estimatedTotal.bestGuess` | the same, if it is not exact |
    /// | `meta.page.rangeTruncated` | `true`, if there are more rows between both cursors |
    /// | `meta.startCursor`, `meta.endCursor` | the page's [positions](crate::Builder::with_positions), if they were requested |
    ///
    /// Links begin with the page's path, so set a path, or call
    /// [`with_query_string`](crate::Builder::with_query_string), which also keeps sorts and filters. Links keep the
    /// request's `page[size]`. With the feature `actix` or `axum`, the response has the media type
    /// [`CursorWindow::MEDIA_TYPE`] and the header `Vary: accept`.
    ///
    /// ```
    /// # #[derive(Debug, serde::Serialize, sqlx::FromRow, folio::Paginate)]
    /// # #[paginate(resource = "posts")]
    /// # struct Post { id: i64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// # let rows = "CREATE TABLE posts (id INTEGER PRIMARY KEY); INSERT INTO posts VALUES (7), (8)";
    /// # sqlx::raw_sql(rows).execute(&pool).await?;
    /// # let folio = folio::Folio::new(pool).keyring(folio::Keyring::new(folio::Key::generate()));
    /// use folio::ActiveRequest;
    /// use folio::json_api::{CursorDocument, CursorWindow, JsonApiError, Resource};
    /// use serde_json::json;
    ///
    /// async fn posts() -> Result<CursorDocument<Post>, JsonApiError> {
    ///     let window = CursorWindow::from_request(20, 100)?;
    ///     let page = Post::query().with_query_string().counted().cursor_window(window).await?;
    ///     Ok(Resource::cursor_paginated(page))
    /// }
    ///
    /// # folio.scope(async {
    /// let document = ActiveRequest::new("/posts?page[size]=1").scope(posts()).await?;
    /// let document = serde_json::to_value(document)?;
    /// let cursor = document["data"][0]["meta"]["page"]["cursor"].as_str().unwrap();
    /// let next = document["links"]["next"].as_str().unwrap();
    /// assert!(next.starts_with("/posts?page%5Bsize%5D=1&page%5Bafter%5D="));
    /// assert_eq!(document, json!({
    ///     "jsonapi": { "profile": [CursorWindow::PROFILE] },
    ///     "data": [{ "type": "posts", "id": "7", "attributes": {}, "meta": { "page": { "cursor": cursor } } }],
    ///     "meta": { "page": { "total": 2 } },
    ///     "links": { "first": "/posts?page%5Bsize%5D=1", "prev": null, "next": next },
    /// }));
    /// # Ok(()) }).await
    /// # }
    /// ```
    pub fn cursor_paginated<T: JsonResource>(page: CursorPage<T>) -> CursorDocument<T> {
        CursorDocument { page, included: None, fields: SparseFieldsets::default() }
    }
}

/// A document of the cursor pagination profile, created by [`Resource::cursor_paginated`].
///
/// ```
/// # #[derive(Debug, serde::Serialize, sqlx::FromRow, folio::Paginate)]
/// # #[paginate(resource = "articles")]
/// # struct Post { id: i64, title: String }
/// use folio::json_api::{CursorDocument, CursorWindow, JsonApiError, Resource};
///
/// async fn posts() -> Result<CursorDocument<Post>, JsonApiError> {
///     let window = CursorWindow::from_request(20, 100)?;
///     Ok(Resource::cursor_paginated(Post::query().with_query_string().cursor_window(window).await?))
/// }
/// # // Without a database.
/// # let error = tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(posts()).unwrap_err();
/// # assert_eq!(error.cause().status(), 500);
/// ```
#[derive(Debug, Clone)]
pub struct CursorDocument<T> {
    page: CursorPage<T>,
    included: Option<Vec<IncludedResource>>,
    fields: SparseFieldsets,
}

impl<T: JsonResource> CursorDocument<T> {
    /// Adds related resources. See [`JsonApi::with_included`](super::JsonApi::with_included).
    ///
    /// ```
    #[doc = include_str!("../../doc/posts.txt")]
    /// use folio::json_api::{CursorWindow, Included, JsonResource, Resource};
    ///
    /// impl JsonResource for Post {
    /// #   fn resource_type(&self) -> &str { "posts" }
    /// #   fn id(&self) -> String { self.id.to_string() }
    /// #   fn attributes(&self) -> impl serde::Serialize { serde_json::json!({}) }
    ///     // …
    /// }
    ///
    /// let page = Post::query().cursor_window(CursorWindow::resolve("", 20, 100)?).await?;
    /// let document = Resource::cursor_paginated(page).with_included(Included::new())?;
    /// assert_eq!(serde_json::to_value(document).unwrap()["included"], serde_json::json!([]));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`JsonApi::with_included`](super::JsonApi::with_included).
    pub fn with_included(mut self, included: Included) -> Result<Self> {
        self.included = Some(included.beside(self.page.rows())?);
        Ok(self)
    }

    /// Restricts the attributes and relationships of all resources to the fields that the client asked for. See
    /// [`Fieldsets`](super::Fieldsets).
    ///
    /// ```
    #[doc = include_str!("../../doc/posts.txt")]
    /// use folio::json_api::{CursorWindow, Fieldsets, JsonResource, Resource};
    ///
    /// impl JsonResource for Post {
    /// #   fn resource_type(&self) -> &str { "posts" }
    /// #   fn id(&self) -> String { self.id.to_string() }
    ///     fn attributes(&self) -> impl serde::Serialize {
    ///         serde_json::json!({ "title": self.title, "author": self.author_id })
    ///     }
    ///     // …
    /// }
    ///
    /// let fields = Fieldsets::new().allow("posts", ["title", "author"]).resolve("fields[posts]=title")?;
    /// let page = Post::query().cursor_window(CursorWindow::resolve("", 20, 100)?).await?;
    /// let document = serde_json::to_value(Resource::cursor_paginated(page).with_fields(fields)).unwrap();
    /// assert_eq!(document["data"][0]["attributes"], serde_json::json!({ "title": "b" }));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn with_fields(mut self, fields: SparseFieldsets) -> Self {
        self.fields = fields;
        self
    }
}

impl<T: JsonResource> Serialize for CursorDocument<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { page, included, fields } = self;
        let data = ResourceObjects { rows: page.rows(), cursors: page.cursors(), fields };
        let included = included.as_ref().map(|resources| IncludedObjects { resources, fields });
        let meta = DocumentMeta::of(page);
        Members { jsonapi: Profiled::NEW, data, included, meta, links: PageLinks::of(page) }.serialize(serializer)
    }
}

/// The members of a document in their order.
#[derive(Serialize)]
#[serde(rename = "CursorDocument", bound = "T: JsonResource")]
struct Members<'a, T> {
    jsonapi: Profiled,
    data: ResourceObjects<'a, T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    included: Option<IncludedObjects<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    meta: Option<DocumentMeta<'a>>,
    links: PageLinks,
}

/// The member `jsonapi` of a document that follows the profile.
#[derive(Serialize)]
pub(super) struct Profiled {
    profile: [&'static str; 1],
}

impl Profiled {
    pub(super) const NEW: Self = Self { profile: [CursorWindow::PROFILE] };
}

/// What the profile adds to a `meta` object.
#[derive(Serialize)]
pub(super) struct Meta<P> {
    pub(super) page: P,
}

/// `meta` of a document. The profile defines the members of `page`, so the positions are beside it.
#[derive(Serialize)]
struct DocumentMeta<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<PageMeta>,
    #[serde(rename = "startCursor", skip_serializing_if = "Option::is_none")]
    start_cursor: Option<&'a str>,
    #[serde(rename = "endCursor", skip_serializing_if = "Option::is_none")]
    end_cursor: Option<&'a str>,
}

impl<'a> DocumentMeta<'a> {
    /// That of a page, if it has any.
    fn of<T>(page: &'a CursorPage<T>) -> Option<Self> {
        let meta = Self { page: PageMeta::of(page), start_cursor: page.start_cursor(), end_cursor: page.end_cursor() };
        (meta.page.is_some() || meta.start_cursor.is_some() || meta.end_cursor.is_some()).then_some(meta)
    }
}

/// `meta.page` of a document.
#[derive(Serialize)]
struct PageMeta {
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
    #[serde(rename = "estimatedTotal", skip_serializing_if = "Option::is_none")]
    estimated_total: Option<EstimatedTotal>,
    #[serde(rename = "rangeTruncated", skip_serializing_if = "Option::is_none")]
    range_truncated: Option<bool>,
}

impl PageMeta {
    /// That of a page, if it has any.
    fn of<T>(page: &CursorPage<T>) -> Option<Self> {
        let (exact, inexact) = by_kind(page.total());
        let meta = Self {
            total: exact.map(Total::rows),
            estimated_total: inexact.map(EstimatedTotal::of),
            range_truncated: page.range_truncated().then_some(true),
        };
        (page.total().is_some() || page.range_truncated()).then_some(meta)
    }
}

/// The links of a document. The profile requires `prev` and `next`, which are `null` at the ends of the list.
#[derive(Serialize)]
struct PageLinks {
    first: String,
    prev: Option<String>,
    next: Option<String>,
}

impl PageLinks {
    fn of<T>(page: &CursorPage<T>) -> Self {
        Self { first: page.first_page_url(), prev: page.previous_page_url(), next: page.next_page_url() }
    }
}
