//! The document: rows as resource objects, the page's place in its list, and the pages around it.

use std::marker::PhantomData;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::attributes::Attributes;
use super::resource::JsonResource;
use crate::response::paginated::Paginated;

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
    /// Turns a page into a document. With the feature `axum`, it is a response of the media type
    /// `application/vnd.api+json`.
    ///
    /// | page | `meta.pagination` | `links` that exist |
    /// |---|---|---|
    /// | length-aware | `total`, `per_page`, `current_page`, `last_page` | `self`, `first`, `last`, `prev`, `next` |
    /// | simple | `per_page`, `current_page`, `has_more` | `self`, `first`, `prev`, `next` |
    /// | cursor | `next_cursor`, `prev_cursor`, and `total` or `estimatedTotal` if counted | `prev`, `next` |
    ///
    /// Links begin with the page's path, so set one. The query keys that JSON:API recommends are set like any others:
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
        JsonApi { page, rows: PhantomData }
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
}

impl<T: JsonResource, P: Paginated<T>> Serialize for JsonApi<T, P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut document = serializer.serialize_struct("JsonApi", 3)?;
        document.serialize_field("data", &ResourceObjects(self.page.rows()))?;
        document.serialize_field("meta", &Meta { pagination: self.page.pagination() })?;
        document.serialize_field("links", &self.page.relations())?;
        document.end()
    }
}

/// The `meta` of a document.
#[derive(serde::Serialize)]
struct Meta<P> {
    pagination: P,
}

/// The rows of a page as resource objects.
struct ResourceObjects<'a, T>(&'a [T]);

impl<T: JsonResource> Serialize for ResourceObjects<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(ResourceObject))
    }
}

/// A row as a resource object.
struct ResourceObject<'a, T>(&'a T);

impl<T: JsonResource> Serialize for ResourceObject<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let row = self.0;
        let mut object = serializer.serialize_struct("Resource", 6)?;
        object.serialize_field("type", row.resource_type())?;
        object.serialize_field("id", &row.id())?;
        object.serialize_field("attributes", &Attributes { of: row.attributes(), without: T::ID_KEYS })?;
        for (key, value) in [("relationships", row.relationships()), ("links", row.links()), ("meta", row.meta())] {
            match value {
                Some(value) => object.serialize_field(key, &value)?,
                None => object.skip_field(key)?,
            }
        }
        object.end()
    }
}
