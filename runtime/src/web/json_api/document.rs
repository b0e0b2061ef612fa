//! The document: rows as resource objects, the resources related to them, the page's place in its list, and the pages
//! around it.

use std::marker::PhantomData;

use serde::{Serialize, Serializer};

use super::included::{Included, IncludedObjects, IncludedResource};
use super::object::ResourceObjects;
use super::paginated::{Links, Paginated};
use super::resource::JsonResource;
use super::sparse_fieldsets::SparseFieldsets;
use crate::error::Result;

/// Creates JSON:API documents.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use folio::json_api::Resource;
/// use folio::{LengthAwarePaginator, Paginate};
/// use serde_json::json;
///
/// #[derive(serde::Serialize, sqlx::FromRow, Paginate)]
/// #[paginate(resource = "articles")]
/// #[serde(rename_all = "camelCase")]
/// struct Post {
///     id: i64,
///     word_count: i64,
/// }
///
/// let page = LengthAwarePaginator::new(vec![Post { id: 7, word_count: 900 }], 3, 1, 2).with_path("/posts");
/// let expected = json!({
///     "data": [{ "type": "articles", "id": "7", "attributes": { "wordCount": 900 } }],
///     "meta": { "pagination": { "total": 3, "per_page": 1, "current_page": 2, "last_page": 3 } },
///     "links": {
///         "self": "/posts?page=2",
///         "first": "/posts?page=1",
///         "last": "/posts?page=3",
///         "prev": "/posts?page=1",
///         "next": "/posts?page=3",
///     },
/// });
/// assert_eq!(serde_json::to_value(Resource::paginated(page))?, expected);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Resource;

impl Resource {
    /// Converts a page to a document. With the feature `actix` or `axum`, the document is a response with the media
    /// type `application/vnd.api+json`.
    ///
    /// | page | `meta.pagination` | `links`, if they exist |
    /// |---|---|---|
    /// | length-aware | `total`, `per_page`, `current_page`, `last_page` | `self`, `first`, `last`, `prev`, `next` |
    /// | simple | `per_page`, `current_page`, `has_more` | `self`, `first`, `prev`, `next` |
    /// | cursor | `next_cursor`, `prev_cursor`, and `total` or `estimatedTotal` if counted | `prev`, `next` |
    ///
    /// Links begin with the page's path, so set a path. For the query keys that JSON:API recommends, call
    /// `with_page_name("page[number]")`, `with_cursor_name("page[cursor]")`, and
    /// `PerPage::from_request_using("page[size]", 15, 100)`. The key of a simple page is always `page`.
    ///
    /// ```
    /// # #[derive(serde::Serialize, sqlx::FromRow, folio::Paginate)]
    /// # #[paginate(resource = "posts")]
    /// # struct Post { id: i64, title: String }
    /// use folio::Paginator;
    /// use folio::json_api::Resource;
    ///
    /// let page = Paginator::new(vec![Post { id: 7, title: "Pages".into() }], 1, 1, true).with_path("/posts");
    /// let document = serde_json::to_value(Resource::paginated(page)).unwrap();
    /// assert_eq!(document["data"][0]["id"], "7");
    /// assert_eq!(document["links"]["next"], "/posts?page=2");
    /// ```
    pub fn paginated<T: JsonResource, P: Paginated<T>>(page: P) -> JsonApi<T, P> {
        JsonApi { page, rows: PhantomData, included: None, fields: SparseFieldsets::default() }
    }
}

/// A page as a JSON:API document, created by [`Resource::paginated`].
///
/// ```
/// # #[derive(Debug, serde::Serialize, sqlx::FromRow, folio::Paginate)]
/// # #[paginate(resource = "articles")]
/// # struct Post { id: i64, title: String }
/// use folio::LengthAwarePaginator;
/// use folio::json_api::{JsonApi, JsonApiError, Resource};
///
/// async fn posts() -> Result<JsonApi<Post, LengthAwarePaginator<Post>>, JsonApiError> {
///     Ok(Resource::paginated(Post::query().with_path("/posts").paginate(15).await?))
/// }
/// # let empty = Resource::paginated(LengthAwarePaginator::new(Vec::<Post>::new(), 0, 15, 1));
/// # assert!(serde_json::to_string(&empty).unwrap().starts_with(r#"{"data":[],"meta":"#));
/// ```
#[derive(Debug, Clone)]
pub struct JsonApi<T, P> {
    page: P,
    rows: PhantomData<fn() -> T>,
    included: Option<Vec<IncludedResource>>,
    fields: SparseFieldsets,
}

impl<T: JsonResource, P: Paginated<T>> JsonApi<T, P> {
    /// Adds related resources, which makes a compound document. `included` is written even if it is empty, as JSON:API
    /// requires in a response to `?include=`.
    ///
    /// Each resource is written once: rows of the page and duplicates are left out of `included`. Each included
    /// resource has to be linked: the [`relationships`](JsonResource::relationships) of a row or of another included
    /// resource have to refer to it. A second call replaces the resources of the first one.
    ///
    /// ```
    /// use folio::Paginator;
    /// use folio::json_api::{Included, JsonResource, Relationship, Resource, ResourceIdentifier};
    /// use serde_json::json;
    ///
    /// # #[derive(serde::Serialize, sqlx::FromRow, folio::Paginate)]
    /// # #[paginate(resource = "people")]
    /// # struct Person { id: i64, name: String }
    /// #[derive(Debug)]
    /// struct Post {
    ///     id: i64,
    ///     author: i64,
    /// }
    ///
    /// impl JsonResource for Post {
    ///     fn relationships(&self) -> Option<serde_json::Value> {
    ///         Some(json!({ "author": Relationship::to_one(ResourceIdentifier::new("people", self.author)) }))
    ///     }
    /// #   fn resource_type(&self) -> &str { "posts" }
    /// #   fn id(&self) -> String { self.id.to_string() }
    /// #   fn attributes(&self) -> impl serde::Serialize { json!({}) }
    ///     // …
    /// }
    ///
    /// let page = || Resource::paginated(Paginator::new(vec![Post { id: 1, author: 7 }], 1, 15, false));
    /// let document = page().with_included(Included::new().with([Person { id: 7, name: "Ada".into() }]))?;
    /// assert_eq!(serde_json::to_value(document).unwrap()["included"][0]["attributes"]["name"], "Ada");
    ///
    /// let error = page().with_included(Included::new().with([Person { id: 8, name: "Max".into() }])).unwrap_err();
    /// assert!(error.to_string().contains("refers to the included resource `people` with the id `8`"));
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    ///
    /// # Errors
    /// [`Internal`](crate::FrameworkError::Internal) if an included resource is not linked, or if two rows of the page
    /// have the same type and id. A relationship counts as a link even if a sparse fieldset leaves it out, as JSON:API
    /// allows.
    pub fn with_included(mut self, included: Included) -> Result<Self> {
        self.included = Some(included.beside(self.page.rows())?);
        Ok(self)
    }

    /// Restricts the attributes and relationships of all resources, including related ones, to the fields that the
    /// client asked for. See [`Fieldsets`](super::Fieldsets).
    ///
    /// ```
    /// use folio::Paginator;
    /// use folio::json_api::{Fieldsets, Resource};
    ///
    /// # #[derive(serde::Serialize, sqlx::FromRow, folio::Paginate)]
    /// # #[paginate(resource = "posts")]
    /// # struct Post { id: i64, title: String, body: String }
    /// let fields = Fieldsets::new().allow("posts", ["title", "body"]).resolve("fields[posts]=title")?;
    /// let page = Paginator::new(vec![Post { id: 7, title: "Pages".into(), body: "…".into() }], 1, 15, false);
    /// let document = serde_json::to_value(Resource::paginated(page).with_fields(fields)).unwrap();
    /// assert_eq!(document["data"][0]["attributes"], serde_json::json!({ "title": "Pages" }));
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn with_fields(mut self, fields: SparseFieldsets) -> Self {
        self.fields = fields;
        self
    }
}

impl<T: JsonResource, P: Paginated<T>> Serialize for JsonApi<T, P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { page, fields, included, rows: _ } = self;
        let data = ResourceObjects { rows: page.rows(), cursors: &[], fields };
        let included = included.as_ref().map(|resources| IncludedObjects { resources, fields });
        let meta = Meta { pagination: page.pagination() };
        Members { data, included, meta, links: page.links() }.serialize(serializer)
    }
}

/// The members of a document in their order.
#[derive(Serialize)]
#[serde(rename = "JsonApi", bound = "T: JsonResource, P: Serialize")]
struct Members<'a, T, P> {
    data: ResourceObjects<'a, T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    included: Option<IncludedObjects<'a>>,
    meta: Meta<P>,
    links: Links,
}

/// The `meta` of a document.
#[derive(Serialize)]
struct Meta<P> {
    pagination: P,
}
