//! The headers of a table that sort it.

use std::fmt::{self, Display};

use folio_plan::schema::table::Direction;
use folio_plan::url;

use super::markup::{Attribute, Escaped};
use crate::error::{FrameworkError, Result, listed};
use crate::paginator::{CURSOR_NAME, PAGE_NAME};
use crate::request::ActiveRequest;
use crate::request::sorts::Sorts;

impl Sorts {
    /// The headers of a table that sort it, under the query key `key` that [`from_request`](Self::from_request) reads.
    ///
    /// Each links to the active request's URL with another sort: that of the header, or its reverse if the list has it
    /// already. A new order begins at its first page, so the links have no `page` and no `cursor`.
    ///
    /// ```
    /// use folio::{ActiveRequest, Column, Sorts};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # ActiveRequest::new("/posts?q=a&sort=title&page=3").scope(async {
    /// let sorts = Sorts::new("newest", Column::<i64>::new("id").desc()).allow("title", Column::<String>::new("title"));
    /// // In a request for `/posts?q=a&sort=title&page=3`:
    /// let headers = sorts.headers("sort")?;
    /// assert_eq!(
    ///     headers.header("title", "Title")?.to_string(),
    ///     r#"<th scope="col" aria-sort="ascending"><a href="/posts?q=a&amp;sort=-title">Title</a></th>"#,
    /// );
    /// assert_eq!(headers.header("newest", "Created")?.url, "/posts?q=a&sort=newest");
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`from_request`](Self::from_request).
    pub fn headers(&self, key: &str) -> Result<SortHeaders<'_>> {
        let request = ActiveRequest::current();
        let asked = request.as_ref().and_then(|request| request.value(key)).filter(|text| !text.is_empty());
        self.resolve(key, asked.as_deref())?;
        let sort = asked.as_deref().unwrap_or_else(|| self.default_text());
        let first = sort.split(',').next().unwrap_or_default().to_owned();
        let uri = request.map(|request| match request.query() {
            Some(query) => format!("{}?{query}", request.path()),
            None => request.path().to_owned(),
        });
        let unpaged = vec![PAGE_NAME.to_owned(), CURSOR_NAME.to_owned()];
        Ok(SortHeaders { sorts: self, key: key.to_owned(), first, uri, unpaged })
    }
}

/// The headers of a table that sort it, from [`Sorts::headers`].
#[derive(Debug, Clone)]
#[must_use = "headers do nothing until they are written into a page"]
pub struct SortHeaders<'a> {
    sorts: &'a Sorts,
    key: String,
    /// The most significant sort of the list, with its `-`.
    first: String,
    uri: Option<String>,
    /// The parameters that the links drop.
    unpaged: Vec<String>,
}

impl SortHeaders<'_> {
    /// Drops another parameter from the links, for a list whose page or cursor is not called `page` or `cursor`.
    ///
    /// ```
    /// use folio::{ActiveRequest, Column, Sorts};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # ActiveRequest::new("/posts?after=x").scope(async {
    /// let sorts = Sorts::new("title", Column::<String>::new("title"));
    /// // In a request for `/posts?after=x`:
    /// let header = sorts.headers("sort")?.without("after").header("title", "Title")?;
    /// assert_eq!(header.url, "/posts?sort=-title");
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn without(mut self, parameter: &str) -> Self {
        self.unpaged.push(parameter.to_owned());
        self
    }

    /// The header of the sort `name`, with the text `label`.
    ///
    /// ```
    /// use folio::{Column, Sorts};
    ///
    /// let sorts = Sorts::new("newest", Column::<i64>::new("id").desc());
    /// let header = sorts.headers("sort")?.header("newest", "Created")?;
    /// assert_eq!((header.url.as_str(), header.aria_sort), ("?sort=-newest", Some("descending")));
    /// assert!(sorts.headers("sort")?.header("oldest", "Created").is_err());
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] if the list does not allow the sort.
    pub fn header(&self, name: &str, label: impl Into<String>) -> Result<SortHeader> {
        let Some(direction) = self.sorts.direction(name) else {
            let names: Vec<_> = self.sorts.names().map(str::to_owned).collect();
            let message =
                format!("a header has the sort `{name}`, which is not allowed: write one of {}", listed(&names));
            return Err(FrameworkError::internal(message));
        };
        let (first, is_reversed) = self.first.strip_prefix('-').map_or((&*self.first, false), |first| (first, true));
        let is_current = first == name;
        let sort = if is_current && !is_reversed { format!("-{name}") } else { name.to_owned() };
        let parameters = self.unpaged.iter().map(|name| (name.as_str(), None)).chain([(&*self.key, Some(&*sort))]);
        let url = url::replaced(self.uri.as_deref(), &parameters.collect::<Vec<_>>());
        let aria_sort = is_current.then_some(match (direction, is_reversed) {
            (Direction::Asc, false) | (Direction::Desc, true) => "ascending",
            (Direction::Desc, false) | (Direction::Asc, true) => "descending",
        });
        Ok(SortHeader { label: label.into(), url, aria_sort })
    }
}

/// One header of a table, from [`SortHeaders::header`]. Display writes a `<th>` with a link; the fields are for markup of
/// your own.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SortHeader {
    /// The text, not escaped.
    pub label: String,
    /// The URL of the list in this order, or in its reverse if it has this order; not escaped.
    pub url: String,
    /// `ascending` or `descending`, if this is the list's most significant sort: the value of the attribute `aria-sort`.
    pub aria_sort: Option<&'static str>,
}

impl Display for SortHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sort, href) = (Attribute("aria-sort", self.aria_sort), Attribute("href", Some(&self.url)));
        write!(f, "<th scope=\"col\"{sort}><a{href}>{}</a></th>", Escaped(&self.label))
    }
}
