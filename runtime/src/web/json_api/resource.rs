//! The trait for rows that are resources.

use serde::Serialize;
use serde_json::Value;

/// A row that is a resource object in a JSON:API document.
///
/// `#[paginate(resource = "articles")]` on a model implements it: the type is `articles`, the id is the primary key,
/// and the attributes are all other serialized fields, under the names that serde gives them. A foreign key with
/// `#[paginate(to_one = "people")]` becomes a relationship instead. To implement the trait by hand:
///
/// ```
/// use folio::CursorPaginator;
/// use folio::json_api::{JsonResource, Relationship, Resource, ResourceIdentifier};
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
///         Some(json!({ "author": Relationship::to_one(ResourceIdentifier::new("people", self.author)) }))
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
    label = "write `#[paginate(resource = \"...\")]` on the model, or implement `folio::json_api::JsonResource`"
)]
pub trait JsonResource {
    /// The keys that are left out of the attributes, because they are part of the id or of a relationship. The default
    /// is `["id"]`.
    const ID_KEYS: &'static [&'static str] = &["id"];

    /// The resource's type, such as `articles`.
    fn resource_type(&self) -> &str;

    /// The id, unique among the resources of its type.
    fn id(&self) -> String;

    /// The attributes: a struct or a map. The [`ID_KEYS`](Self::ID_KEYS) are left out of it.
    ///
    /// JSON:API reserves the names `type` and `id`. A resource with such an attribute fails to serialize, unless
    /// [`ID_KEYS`](Self::ID_KEYS) contains the name.
    fn attributes(&self) -> impl Serialize;

    /// The relationships to other resources: an object, such as `json!({ "author": Relationship::to_one(author) })`. If
    /// it is `None`, the resource object has no `relationships`.
    ///
    /// Attributes and relationships share one namespace, so a resource with an attribute of the same name fails to
    /// serialize. Leave the attribute out, or add its name to [`ID_KEYS`](Self::ID_KEYS). See
    /// [`Relationship`](super::Relationship).
    fn relationships(&self) -> Option<Value> {
        None
    }

    /// The links of the resource itself: an object, such as `{ "self": "/articles/7" }`.
    fn links(&self) -> Option<Value> {
        None
    }

    /// Additional metadata of the resource: an object.
    fn meta(&self) -> Option<Value> {
        None
    }
}
