//! The related resources that a client may ask for.

use crate::error::{FrameworkError, Result, listed};
use crate::request::ActiveRequest;

/// The query key that JSON:API defines.
const INCLUDE: &str = "include";

/// The paths of relationships that clients can include, as in `?include=author,comments.author`.
///
/// JSON:API requires an endpoint to answer 400 to a path that it does not support. An endpoint that does not support
/// `include` at all has to answer 400 to the parameter, which an empty list does.
///
/// - A path is the name of a relationship, or several names joined by dots. Allowing or including a path also allows or
///   includes the shorter paths that it begins with: `comments.author` implies `comments`.
/// - `?include=` includes nothing. A request without the parameter includes the [`default`](Self::default).
/// - Paths are compared exactly, without trimming spaces. If the key repeats, the last one counts.
///
/// ```
/// use folio::ActiveRequest;
/// use folio::json_api::Includes;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let includes = Includes::new().allow("author").allow("comments.author");
/// let include = async |uri| ActiveRequest::new(uri).scope(async { includes.from_request() }).await;
///
/// let paths = include("/posts?include=comments.author").await.unwrap();
/// assert!(paths.has("comments") && paths.has("comments.author") && !paths.has("author"));
/// assert!(!include("/posts").await.unwrap().has("author"));
///
/// let error = include("/posts?include=author,password").await.unwrap_err();
/// assert_eq!((error.status(), error.to_string().as_str()), (400, "`include` takes `author`, `comments.author`, separated by commas"));
/// # }
/// ```
///
/// An endpoint that includes nothing:
///
/// ```
/// # fn main() -> folio::Result<()> {
/// use folio::json_api::Includes;
///
/// Includes::new().from_request()?;
/// assert_eq!(Includes::new().resolve(Some("author")).unwrap_err().status(), 400);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[must_use = "a list of paths does nothing until `from_request` or `resolve` is called"]
pub struct Includes {
    allowed: Vec<String>,
    default: String,
    /// The first mistake in the paths, which every request reports.
    mistake: Option<String>,
}

/// The paths of relationships to include, read by [`Includes`].
///
/// ```
/// use folio::json_api::Includes;
///
/// let paths = Includes::new().allow("author").allow("tags").resolve(Some("tags"))?;
/// assert!(paths.has("tags") && !paths.has("author"));
/// # Ok::<(), folio::FrameworkError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncludePaths {
    paths: Vec<String>,
}

impl IncludePaths {
    /// Whether to include the resources at this path.
    ///
    /// ```
    /// use folio::json_api::Includes;
    ///
    /// let paths = Includes::new().allow("comments.author").resolve(Some("comments"))?;
    /// assert!(paths.has("comments") && !paths.has("comments.author"));
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        covers(&self.paths, path)
    }
}

impl Includes {
    /// Creates an empty list, which refuses the parameter. Add paths with [`allow`](Self::allow).
    ///
    /// ```
    /// use folio::json_api::Includes;
    ///
    /// assert!(Includes::new().resolve(None).is_ok());
    /// assert_eq!(Includes::new().resolve(Some("")).unwrap_err().status(), 400);
    /// ```
    #[expect(clippy::new_without_default, reason = "`default` sets the paths of a request that names none")]
    pub const fn new() -> Self {
        Self { allowed: Vec::new(), default: String::new(), mistake: None }
    }

    /// Lets clients include the resources at a path and at its beginnings.
    ///
    /// Names in a path must not be empty or contain a comma, and a path can only be added once; otherwise
    /// [`from_request`](Self::from_request) fails.
    ///
    /// ```
    /// use folio::json_api::Includes;
    ///
    /// let includes = Includes::new().allow("comments.author");
    /// assert!(includes.resolve(Some("comments")).is_ok());
    /// assert!(includes.resolve(Some("author")).is_err());
    /// ```
    pub fn allow(mut self, path: &str) -> Self {
        let mistake = if path.split('.').any(|name| name.is_empty() || name.contains(',')) {
            format!("`{path}` is not a path of relationships: write names joined by dots, such as `comments.author`")
        } else if self.allowed.iter().any(|allowed| allowed == path) {
            format!("the path `{path}` is allowed twice: write it once")
        } else {
            self.allowed.push(path.to_owned());
            return self;
        };
        self.mistake.get_or_insert(mistake);
        self
    }

    /// Sets what a request without the parameter includes, written as a client would write it. The default is nothing.
    ///
    /// ```
    /// use folio::json_api::Includes;
    ///
    /// let includes = Includes::new().allow("author").allow("tags").default("author");
    /// assert!(includes.resolve(None)?.has("author"));
    /// assert!(!includes.resolve(Some("tags"))?.has("author"));
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    pub fn default(mut self, paths: &str) -> Self {
        paths.clone_into(&mut self.default);
        self
    }

    /// Reads the paths from the query key `include` of the active request.
    ///
    /// ```
    /// use folio::ActiveRequest;
    /// use folio::json_api::Includes;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let includes = Includes::new().allow("author");
    /// let include = async |uri| ActiveRequest::new(uri).scope(async { includes.from_request() }).await;
    /// assert!(include("/posts?include=author").await.unwrap().has("author"));
    /// assert!(!include("/posts?include=").await.unwrap().has("author"));
    /// assert_eq!(include("/posts?include=editor").await.unwrap_err().status(), 400);
    /// # }
    /// ```
    ///
    /// # Errors
    /// - [`InvalidParameter`](FrameworkError::InvalidParameter), 400, for the parameter `include` and with the allowed
    ///   paths, if a path is not among them
    /// - [`Internal`](FrameworkError::Internal), for any request, if the list itself is invalid: a path is invalid or
    ///   was added twice, or the default is not allowed
    pub fn from_request(&self) -> Result<IncludePaths> {
        let request = ActiveRequest::current();
        let text = request.as_ref().and_then(|request| request.value(INCLUDE));
        self.resolve(text.as_deref())
    }

    /// Same as [`from_request`](Self::from_request), for a value that you have read yourself. `None` is a request
    /// without the parameter.
    ///
    /// ```
    /// use folio::json_api::Includes;
    ///
    /// assert!(Includes::new().allow("author").resolve(Some("author"))?.has("author"));
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`from_request`](Self::from_request).
    pub fn resolve(&self, text: Option<&str>) -> Result<IncludePaths> {
        // First, so that every request reports a mistake in the list.
        if let Some(mistake) = &self.mistake {
            return Err(FrameworkError::internal(mistake.as_str()));
        }
        let default = self.paths(&self.default).map_err(|path| {
            FrameworkError::internal(format!(
                "the default includes `{path}`, which is not allowed: write `.allow(\"{path}\")` as well"
            ))
        })?;
        match text {
            None => Ok(default),
            Some(_) if self.allowed.is_empty() => Err(self.refuse()),
            Some(text) => self.paths(text).map_err(|_| self.refuse()),
        }
    }

    /// The paths in a list; the first one that is not allowed otherwise.
    fn paths<'t>(&self, text: &'t str) -> Result<IncludePaths, &'t str> {
        let mut paths = vec![];
        for path in items(text) {
            if !covers(&self.allowed, path) {
                return Err(path);
            }
            if !covers(&paths, path) {
                paths.push(path.to_owned());
            }
        }
        Ok(IncludePaths { paths })
    }

    /// The error for a path that is not allowed.
    fn refuse(&self) -> FrameworkError {
        let allowed = self.allowed.clone();
        let rule = match allowed.as_slice() {
            [] => "is not supported by this list".to_owned(),
            allowed => format!("takes {}, separated by commas", listed(allowed)),
        };
        FrameworkError::InvalidParameter { parameter: INCLUDE.to_owned(), rule, allowed }
    }
}

/// The items of a parameter with several values, separated by commas. An empty text has none.
pub(super) fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').filter(|_| !text.is_empty())
}

/// Whether one of the paths is `path`, or begins with it.
fn covers(paths: &[String], path: &str) -> bool {
    let continues = |rest: &str| rest.is_empty() || rest.starts_with('.');
    !path.is_empty() && paths.iter().any(|longer| longer.strip_prefix(path).is_some_and(continues))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn includes() -> Includes {
        Includes::new().allow("author").allow("comments.author")
    }

    #[test]
    fn a_path_includes_its_prefixes() {
        let has = |text, path| includes().resolve(Some(text)).unwrap().has(path);
        assert!(has("author", "author") && !has("author", "comments"));
        assert!(has("comments.author", "comments") && has("comments.author", "comments.author"));
        assert!(has("comments", "comments") && !has("comments", "comments.author"));
        for path in ["", "comment", "comments.", "comments.a", ".author", "author,comments"] {
            assert!(!has("author,comments.author,author", path), "{path}");
        }
        assert!(!has("", "author"));
    }

    #[test]
    fn other_paths_are_refused() {
        for text in [
            ",",
            "author,",
            ",author",
            "Author",
            " author",
            "author ",
            "auth",
            "comments.",
            ".comments",
            "comments..author",
            "comments.author.x",
            "comments,x",
            "*",
            "author.comments",
            "%",
            "author\0",
        ] {
            let error = includes().resolve(Some(text)).unwrap_err();
            assert!(
                matches!(error, FrameworkError::InvalidParameter { parameter, .. } if parameter == "include"),
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_mistake_in_the_list_is_reported_by_every_request() {
        for (includes, cause) in [
            (includes().allow(""), "`` is not a path"),
            (includes().allow("a..b"), "`a..b` is not a path"),
            (includes().allow("a,b").allow("c."), "`a,b` is not a path"),
            (includes().allow("author"), "`author` is allowed twice"),
            (includes().default("author,editor"), "the default includes `editor`, which is not allowed"),
            (Includes::new().default("author"), "the default includes `author`, which is not allowed"),
        ] {
            let error = includes.resolve(Some("author")).unwrap_err();
            assert!(error.status() == 500 && error.to_string().contains(cause), "{error}");
        }
    }
}
