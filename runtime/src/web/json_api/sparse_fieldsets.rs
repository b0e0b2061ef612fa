//! The fields that a client asked for.

/// The fields of each type that a request asks for, read by [`Fieldsets`](super::Fieldsets).
///
/// The default restricts nothing. Apply it to a document with [`JsonApi::with_fields`](super::JsonApi::with_fields).
///
/// ```
/// use folio::json_api::Fieldsets;
///
/// let fields = Fieldsets::new().allow("posts", ["title", "body"]).resolve("fields[posts]=title")?;
/// assert!(fields.has("posts", "title") && !fields.has("posts", "body"));
/// assert!(fields.has("people", "name"));
/// # Ok::<(), folio::FrameworkError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SparseFieldsets {
    /// The types that the request restricts, each with the fields to keep.
    types: Vec<(String, Vec<String>)>,
}

impl SparseFieldsets {
    /// Whether resources of this type have this field in the response. It is `true` for types that the request does not
    /// restrict.
    ///
    /// Use it to skip work for a field that is not written, such as a query for a relationship.
    ///
    /// ```
    /// use folio::json_api::SparseFieldsets;
    ///
    /// assert!(SparseFieldsets::default().has("posts", "title"));
    /// ```
    #[must_use]
    pub fn has(&self, resource_type: &str, field: &str) -> bool {
        self.of(resource_type).is_none_or(|fields| fields.iter().any(|name| name == field))
    }

    /// The fields to keep in resources of a type; `None` if all.
    pub(super) fn of(&self, resource_type: &str) -> Option<&[String]> {
        self.types.iter().find(|(name, _)| name == resource_type).map(|(_, fields)| fields.as_slice())
    }

    /// Keeps these fields of a type, instead of those that were set before.
    pub(super) fn set(&mut self, resource_type: &str, fields: Vec<String>) {
        self.types.retain(|(name, _)| name != resource_type);
        self.types.push((resource_type.to_owned(), fields));
    }
}
