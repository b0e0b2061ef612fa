//! The window that a request asks for.

use folio_plan::url;

use super::error::CursorWindowError;
use super::{AFTER, BEFORE, SIZE};
use crate::error::FrameworkError;
use crate::query::window::GivenWindow;
use crate::request::ActiveRequest;
use crate::request::context::Context;
use crate::request::parse::digits;

/// The rows that a client asks for in the [cursor pagination
/// profile](https://jsonapi.org/profiles/ethanresnick/cursor-pagination/) of JSON:API.
///
/// | parameter | rows |
/// |---|---|
/// | `page[size]` | at most this many |
/// | none of the following | the first rows of the list |
/// | `page[after]` | the first rows after the cursor |
/// | `page[before]` | the last rows before the cursor |
/// | both | the first rows between the cursors; without `page[size]`, as many as the maximum |
///
/// Clients take cursors from `meta.page.cursor` of a resource, or from a link. If a parameter repeats, the last one
/// counts.
///
/// ```
#[doc = include_str!("../../../doc/posts.txt")]
/// use folio::ActiveRequest;
/// use folio::json_api::{CursorWindow, CursorWindowError};
///
/// let posts = async || {
///     let window = CursorWindow::from_request(20, 100)?;
///     Post::query().with_query_string().cursor_window(window).await
/// };
/// let first = ActiveRequest::new("/posts?page[size]=2").scope(posts()).await?;
/// assert_eq!(ids(first.rows()), [1, 2]);
///
/// let after = format!("/posts?page[size]=2&page[after]={}", first.cursors()[0]);
/// assert_eq!(ids(ActiveRequest::new(&after).scope(posts()).await?.rows()), [2, 3]);
///
/// let error = ActiveRequest::new("/posts?page[before]=altered").scope(posts()).await.unwrap_err();
/// assert!(matches!(error, CursorWindowError::InvalidCursor { parameter: "page[before]", .. }));
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a window reads nothing until it is passed to `cursor_window`"]
pub struct CursorWindow {
    /// How many rows to read at most.
    pub(crate) rows: u64,
    /// The size that the client asked for.
    pub(crate) size: Option<u64>,
    pub(crate) after: Option<String>,
    pub(crate) before: Option<String>,
}

impl CursorWindow {
    /// The URI of the profile, for `jsonapi.profile` and the media type.
    pub const PROFILE: &str = "https://jsonapi.org/profiles/ethanresnick/cursor-pagination";

    /// The media type of a document that follows the profile. With the feature `actix` or `axum`, responses have this
    /// media type.
    ///
    /// ```
    /// use folio::json_api::CursorWindow;
    ///
    /// let media_type = format!("application/vnd.api+json; profile=\"{}\"", CursorWindow::PROFILE);
    /// assert_eq!(CursorWindow::MEDIA_TYPE, media_type);
    /// ```
    pub const MEDIA_TYPE: &str =
        r#"application/vnd.api+json; profile="https://jsonapi.org/profiles/ethanresnick/cursor-pagination""#;

    /// Reads the window that the active request asks for. A request without `page[size]` gets `default` rows, or `max`
    /// rows if it has two cursors.
    ///
    /// ```
    /// use folio::ActiveRequest;
    /// use folio::json_api::CursorWindow;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let window = async |uri| ActiveRequest::new(uri).scope(async { CursorWindow::from_request(20, 100) }).await;
    /// assert!(window("/posts?page[size]=100").await.is_ok());
    /// assert!(window("/posts?page%5Bsize%5D=101").await.is_err());
    /// # }
    /// ```
    ///
    /// # Errors
    /// - [`InvalidSize`](CursorWindowError::InvalidSize), 400, if `page[size]` is not a positive integer
    /// - [`MaxSizeExceeded`](CursorWindowError::MaxSizeExceeded), 400, if it is larger than `max`
    /// - [`Other`](CursorWindowError::Other) with an [`Internal`](FrameworkError::Internal) error, if `default` is 0 or
    ///   larger than `max`
    pub fn from_request(default: u64, max: u64) -> Result<Self, CursorWindowError> {
        let context = Context::current();
        Self::resolve(context.expected_request().and_then(ActiveRequest::query).unwrap_or_default(), default, max)
    }

    /// Same as [`from_request`](Self::from_request), for a query string that you have read yourself.
    ///
    /// ```
    /// use folio::json_api::CursorWindow;
    ///
    /// let window = CursorWindow::resolve("sort=name&page[size]=5", 20, 100)?;
    /// assert_eq!(window, CursorWindow::resolve("page[size]=5", 10, 50)?);
    /// # Ok::<(), folio::json_api::CursorWindowError>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`from_request`](Self::from_request).
    pub fn resolve(query: &str, default: u64, max: u64) -> Result<Self, CursorWindowError> {
        if default == 0 || default > max {
            return Err(CursorWindowError::Other(FrameworkError::internal(format!(
                "a window has a default size of {default} and a maximum of {max}: pass a default from 1 up to the \
                 maximum"
            ))));
        }
        let value = |name| url::value(query, name).map(String::from);
        let (size, after, before) = (value(SIZE), value(AFTER), value(BEFORE));
        let size = match size.map(|text| digits(&text)) {
            None => None,
            Some(None | Some(0)) => return Err(CursorWindowError::InvalidSize),
            Some(Some(size)) if size > max => return Err(CursorWindowError::MaxSizeExceeded { max }),
            Some(size) => size,
        };
        let unasked = if after.is_some() && before.is_some() { max } else { default };
        Ok(Self { rows: size.unwrap_or(unasked), size, after, before })
    }

    /// The window of the list. Before a cursor, its rows are the last ones.
    pub(crate) fn given(&self) -> GivenWindow {
        let Self { after, before, rows, .. } = self.clone();
        let from_end = after.is_none() && before.is_some();
        GivenWindow { method: "cursor_window", after, before, from_end, skip: 0, limit: rows }
    }

    /// Whether the rows are between two cursors.
    pub(crate) fn is_range(&self) -> bool {
        self.after.is_some() && self.before.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows and the size of a window, or the error's text.
    fn sizes(query: &str) -> Result<(u64, Option<u64>), String> {
        let window = CursorWindow::resolve(query, 20, 100).map_err(|error| error.to_string())?;
        Ok((window.rows, window.size))
    }

    #[test]
    fn a_size_is_a_positive_integer_up_to_the_maximum() {
        for (text, size) in [("1", 1), ("100", 100), ("007", 7), ("5&page%5Bsize%5D=6", 6)] {
            assert_eq!(sizes(&format!("page[size]={text}")), Ok((size, Some(size))), "{text}");
        }
        for text in ["", "0", "000", "-1", "%2B5", "+5", "5+", "1.5", "1e3", "0x5", "5%00", "%EF%BC%95", "many"] {
            assert_eq!(sizes(&format!("page[size]={text}")), Err("`page[size]` is a number from 1".into()), "{text}");
        }
        for text in ["101", "18446744073709551615", "18446744073709551616", "999999999999999999999999"] {
            let refused = Err("`page[size]` is larger than the maximum, 100".into());
            assert_eq!(sizes(&format!("page[size]={text}")), refused, "{text}");
        }
    }

    #[test]
    fn a_window_between_two_cursors_is_as_large_as_the_maximum() {
        for (query, rows) in [
            ("", 20),
            ("page[after]=a", 20),
            ("page[before]=b", 20),
            ("page[after]=a&page[before]=b", 100),
            ("page[after]=&page[before]", 100),
        ] {
            assert_eq!(sizes(query), Ok((rows, None)), "{query}");
        }
    }

    #[test]
    fn a_default_is_within_the_maximum() {
        for (default, max) in [(0, 100), (101, 100), (0, 0), (1, 0)] {
            let error = CursorWindow::resolve("", default, max).unwrap_err();
            assert_eq!(error.status(), 500, "{default}, {max}");
            assert!(error.to_string().ends_with("pass a default from 1 up to the maximum"), "{error}");
        }
        assert_eq!(CursorWindow::resolve("", 1, 1).unwrap().rows, 1);
    }
}
