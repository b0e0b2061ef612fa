//! The sorts that a client may ask for.

use std::fmt;

use folio_plan::schema::term::{Term, same_names};

use crate::error::{FrameworkError, Result, listed};
use crate::request::ActiveRequest;
use crate::schema::order::{IntoOrder, Order};

/// The orders that clients can choose by name, as in `?sort=-title,newest`.
///
/// Each name stands for an order: a column, a column with `.desc()`, or a tuple of them. The result is an
/// [`Order`], for [`Builder::order_by`](crate::Builder::order_by) and
/// [`Select::order_by`](crate::Select::order_by), which sort all three kinds of pages, or for
/// [`Pagination::cursor`](crate::Pagination::cursor).
///
/// - A request has one or more names, separated by commas. The first name is the most significant.
/// - A `-` before a name reverses each direction in its order. NULL positions do not change: an order with
///   `nulls_last()` has NULLs last in both directions.
/// - Names are compared exactly, without trimming spaces. An unknown name, or one that is repeated, is a 400.
/// - Columns by which an earlier name already sorts are left out, because they would not change the order.
///
/// Each order needs an index, and so does each combination of names: see the guide's chapter
/// [`sorts`](crate::guide::sorts). A cursor for one order is not valid for another.
///
/// ```
#[doc = include_str!("../doc/posts.txt")]
/// use folio::{ActiveRequest, Sorts};
///
/// let posts = async || {
///     let sort = Sorts::new("newest", Post::ID.desc())
///         .allow("title", Post::TITLE)
///         .allow("author", Post::AUTHOR_ID)
///         .from_request("sort")?;
///     Post::query().order_by(sort).with_query_string().paginate(2).await
/// };
/// let page = ActiveRequest::new("/posts?sort=title,newest").scope(posts()).await?;
/// assert_eq!(ids(&page.data), [3, 2]);
/// assert_eq!(page.next_page_url().as_deref(), Some("/posts?sort=title,newest&page=2"));
///
/// assert_eq!(ids(&ActiveRequest::new("/posts").scope(posts()).await?.data), [3, 2]);
/// assert_eq!(ids(&ActiveRequest::new("/posts?sort=-newest").scope(posts()).await?.data), [1, 2]);
/// let error = ActiveRequest::new("/posts?sort=password").scope(posts()).await.unwrap_err();
/// assert_eq!(error.status(), 400);
/// assert!(error.to_string().starts_with("`sort` takes `newest`, `title`, `author`: each at most once"), "{error}");
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[derive(Debug, Clone)]
#[must_use = "a list of sorts does nothing until `from_request` or `resolve` is called"]
pub struct Sorts {
    allowed: Vec<(String, Order)>,
    /// The sort of a request that names none, written as a client would write it.
    default: String,
    /// The first mistake in the names, which every request reports.
    mistake: Option<String>,
}

impl Sorts {
    /// Creates a list with one name and its order, which is also the order of requests that do not name one. Add more
    /// names with [`allow`](Self::allow).
    ///
    /// ```
    /// use folio::{Column, Sorts};
    ///
    /// let sorts = Sorts::new("newest", Column::<i64>::new("id").desc()).allow("title", Column::<String>::new("title"));
    /// assert_eq!(format!("{:?}", sorts.resolve("sort", None)?), "[id Desc]");
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    pub fn new(default: &str, order: impl IntoOrder) -> Self {
        Self { allowed: Vec::new(), default: default.to_owned(), mistake: None }.allow(default, order)
    }

    /// Lets clients sort by `order` under this name.
    ///
    /// As in any cursor order, a nullable column has to state its NULL position. A name must not be empty, contain a
    /// comma or begin with `-`, and can only be added once; otherwise [`from_request`](Self::from_request) fails.
    ///
    /// ```
    /// use folio::{Column, Sorts};
    ///
    /// const AUTHOR: Column<i64> = Column::new("author_id");
    /// const TITLE: Column<String> = Column::new("title");
    /// const SCORE: Column<Option<i32>> = Column::new("score");
    ///
    /// let sorts = Sorts::new("author", (AUTHOR, TITLE)).allow("score", SCORE.desc().nulls_last());
    /// let order = sorts.resolve("sort", Some("-author"))?;
    /// assert_eq!(format!("{order:?}"), "[author_id Desc, title Desc]");
    /// let order = sorts.resolve("sort", Some("-score"))?;
    /// assert_eq!(format!("{order:?}"), "[score Asc nulls Last]");
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    pub fn allow(mut self, name: &str, order: impl IntoOrder) -> Self {
        let mistake = if name.is_empty() {
            "a sort has an empty name: write a name, such as `.allow(\"title\", Post::TITLE)`".to_owned()
        } else if name.contains(',') {
            format!("the sort name `{name}` has a comma, which separates names in a request: write it without")
        } else if let Some(rest) = name.strip_prefix('-') {
            format!(
                "the sort name `{name}` begins with `-`, which reverses a sort in a request: write `{rest}`, and \
                 `.desc()` after its column"
            )
        } else if self.names().any(|allowed| allowed == name) {
            format!("the sort `{name}` is allowed twice: write another name for one of its orders")
        } else {
            self.allowed.push((name.to_owned(), Order::without_repeats(order.terms())));
            // A request may combine all of them.
            let all = self.allowed.iter().flat_map(|(_, order)| order.clone().terms()).collect();
            match same_names(&Order::without_repeats(all).terms()) {
                None => return self,
                Some((name, _)) => format!(
                    "two sorts have different expressions with the name `{name}`, to which cursors are bound: give each a name \
                     of its own in `Column::expr`"
                ),
            }
        };
        self.mistake.get_or_insert(mistake);
        self
    }

    /// Sets the sort of requests that do not name one, in place of the name passed to [`new`](Self::new), such as its
    /// reverse or a list. Write it as a client would write it. If it is not allowed,
    /// [`from_request`](Self::from_request) fails.
    ///
    /// ```
    /// use folio::{Column, Sorts};
    ///
    /// let sorts = Sorts::new("newest", Column::<i64>::new("created_at").desc())
    ///     .allow("title", Column::<String>::new("title"))
    ///     .default("title,-newest");
    /// let order = sorts.resolve("sort", None)?;
    /// assert_eq!(format!("{order:?}"), "[title Asc, created_at Asc]");
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    pub fn default(mut self, sort: &str) -> Self {
        sort.clone_into(&mut self.default);
        self
    }

    /// Reads the order from the query key `key` of the active request.
    ///
    /// If the key is missing or empty, or without an active request, it is the default. If the key repeats, the last
    /// one counts.
    ///
    /// ```
    /// use folio::{ActiveRequest, Column, Sorts};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let sorts = Sorts::new("newest", Column::<i64>::new("id").desc()).allow("title", Column::<String>::new("title"));
    /// let order = async |uri| ActiveRequest::new(uri).scope(async { sorts.from_request("sort") }).await;
    /// let shown = async |uri| format!("{:?}", order(uri).await.unwrap());
    /// assert_eq!(shown("/posts?sort=-title,newest").await, "[title Desc, id Desc]");
    /// assert_eq!(shown("/posts").await, "[id Desc]");
    /// assert_eq!(shown("/posts?sort=").await, "[id Desc]");
    /// for uri in ["/posts?sort=password", "/posts?sort=title,-title", "/posts?sort=+title"] {
    ///     assert_eq!(order(uri).await.unwrap_err().status(), 400);
    /// }
    /// # }
    /// ```
    ///
    /// # Errors
    /// - [`InvalidParameter`](FrameworkError::InvalidParameter), 400, with `key` as its parameter and the allowed
    ///   names, for an unknown or repeated name
    /// - [`Internal`](FrameworkError::Internal), for any request, if the list itself is invalid: a name is invalid or
    ///   was added twice, or the default is not allowed
    pub fn from_request(&self, key: &str) -> Result<Order> {
        let request = ActiveRequest::current();
        let text = request.as_ref().and_then(|request| request.value(key));
        self.resolve(key, text.as_deref())
    }

    /// Same as [`from_request`](Self::from_request), for a text that you have read yourself. `key` is the parameter's
    /// name in errors.
    ///
    /// ```
    /// use folio::{Column, FrameworkError, Sorts};
    ///
    /// let sorts = Sorts::new("title", Column::<String>::new("title"));
    /// assert_eq!(format!("{:?}", sorts.resolve("order", Some("-title"))?), "[title Desc]");
    /// assert_eq!(format!("{:?}", sorts.resolve("order", None)?), "[title Asc]");
    /// let error = sorts.resolve("order", Some("Title")).unwrap_err();
    /// assert!(matches!(error, FrameworkError::InvalidParameter { allowed, .. } if allowed == ["title"]));
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`from_request`](Self::from_request).
    pub fn resolve(&self, key: &str, text: Option<&str>) -> Result<Order> {
        // First, so that every request reports a mistake in the list.
        if let Some(mistake) = &self.mistake {
            return Err(FrameworkError::internal(mistake.as_str()));
        }
        let default = self.order(&self.default).map_err(|refused| {
            let names: Vec<String> = self.names().map(|name| format!("`{name}`")).collect();
            FrameworkError::internal(format!(
                "the default sort `{}` {refused}: write each of these at most once, separated by commas: {}",
                self.default,
                names.join(", ")
            ))
        })?;
        let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(default) };
        self.order(text).map_err(|_| {
            let allowed: Vec<String> = self.names().map(str::to_owned).collect();
            let rule = format!(
                "takes {}: each at most once, separated by commas, with `-` before it to reverse it",
                listed(&allowed)
            );
            FrameworkError::InvalidParameter { parameter: key.to_owned(), rule, allowed }
        })
    }

    /// The allowed names, in the order in which they were added.
    ///
    /// ```
    /// use folio::{Column, Sorts};
    ///
    /// let sorts = Sorts::new("newest", Column::<i64>::new("id").desc()).allow("id", Column::<i64>::new("id"));
    /// assert_eq!(sorts.names().collect::<Vec<_>>(), ["newest", "id"]);
    /// ```
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.allowed.iter().map(|(name, _)| name.as_str())
    }

    /// The names in the default, each with its `-`.
    #[cfg(feature = "utoipa")]
    pub(crate) fn default_parts(&self) -> impl Iterator<Item = &str> {
        self.default.split(',')
    }

    /// The default, as a client would write it.
    #[cfg(feature = "html")]
    pub(crate) fn default_text(&self) -> &str {
        &self.default
    }

    /// The direction of a sort's most significant column; `None` if the name is not allowed.
    #[cfg(feature = "html")]
    pub(crate) fn direction(&self, name: &str) -> Option<folio_plan::schema::table::Direction> {
        let (_, order) = self.allowed.iter().find(|(allowed, _)| allowed == name)?;
        order.clone().terms().first().map(|term| term.key.direction)
    }

    /// The order for a list of names.
    fn order<'t>(&self, text: &'t str) -> Result<Order, Refused<'t>> {
        let (mut seen, mut terms) = (Vec::new(), Vec::new());
        for part in text.split(',') {
            let (name, is_reversed) = part.strip_prefix('-').map_or((part, false), |name| (name, true));
            let (_, order) = self.allowed.iter().find(|(allowed, _)| allowed == name).ok_or(Refused::Unknown(name))?;
            if seen.contains(&name) {
                return Err(Refused::Repeated(name));
            }
            seen.push(name);
            let directed = |term: Term| if is_reversed { term.reversed() } else { term };
            terms.extend(order.clone().terms().into_iter().map(directed));
        }
        Ok(Order::without_repeats(terms))
    }
}

/// Why a list of names is not an order.
#[derive(Debug, Clone, Copy)]
enum Refused<'t> {
    /// The name is not allowed.
    Unknown(&'t str),
    /// The name occurs twice.
    Repeated(&'t str),
}

impl fmt::Display for Refused<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "names `{name}`, which is not allowed"),
            Self::Repeated(name) => write!(f, "names `{name}` twice"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::column::Column;

    const ID: Column<i64> = Column::new("id");
    const TITLE: Column<String> = Column::new("title");
    const SCORE: Column<Option<i32>> = Column::new("score");

    fn sorts() -> Sorts {
        let score = (SCORE.desc().nulls_last(), TITLE, ID.desc());
        Sorts::new("newest", ID.desc()).allow("title", TITLE).allow("score", score).default("-newest,title")
    }

    #[test]
    fn names_become_an_order() {
        for (text, order) in [
            (None, "[id Asc, title Asc]"),
            (Some(""), "[id Asc, title Asc]"),
            (Some("newest"), "[id Desc]"),
            (Some("-newest"), "[id Asc]"),
            (Some("-title,newest"), "[title Desc, id Desc]"),
            (Some("score"), "[score Desc nulls Last, title Asc, id Desc]"),
            // NULLs stay last, and all columns are reversed.
            (Some("-score"), "[score Asc nulls Last, title Desc, id Asc]"),
            // A column counts where it occurs first.
            (Some("title,-score"), "[title Asc, score Asc nulls Last, id Asc]"),
            (Some("score,-newest,-title"), "[score Desc nulls Last, title Asc, id Desc]"),
        ] {
            assert_eq!(format!("{:?}", sorts().resolve("sort", text).unwrap()), order, "{text:?}");
        }
    }

    #[test]
    fn every_other_text_is_refused_under_the_name_of_its_parameter() {
        for text in [
            ",",
            "-",
            "--title",
            "-",
            "title,",
            ",title",
            "title,,newest",
            " title",
            "title ",
            "title, newest",
            "Title",
            "title,title",
            "title,-title",
            "-title,newest,title",
            "title;newest",
            "title desc",
            "title\0",
            "ｔitle",
            "id",
        ] {
            let error = sorts().resolve("order[by]", Some(text)).unwrap_err();
            assert!(
                matches!(&error, FrameworkError::InvalidParameter { parameter, .. } if parameter == "order[by]"),
                "{text}"
            );
        }
        let long = "title,".repeat(100_000);
        assert_eq!(sorts().resolve("sort", Some(&long)).unwrap_err().status(), 400);
    }

    #[test]
    fn a_mistake_in_the_list_is_reported_whatever_is_asked_for() {
        for (sorts, advice) in [
            (Sorts::new("", ID), "write a name"),
            (Sorts::new("-id", ID).default("id"), "write `id`, and `.desc()`"),
            (sorts().default("-newest,tilte"), "names `tilte`, which is not allowed: write each of these"),
            (sorts().default(""), "`newest`, `title`, `score`"),
            (sorts().default("title,-title"), "names `title` twice"),
            (sorts().allow("", ID), "write a name"),
            (sorts().allow("a,b", ID), "has a comma"),
            (sorts().allow("-id", ID), "write `id`, and `.desc()`"),
            (sorts().allow("title", ID), "the sort `title` is allowed twice"),
        ] {
            for text in [None, Some("title"), Some("unknown")] {
                let error = sorts.resolve("sort", text).unwrap_err();
                assert_eq!(error.status(), 500, "{error}");
                assert!(error.to_string().contains(advice), "{error}");
            }
        }
    }

    #[test]
    fn the_first_name_is_the_default() {
        let sorts = Sorts::new("title", TITLE).allow("newest", ID.desc());
        assert_eq!(format!("{:?}", sorts.resolve("sort", None).unwrap()), "[title Asc]");
    }

    #[test]
    fn without_a_request_the_default_applies() {
        assert_eq!(format!("{:?}", sorts().from_request("sort").unwrap()), "[id Asc, title Asc]");
    }
}
