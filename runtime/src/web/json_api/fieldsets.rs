//! The fields that a client may ask for.

use super::includes::items;
use super::sparse_fieldsets::SparseFieldsets;
use crate::error::{FrameworkError, Result, listed};
use crate::request::ActiveRequest;

/// The fields of each type that clients can ask for, as in `?fields[posts]=title,author&fields[people]=name`.
///
/// A field is an attribute or a relationship, under its name in the document. List all fields of the resources of a
/// type: a client that names fields gets only these, and a client that names none gets all fields.
///
/// - An empty list, as in `fields[posts]=`, asks for no fields: resources have an empty `attributes` object.
/// - An unknown type or field is a 400 that names the parameter, such as `fields[posts]`. So is a parameter of another
///   form, such as `fields` or `fields[posts][]`. Names are compared exactly, without trimming spaces.
/// - If a type repeats, the last list counts.
///
/// To keep the parameters in page links, call [`with_query_string`](crate::Builder::with_query_string).
///
/// ```
/// use folio::json_api::{Fieldsets, JsonApiError, Resource};
/// use folio::{ActiveRequest, Paginator};
/// use serde_json::json;
///
/// #[derive(Debug, serde::Serialize, sqlx::FromRow, folio::Paginate)]
/// #[paginate(resource = "posts")]
/// struct Post {
///     id: i64,
///     title: String,
///     body: String,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let posts = async || {
///     let fields = Fieldsets::new().allow("posts", ["title", "body"]).from_request()?;
///     let page = Paginator::new(vec![Post { id: 7, title: "Pages".into(), body: "…".into() }], 1, 15, false);
///     Ok::<_, JsonApiError>(Resource::paginated(page).with_fields(fields))
/// };
/// let document = ActiveRequest::new("/posts?fields[posts]=title").scope(posts()).await.unwrap();
/// let data = &serde_json::to_value(document).unwrap()["data"];
/// assert_eq!(*data, json!([{ "type": "posts", "id": "7", "attributes": { "title": "Pages" } }]));
///
/// let error = ActiveRequest::new("/posts?fields[posts]=password").scope(posts()).await.unwrap_err();
/// let source = &serde_json::to_value(error).unwrap()["errors"][0]["source"];
/// assert_eq!(*source, json!({ "parameter": "fields[posts]" }));
/// # }
/// ```
#[derive(Debug, Clone, Default)]
#[must_use = "a list of fields does nothing until `from_request` or `resolve` is called"]
pub struct Fieldsets {
    allowed: Vec<(String, Vec<String>)>,
    /// The first mistake in the names, which every request reports.
    mistake: Option<String>,
}

impl Fieldsets {
    /// Creates an empty list, which refuses every `fields` parameter. Add types with [`allow`](Self::allow).
    ///
    /// ```
    /// use folio::json_api::Fieldsets;
    ///
    /// assert!(Fieldsets::new().resolve("page=2").is_ok());
    /// assert_eq!(Fieldsets::new().resolve("fields[posts]=title").unwrap_err().status(), 400);
    /// ```
    pub const fn new() -> Self {
        Self { allowed: Vec::new(), mistake: None }
    }

    /// Lets clients ask for these fields of a type: its attributes and its relationships.
    ///
    /// A name must not be empty or contain a comma, and a type can only be added once; otherwise
    /// [`from_request`](Self::from_request) fails.
    ///
    /// ```
    /// use folio::json_api::Fieldsets;
    ///
    /// let fieldsets = Fieldsets::new().allow("posts", ["title", "author"]).allow("people", ["name"]);
    /// assert!(fieldsets.resolve("fields[posts]=author&fields[people]=name").is_ok());
    /// ```
    pub fn allow<'f>(mut self, resource_type: &str, fields: impl IntoIterator<Item = &'f str>) -> Self {
        let fields: Vec<String> = fields.into_iter().map(str::to_owned).collect();
        let mistake = if resource_type.is_empty() {
            "a fieldset has an empty type: write one, such as `.allow(\"posts\", [\"title\"])`".to_owned()
        } else if self.allowed.iter().any(|(name, _)| name == resource_type) {
            format!("the fields of `{resource_type}` are allowed twice: write all of them in one `allow`")
        } else if let Some(name) = fields.iter().find(|name| name.is_empty() || name.contains(',')) {
            format!("a field of `{resource_type}` is named `{name}`: write each field as a text of its own")
        } else {
            self.allowed.push((resource_type.to_owned(), fields));
            return self;
        };
        self.mistake.get_or_insert(mistake);
        self
    }

    /// Reads the fields that the active request asks for. Without a `fields` parameter or an active request, these are
    /// all fields.
    ///
    /// ```
    /// use folio::ActiveRequest;
    /// use folio::json_api::Fieldsets;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let fieldsets = Fieldsets::new().allow("posts", ["title", "body"]);
    /// let fields = async |uri| ActiveRequest::new(uri).scope(async { fieldsets.from_request() }).await;
    /// assert!(fields("/posts").await.unwrap().has("posts", "body"));
    /// assert!(!fields("/posts?fields%5Bposts%5D=title").await.unwrap().has("posts", "body"));
    /// assert_eq!(fields("/posts?fields[posts]=Title").await.unwrap_err().status(), 400);
    /// # }
    /// ```
    ///
    /// # Errors
    /// - [`InvalidParameter`](FrameworkError::InvalidParameter), 400, for an unknown field, with the allowed ones, and
    ///   for an unknown type, with the allowed parameters
    /// - [`Internal`](FrameworkError::Internal), for any request, if the list itself is invalid: a name is invalid, or
    ///   a type was added twice
    pub fn from_request(&self) -> Result<SparseFieldsets> {
        let request = ActiveRequest::current();
        self.resolve(request.as_ref().and_then(ActiveRequest::query).unwrap_or_default())
    }

    /// Same as [`from_request`](Self::from_request), for a query string that you have read yourself, without the `?`
    /// and still encoded.
    ///
    /// ```
    /// use folio::json_api::Fieldsets;
    ///
    /// let fieldsets = Fieldsets::new().allow("posts", ["title", "body"]);
    /// let fields = fieldsets.resolve("page=2&fields%5Bposts%5D=title")?;
    /// assert!(fields.has("posts", "title") && !fields.has("posts", "body"));
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`from_request`](Self::from_request).
    pub fn resolve(&self, query: &str) -> Result<SparseFieldsets> {
        if let Some(mistake) = &self.mistake {
            return Err(FrameworkError::internal(mistake.as_str()));
        }
        // The parameters of this family: the name alone, or with brackets.
        let is_fields =
            |key: &str| key.strip_prefix("fields").is_some_and(|rest| rest.is_empty() || rest.starts_with('['));
        let mut fields = SparseFieldsets::default();
        for (key, value) in form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| is_fields(key)) {
            let (resource_type, chosen) = self.chosen(&key, &value).ok_or_else(|| self.refuse(&key))?;
            fields.set(resource_type, chosen);
        }
        Ok(fields)
    }

    /// The type that a parameter restricts, and those of its fields that are listed; `None` if it is not allowed.
    fn chosen<'t>(&'t self, key: &str, list: &str) -> Option<(&'t str, Vec<String>)> {
        let resource_type = key.strip_prefix("fields[")?.strip_suffix(']')?;
        let (resource_type, allowed) = self.allowed.iter().find(|(name, _)| name == resource_type)?;
        let asked = || items(list);
        if asked().any(|name| !allowed.iter().any(|field| field == name)) {
            return None;
        }
        let chosen = allowed.iter().filter(|field| asked().any(|name| name == *field));
        Some((resource_type, chosen.cloned().collect()))
    }

    /// The error for a parameter that is not allowed: for a known type, with the fields that are, otherwise with the
    /// parameters.
    fn refuse(&self, key: &str) -> FrameworkError {
        let parameter = |resource_type: &str| format!("fields[{resource_type}]");
        let (rule, allowed) = match self.allowed.iter().find(|(name, _)| parameter(name) == key) {
            Some((_, fields)) => (format!("takes {}, separated by commas", listed(fields)), fields.clone()),
            None if self.allowed.is_empty() => ("is not supported by this list".to_owned(), Vec::new()),
            None => {
                let parameters: Vec<String> = self.allowed.iter().map(|(name, _)| parameter(name)).collect();
                (format!("is not a parameter of this list, which has {}", listed(&parameters)), parameters)
            }
        };
        FrameworkError::InvalidParameter { parameter: key.to_owned(), rule, allowed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fieldsets() -> Fieldsets {
        Fieldsets::new().allow("posts", ["title", "author", "n m"]).allow("people", ["name"])
    }

    fn kept(query: &str) -> Vec<String> {
        fieldsets().resolve(query).unwrap().of("posts").unwrap().to_vec()
    }

    #[test]
    fn a_client_chooses_among_the_fields_of_a_type() {
        assert_eq!(kept("fields[posts]=author,title"), ["title", "author"]);
        assert_eq!(kept("fields[posts]=title,title"), ["title"]);
        assert_eq!(kept("fields%5Bposts%5D=n+m%2Ctitle"), ["title", "n m"]);
        assert_eq!(kept("fields[posts]=&a=b"), [""; 0]);
        assert_eq!(kept("fields[posts]"), [""; 0]);
        assert_eq!(kept("fields[posts]=title&fields[people]=&fields[posts]=author"), ["author"]);
        let open = fieldsets().resolve("fieldsets=a&field[posts]=b&Fields[posts]=c&fields.posts=d").unwrap();
        assert_eq!(open, SparseFieldsets::default());
    }

    #[test]
    fn every_other_fields_parameter_is_refused_under_its_name() {
        for (query, name) in [
            ("fields", "fields"),
            ("fields=title", "fields"),
            ("fields[]=title", "fields[]"),
            ("fields[posts=title", "fields[posts"),
            ("fields[posts][]=title", "fields[posts][]"),
            ("fields[posts]x=title", "fields[posts]x"),
            ("fields[Posts]=title", "fields[Posts]"),
            ("fields[tags]=", "fields[tags]"),
            ("fields[posts]=name", "fields[posts]"),
            ("fields[posts]=id", "fields[posts]"),
            ("fields[posts]=title,", "fields[posts]"),
            ("fields[posts]=,", "fields[posts]"),
            ("fields[posts]=%20title", "fields[posts]"),
            ("fields[posts]=title&fields[people]=x", "fields[people]"),
            ("fields[posts]=x&fields[posts]=title", "fields[posts]"),
        ] {
            let error = fieldsets().resolve(query).unwrap_err();
            assert!(
                matches!(error, FrameworkError::InvalidParameter { parameter, .. } if parameter == name),
                "{query}"
            );
        }
    }

    #[test]
    fn a_mistake_in_the_list_is_reported_by_every_request() {
        for (fieldsets, cause) in [
            (Fieldsets::new().allow("", ["title"]), "an empty type"),
            (fieldsets().allow("posts", ["body"]), "`posts` are allowed twice"),
            (Fieldsets::new().allow("posts", [""]), "is named ``"),
            (Fieldsets::new().allow("posts", ["title,body"]).allow("", []), "is named `title,body`"),
        ] {
            let error = fieldsets.resolve("").unwrap_err();
            assert!(error.status() == 500 && error.to_string().contains(cause), "{error}");
        }
    }
}
