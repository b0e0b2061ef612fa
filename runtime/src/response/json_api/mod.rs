//! The envelope of JSON:API 1.1: rows as resource objects, the page's place in `meta.pagination`, the pages around it
//! in `links`.

mod attributes;
mod derived;
mod error;

use std::marker::PhantomData;

use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::Value;

use self::attributes::Attributes;
use super::paginated::Paginated;

pub use derived::{Whole, resource_id};
pub use error::JsonApiError;

/// A row as a resource object of JSON:API.
///
/// `#[paginate(resource = "articles")]` on a model derives it: the type is `articles`, the id is the primary key, and
/// the attributes are all else that the model serializes to, under the names that serde gives them. By hand:
///
/// ```
/// use folio::{CursorPaginator, JsonResource, Resource};
/// use serde_json::json;
///
/// struct Article {
///     slug: String,
///     title: String,
///     author: i64,
/// }
///
/// impl JsonResource for Article {
///     fn resource_type(&self) -> &str {
///         "articles"
///     }
///     fn id(&self) -> String {
///         self.slug.clone()
///     }
///     fn attributes(&self) -> impl serde::Serialize {
///         json!({ "title": self.title })
///     }
///     fn relationships(&self) -> Option<serde_json::Value> {
///         Some(json!({ "author": { "data": { "type": "people", "id": self.author.to_string() } } }))
///     }
/// }
///
/// let article = Article { slug: "on-pages".into(), title: "On pages".into(), author: 7 };
/// let document = serde_json::to_value(Resource::paginated(CursorPaginator::new(vec![article], 1, None, None)))?;
/// let expected = json!([{
///     "type": "articles",
///     "id": "on-pages",
///     "attributes": { "title": "On pages" },
///     "relationships": { "author": { "data": { "type": "people", "id": "7" } } },
/// }]);
/// assert_eq!(document["data"], expected);
/// # serde_json::Result::Ok(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement `JsonResource`",
    label = "write `#[paginate(resource = \"...\")]` on the model, or implement `folio::JsonResource`"
)]
pub trait JsonResource {
    /// The keys of the attributes that are in the id already, and so are left out.
    const ID_KEYS: &'static [&'static str] = &["id"];

    /// The resource's type, such as `articles`.
    fn resource_type(&self) -> &str;

    /// What names the resource among those of its type.
    fn id(&self) -> String;

    /// The attributes: a struct or a map. None may be called `type` or `id`, which JSON:API keeps for itself: such a
    /// resource does not serialize. One of [`ID_KEYS`](Self::ID_KEYS) is left out.
    fn attributes(&self) -> impl Serialize;

    /// The relationships to other resources, an object.
    fn relationships(&self) -> Option<Value> {
        None
    }

    /// The links of the resource itself, an object.
    fn links(&self) -> Option<Value> {
        None
    }

    /// Additional metadata of the resource, an object.
    fn meta(&self) -> Option<Value> {
        None
    }
}

/// Documents of JSON:API.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use folio::{LengthAwarePaginator, Paginate, Resource};
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
    /// A page as a document. With the feature `axum` it is a response of the media type `application/vnd.api+json`.
    ///
    /// | page | `meta.pagination` | `links` that exist |
    /// |---|---|---|
    /// | length-aware | `total`, `per_page`, `current_page`, `last_page` | `self`, `first`, `last`, `prev`, `next` |
    /// | simple | `per_page`, `current_page`, `has_more` | `self`, `first`, `prev`, `next` |
    /// | cursor | `next_cursor`, `prev_cursor` | `prev`, `next` |
    ///
    /// Links begin with the page's path, so give it one. The keys that JSON:API proposes for a query are set like any
    /// others: `with_page_name("page[number]")`, `with_cursor_name("page[cursor]")`, and
    /// `PerPage::from_request_using("page[size]", 15, 100)`. That of a simple page is always `page`.
    ///
    /// ```
    /// # #[derive(serde::Serialize, sqlx::FromRow, folio::Paginate)]
    /// # #[paginate(resource = "posts")]
    /// # struct Post { id: i64, title: String }
    /// use folio::{Paginator, Resource};
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

/// A page in the envelope of JSON:API; made by [`Resource::paginated`].
///
/// ```
/// # #[derive(Debug, serde::Serialize, sqlx::FromRow, folio::Paginate)]
/// # #[paginate(resource = "articles")]
/// # struct Post { id: i64, title: String }
/// use folio::{JsonApi, JsonApiError, LengthAwarePaginator, Resource};
///
/// async fn posts() -> Result<JsonApi<Post, LengthAwarePaginator<Post>>, JsonApiError> {
///     Ok(Resource::paginated(Post::query().with_path("/posts").paginate(15).await?))
/// }
/// ```
#[derive(Debug, Clone)]
pub struct JsonApi<T, P> {
    page: P,
    rows: PhantomData<fn() -> T>,
}

impl<T: JsonResource, P: Paginated<T>> Serialize for JsonApi<T, P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut document = serializer.serialize_struct("JsonApi", 3)?;
        document.serialize_field("data", &Rows(self.page.rows()))?;
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
struct Rows<'a, T>(&'a [T]);

impl<T: JsonResource> Serialize for Rows<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Object))
    }
}

/// A row as a resource object.
struct Object<'a, T>(&'a T);

impl<T: JsonResource> Serialize for Object<'_, T> {
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
