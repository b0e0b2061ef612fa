//! The resources that a document includes in addition to the rows of its page.
//!
//! JSON:API requires that each resource is in a document once, and that each included one is linked: an identifier in
//! the relationships of another resource refers to it. Both are checked before anything is written.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use serde::ser::{Error, Serialize, SerializeSeq, Serializer};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::object::ResourceObject;
use super::relationship::identifiers;
use super::resource::JsonResource;
use super::sparse_fieldsets::SparseFieldsets;
use crate::error::{FrameworkError, Result};

/// A resource's type and id.
type Identity = (String, String);

/// Related resources of any types, for [`JsonApi::with_included`](crate::json_api::JsonApi::with_included).
///
/// A resource that was added twice, or that is also a row of the page, is written once.
///
/// ```
/// use folio::Paginator;
/// use folio::json_api::{Included, JsonResource, Relationship, Resource, ResourceIdentifier};
/// use serde_json::json;
///
/// #[derive(serde::Serialize, sqlx::FromRow, folio::Paginate)]
/// #[paginate(resource = "people")]
/// struct Person {
///     id: i64,
///     name: String,
/// }
///
/// struct Post {
///     id: i64,
///     author: i64,
/// }
///
/// impl JsonResource for Post {
///     fn resource_type(&self) -> &str {
///         "posts"
///     }
///     fn id(&self) -> String {
///         self.id.to_string()
///     }
///     fn attributes(&self) -> impl serde::Serialize {
///         json!({})
///     }
///     fn relationships(&self) -> Option<serde_json::Value> {
///         Some(json!({ "author": Relationship::to_one(ResourceIdentifier::new("people", self.author)) }))
///     }
/// }
///
/// let page = Paginator::new(vec![Post { id: 1, author: 7 }, Post { id: 2, author: 7 }], 1, 15, false);
/// let ada = || Person { id: 7, name: "Ada".into() };
/// let included = Included::new().with([ada(), ada()]);
/// let document = serde_json::to_value(Resource::paginated(page).with_included(included)?).unwrap();
/// let expected = json!([{ "type": "people", "id": "7", "attributes": { "name": "Ada" } }]);
/// assert_eq!(document["included"], expected);
/// # Ok::<(), folio::FrameworkError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Included {
    resources: Vec<IncludedResource>,
}

/// An included resource of a type that the document does not know.
#[derive(Clone)]
pub(super) struct IncludedResource {
    identity: Identity,
    resource: Arc<dyn Includable>,
}

impl fmt::Debug for IncludedResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.identity.fmt(f)
    }
}

/// What a document needs of an included resource, without its type.
trait Includable: Send + Sync {
    fn relationships(&self) -> Option<Value>;

    fn object(&self, fields: &SparseFieldsets) -> serde_json::Result<Box<RawValue>>;
}

impl<R: JsonResource + Send + Sync> Includable for R {
    fn relationships(&self) -> Option<Value> {
        JsonResource::relationships(self)
    }

    fn object(&self, fields: &SparseFieldsets) -> serde_json::Result<Box<RawValue>> {
        to_raw_value(&ResourceObject { row: self, cursor: None, fields })
    }
}

impl Included {
    /// Creates an empty list. Add resources with [`with`](Self::with).
    ///
    /// ```
    /// use folio::Paginator;
    /// use folio::json_api::{Included, Resource};
    ///
    /// # #[derive(serde::Serialize, sqlx::FromRow, folio::Paginate)]
    /// # #[paginate(resource = "posts")]
    /// # struct Post { id: i64 }
    /// let page = Paginator::<Post>::new(vec![], 1, 15, false);
    /// let document = serde_json::to_value(Resource::paginated(page).with_included(Included::new())?).unwrap();
    /// assert_eq!(document["included"], serde_json::json!([]));
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { resources: Vec::new() }
    }

    /// Adds resources of one row type, after those that were added before. Call it once for each type.
    ///
    /// If two resources have the same type and id, the first one is written.
    ///
    /// ```
    /// use folio::json_api::Included;
    ///
    /// # #[derive(serde::Serialize, sqlx::FromRow, folio::Paginate)]
    /// # #[paginate(resource = "people")]
    /// # struct Person { id: i64 }
    /// # #[derive(serde::Serialize, sqlx::FromRow, folio::Paginate)]
    /// # #[paginate(resource = "comments")]
    /// # struct Comment { id: i64 }
    /// let included = Included::new().with([Person { id: 7 }]).with(vec![Comment { id: 1 }, Comment { id: 2 }]);
    /// assert_eq!(format!("{included:?}").matches("comments").count(), 2);
    /// ```
    #[must_use]
    pub fn with<R>(mut self, resources: impl IntoIterator<Item = R>) -> Self
    where
        R: JsonResource + Send + Sync + 'static,
    {
        let resources = resources.into_iter();
        let included = |resource| IncludedResource { identity: identity(&resource), resource: Arc::new(resource) };
        self.resources.extend(resources.map(included));
        self
    }

    /// The resources to write in addition to `rows`, each once. Fails if one of them is not linked.
    pub(super) fn beside<T: JsonResource>(self, rows: &[T]) -> Result<Vec<IncludedResource>> {
        let mut seen = HashSet::with_capacity(rows.len());
        for identity in rows.iter().map(identity) {
            if let Some((kind, id)) = seen.replace(identity) {
                return Err(FrameworkError::internal(format!(
                    "the page has the resource `{kind}` with the id `{id}` twice, and a document with included \
                     resources has each resource once: change the query so that it does not repeat rows, or give each \
                     row an id of its own"
                )));
            }
        }
        let mut resources = self.resources;
        resources.retain(|resource| seen.insert(resource.identity.clone()));

        // Included resources may be linked by each other.
        let relationships = rows.iter().map(JsonResource::relationships);
        let relationships = relationships.chain(resources.iter().map(|included| included.resource.relationships()));
        let mut linked = HashSet::new();
        for object in relationships.flatten() {
            linked.extend(identifiers(&object).map(|(kind, id)| (kind.to_owned(), id.to_owned())));
        }
        match resources.iter().find(|included| !linked.contains(&included.identity)) {
            Some(IncludedResource { identity: (kind, id), .. }) => Err(FrameworkError::internal(format!(
                "no relationship in the document refers to the included resource `{kind}` with the id `{id}`, as \
                 JSON:API requires: add `ResourceIdentifier::new(\"{kind}\", \"{id}\")` to the `relationships` of a \
                 resource, or do not include it"
            ))),
            None => Ok(resources),
        }
    }
}

/// The identity of a resource.
fn identity(resource: &impl JsonResource) -> Identity {
    (resource.resource_type().to_owned(), resource.id())
}

/// The included resources as resource objects.
pub(super) struct IncludedObjects<'a> {
    pub(super) resources: &'a [IncludedResource],
    pub(super) fields: &'a SparseFieldsets,
}

impl Serialize for IncludedObjects<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut objects = serializer.serialize_seq(Some(self.resources.len()))?;
        for IncludedResource { resource, .. } in self.resources {
            objects.serialize_element(&resource.object(self.fields).map_err(S::Error::custom)?)?;
        }
        objects.end()
    }
}
