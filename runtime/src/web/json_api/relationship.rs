//! The relationships of a resource: which other resources it refers to, and where to fetch them.

use std::collections::HashSet;
use std::fmt::Display;
use std::slice;

use serde::Serialize;
use serde_json::Value;

use super::paginated::Links;
use super::resource::JsonResource;

/// The type and the id of a resource, with which a relationship refers to it.
///
/// ```
/// use folio::json_api::ResourceIdentifier;
/// use serde_json::json;
///
/// let author = ResourceIdentifier::new("people", 7).with_meta(json!({ "role": "editor" }));
/// let expected = json!({ "type": "people", "id": "7", "meta": { "role": "editor" } });
/// assert_eq!(serde_json::to_value(author)?, expected);
/// # serde_json::Result::Ok(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ResourceIdentifier {
    #[serde(rename = "type")]
    kind: String,
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    meta: Option<Value>,
}

impl ResourceIdentifier {
    /// Creates the identifier of a resource. The id can be a foreign key.
    ///
    /// ```
    /// let author = folio::json_api::ResourceIdentifier::new("people", 7);
    /// assert_eq!(serde_json::to_string(&author)?, r#"{"type":"people","id":"7"}"#);
    /// # serde_json::Result::Ok(())
    /// ```
    pub fn new(resource_type: &str, id: impl Display) -> Self {
        Self { kind: resource_type.to_owned(), id: id.to_string(), meta: None }
    }

    /// Creates the identifier of a row, with the row's type and id.
    ///
    /// ```
    /// use folio::json_api::ResourceIdentifier;
    ///
    /// #[derive(serde::Serialize, sqlx::FromRow, folio::Paginate)]
    /// #[paginate(resource = "people")]
    /// struct Person {
    ///     id: i64,
    ///     name: String,
    /// }
    ///
    /// let ada = Person { id: 7, name: "Ada".into() };
    /// assert_eq!(ResourceIdentifier::of(&ada), ResourceIdentifier::new("people", 7));
    /// ```
    pub fn of(resource: &impl JsonResource) -> Self {
        Self::new(resource.resource_type(), resource.id())
    }

    /// Adds metadata, which has to be an object.
    ///
    /// ```
    /// use folio::json_api::ResourceIdentifier;
    /// use serde_json::json;
    ///
    /// let tag = ResourceIdentifier::new("tags", "rust").with_meta(json!({ "weight": 2 }));
    /// assert_eq!(serde_json::to_value(tag)?["meta"]["weight"], 2);
    /// # serde_json::Result::Ok(())
    /// ```
    #[must_use]
    pub fn with_meta(mut self, meta: Value) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// A relationship of a resource, for [`JsonResource::relationships`].
///
/// It has the related resources as `data`, the URLs from which to fetch them as `links`, or both. You can use it as a
/// value in `json!`:
///
/// ```
/// use folio::json_api::{Relationship, ResourceIdentifier};
/// use serde_json::json;
///
/// let author = ResourceIdentifier::new("people", 7);
/// let comments = [1, 2].map(|id| ResourceIdentifier::new("comments", id));
/// let relationships = json!({
///     "author": Relationship::to_one(author).with_related_link("/posts/1/author"),
///     "comments": Relationship::to_many(comments),
///     "history": Relationship::related("/posts/1/history"),
/// });
/// let expected = json!({
///     "author": { "links": { "related": "/posts/1/author" }, "data": { "type": "people", "id": "7" } },
///     "comments": { "data": [{ "type": "comments", "id": "1" }, { "type": "comments", "id": "2" }] },
///     "history": { "links": { "related": "/posts/1/history" } },
/// });
/// assert_eq!(relationships, expected);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Relationship {
    #[serde(skip_serializing_if = "Option::is_none")]
    links: Option<Links>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Linkage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    meta: Option<Value>,
}

/// The related resources.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
enum Linkage {
    One(Option<ResourceIdentifier>),
    Many(Vec<ResourceIdentifier>),
}

impl Relationship {
    /// Creates a relationship to one resource, or none: `data` is an identifier or `null`.
    ///
    /// ```
    /// use folio::json_api::{Relationship, ResourceIdentifier};
    ///
    /// let of = |editor: Option<i64>| Relationship::to_one(editor.map(|id| ResourceIdentifier::new("people", id)));
    /// assert_eq!(serde_json::to_string(&of(Some(7)))?, r#"{"data":{"type":"people","id":"7"}}"#);
    /// assert_eq!(serde_json::to_string(&of(None))?, r#"{"data":null}"#);
    /// # serde_json::Result::Ok(())
    /// ```
    pub fn to_one(resource: impl Into<Option<ResourceIdentifier>>) -> Self {
        Self { links: None, data: Some(Linkage::One(resource.into())), meta: None }
    }

    /// Creates a relationship to any number of resources: `data` is an array. Repeated identifiers are written once.
    ///
    /// Clients expect the array to be complete, so pass all related resources. If there are too many, use
    /// [`related`](Self::related).
    ///
    /// ```
    /// use folio::json_api::{Relationship, ResourceIdentifier};
    ///
    /// let tags = ["rust", "sql", "rust"].map(|tag| ResourceIdentifier::new("tags", tag));
    /// let relationship = serde_json::to_value(Relationship::to_many(tags))?;
    /// assert_eq!(relationship["data"].as_array().map(Vec::len), Some(2));
    /// assert_eq!(serde_json::to_string(&Relationship::to_many([]))?, r#"{"data":[]}"#);
    /// # serde_json::Result::Ok(())
    /// ```
    pub fn to_many(resources: impl IntoIterator<Item = ResourceIdentifier>) -> Self {
        let mut seen = HashSet::new();
        let is_new = |one: &ResourceIdentifier| seen.insert((one.kind.clone(), one.id.clone()));
        Self { links: None, data: Some(Linkage::Many(resources.into_iter().filter(is_new).collect())), meta: None }
    }

    /// Creates a relationship without `data`, with only the URL that returns the related resources.
    ///
    /// ```
    /// let comments = folio::json_api::Relationship::related("/posts/1/comments");
    /// assert_eq!(serde_json::to_string(&comments)?, r#"{"links":{"related":"/posts/1/comments"}}"#);
    /// # serde_json::Result::Ok(())
    /// ```
    pub fn related(url: impl Into<String>) -> Self {
        Self { links: None, data: None, meta: None }.with_related_link(url)
    }

    /// Adds `links.related`: the URL that returns the related resources.
    ///
    /// ```
    /// use folio::json_api::Relationship;
    ///
    /// let author = Relationship::to_one(None).with_related_link("/posts/1/author");
    /// assert_eq!(serde_json::to_value(author)?["links"]["related"], "/posts/1/author");
    /// # serde_json::Result::Ok(())
    /// ```
    #[must_use]
    pub fn with_related_link(mut self, url: impl Into<String>) -> Self {
        self.links.get_or_insert_default().related = Some(url.into());
        self
    }

    /// Adds `links.self`: the URL of the relationship itself, which returns the identifiers.
    ///
    /// ```
    /// use folio::json_api::Relationship;
    ///
    /// let author = Relationship::to_one(None).with_self_link("/posts/1/relationships/author");
    /// assert_eq!(serde_json::to_value(author)?["links"]["self"], "/posts/1/relationships/author");
    /// # serde_json::Result::Ok(())
    /// ```
    #[must_use]
    pub fn with_self_link(mut self, url: impl Into<String>) -> Self {
        self.links.get_or_insert_default().current = Some(url.into());
        self
    }

    /// Adds metadata, which has to be an object.
    ///
    /// ```
    /// use folio::json_api::Relationship;
    /// use serde_json::json;
    ///
    /// let comments = Relationship::related("/posts/1/comments").with_meta(json!({ "count": 12 }));
    /// assert_eq!(serde_json::to_value(comments)?["meta"]["count"], 12);
    /// # serde_json::Result::Ok(())
    /// ```
    #[must_use]
    pub fn with_meta(mut self, meta: Value) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// The types and ids that an object of relationships refers to, however it was made.
pub(super) fn identifiers(relationships: &Value) -> impl Iterator<Item = (&str, &str)> {
    let relationships = relationships.as_object().into_iter().flat_map(|object| object.values());
    let data = relationships.filter_map(|relationship| relationship.get("data"));
    // One identifier, or a list of them. An empty relationship to one resource has `null`.
    let identifiers = data.flat_map(|data| data.as_array().map_or(slice::from_ref(data), Vec::as_slice));
    identifiers.filter_map(|one| Some((one.get("type")?.as_str()?, one.get("id")?.as_str()?)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_relationship_has_its_members_in_one_order() {
        let full = Relationship::to_one(ResourceIdentifier::new("people", 7))
            .with_related_link("/b")
            .with_self_link("/a")
            .with_meta(json!({}));
        let text = r#"{"links":{"self":"/a","related":"/b"},"data":{"type":"people","id":"7"},"meta":{}}"#;
        assert_eq!(serde_json::to_string(&full).unwrap(), text);
    }

    #[test]
    fn identifiers_are_found_however_they_were_written() {
        let relationships = json!({
            "a": Relationship::to_one(ResourceIdentifier::new("people", 7)),
            "b": { "data": [{ "type": "tags", "id": "x" }, { "type": "tags", "id": 7 }, "noise", null] },
            "c": Relationship::to_one(None),
            "d": Relationship::related("/d"),
            "e": [],
        });
        assert_eq!(identifiers(&relationships).collect::<Vec<_>>(), [("people", "7"), ("tags", "x")]);
        assert_eq!(identifiers(&json!([])).count(), 0);
    }
}
