//! Page sizes that clients choose.

use crate::error::{FrameworkError, Result};
use crate::request::ActiveRequest;
use crate::request::parse::digits;

/// The default query key of the page size.
pub(crate) const PER_PAGE_NAME: &str = "per_page";

/// Reads and limits a page size that the client chooses.
///
/// The paginators do not limit page sizes. Use this type for a page size that the client chooses, so that no client can
/// request a huge page. A page size that is fixed in the handler needs no limit.
///
/// ```
/// # #[derive(Debug, sqlx::FromRow, folio::Paginate)]
/// # struct Post { id: i64, title: String }
/// use folio::{LengthAwarePaginator, PerPage, Result};
///
/// /// `?per_page=`: 15 by default, capped at 100.
/// async fn posts() -> Result<LengthAwarePaginator<Post>> {
///     let per_page = PerPage::from_request(15, 100)?;
///     Post::query().paginate(per_page).await
/// }
/// ```
///
/// As a constant, it has the numbers in one place for several handlers and for an
/// [OpenAPI document](crate::guide::frameworks#openapi-and-typescript):
///
/// ```
/// # #[derive(Debug, sqlx::FromRow, folio::Paginate)]
/// # struct Post { id: i64, title: String }
/// use folio::{LengthAwarePaginator, PerPage, Result};
///
/// const PER_PAGE: PerPage = PerPage::new(15, 100);
///
/// async fn posts() -> Result<LengthAwarePaginator<Post>> {
///     Post::query().paginate(PER_PAGE.requested()?).await
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PerPage {
    /// The query key.
    pub key: &'static str,
    /// The page size if the client chooses none.
    pub default: u64,
    /// The largest page size.
    pub max: u64,
}

impl PerPage {
    /// Page sizes under the query key `per_page`: `default`, unless the client chooses another, and at most `max`.
    ///
    /// ```
    /// use folio::PerPage;
    ///
    /// const PER_PAGE: PerPage = PerPage::new(15, 100);
    /// assert_eq!(PER_PAGE.requested().ok(), Some(15));
    /// ```
    #[must_use]
    pub const fn new(default: u64, max: u64) -> Self {
        Self { key: PER_PAGE_NAME, default, max }
    }

    /// Sets another query key.
    ///
    /// ```
    /// use folio::{ActiveRequest, PerPage};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// const PER_PAGE: PerPage = PerPage::new(15, 100).with_key("page[size]");
    ///
    /// let per_page = ActiveRequest::new("/posts?page[size]=30").scope(async { PER_PAGE.requested() }).await;
    /// assert_eq!(per_page.ok(), Some(30));
    /// # }
    /// ```
    #[must_use]
    pub const fn with_key(self, key: &'static str) -> Self {
        Self { key, ..self }
    }

    /// The page size that the active request chooses. Same as [`from_request`](Self::from_request), with the numbers of
    /// this value.
    ///
    /// ```
    /// use folio::{ActiveRequest, PerPage};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let size = ActiveRequest::new("/posts?per_page=500").scope(async { PerPage::new(15, 100).requested() }).await;
    /// assert_eq!(size.ok(), Some(100));
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`from_request`](Self::from_request); the error names the query key.
    pub fn requested(self) -> Result<u64> {
        Self::from_request_using(self.key, self.default, self.max)
    }

    /// The page size under the query key `per_page` of the active request, at most `max`.
    ///
    /// If the key is missing or empty, or without an active request, it is `default`, which `max` limits as well. If
    /// the key repeats, the last one counts.
    ///
    /// ```
    /// use folio::{ActiveRequest, PerPage};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let size = async |uri| ActiveRequest::new(uri).scope(async { PerPage::from_request(15, 100) }).await;
    /// assert_eq!(size("/posts").await.ok(), Some(15));
    /// assert_eq!(size("/posts?per_page=50").await.ok(), Some(50));
    /// assert_eq!(size("/posts?per_page=99999999999999999999").await.ok(), Some(100));
    /// assert_eq!(size("/posts?per_page=many").await.unwrap_err().status(), 400);
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::InvalidParameter`], 400, if it is 0 or not ASCII digits. The message says what is allowed.
    pub fn from_request(default: u64, max: u64) -> Result<u64> {
        Self::from_request_using(PER_PAGE_NAME, default, max)
    }

    /// Same as [`from_request`](Self::from_request), with the query key `key` instead of `per_page`.
    ///
    /// ```
    /// use folio::{ActiveRequest, PerPage};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let request = ActiveRequest::new("/posts?page[size]=30");
    /// let per_page = request.scope(async { PerPage::from_request_using("page[size]", 15, 100) }).await;
    /// assert_eq!(per_page.ok(), Some(30));
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`from_request`](Self::from_request); the error names `key`.
    pub fn from_request_using(key: &str, default: u64, max: u64) -> Result<u64> {
        let per_page = match asked(key) {
            Some(text) => page_size(&text)
                .ok_or_else(|| FrameworkError::invalid_parameter(key, format!("is a number from 1 to {max}")))?,
            None => default,
        };
        Ok(per_page.min(max))
    }
}

/// The page size that a client sent; `None` for 0 and for text that is not a number.
pub(crate) fn page_size(text: &str) -> Option<u64> {
    digits(text).filter(|rows| *rows > 0)
}

/// The text under a query key of the active request, unless it is empty.
pub(crate) fn asked(key: &str) -> Option<String> {
    let request = ActiveRequest::current()?;
    request.value(key).filter(|text| !text.is_empty()).map(String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_positive_number_is_a_page_size() {
        for (text, expected) in [("1", 1), ("007", 7), ("18446744073709551616", u64::MAX)] {
            assert_eq!(page_size(text), Some(expected), "{text}");
        }
        for text in ["0", "000", "+5", " 5", "5 ", "1.5", "-1", "1e3", "0x5", "1_0", "９", "5\0", "all"] {
            assert_eq!(page_size(text), None, "{text:?}");
        }
    }

    #[test]
    fn without_a_request_the_default_applies() {
        assert_eq!(PerPage::from_request(15, 100).ok(), Some(15));
        // The maximum applies to the default as well.
        assert_eq!(PerPage::from_request(500, 100).ok(), Some(100));
    }
}
