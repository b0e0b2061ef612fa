//! The page size that a client may ask for.

use crate::error::{FrameworkError, Result};
use crate::request::ActiveRequest;

/// The query key of the page size, where no other is named.
const PER_PAGE_NAME: &str = "per_page";

/// How many rows a client may ask for on one page.
///
/// This is the guard against huge pages: a page size goes to the database as it is, so one that comes from a client
/// has to pass through here. A page size that the handler fixes itself needs no guard.
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
#[derive(Debug)]
#[non_exhaustive]
pub struct PerPage;

impl PerPage {
    /// The page size under the query key `per_page` of the active request, at most `max`.
    ///
    /// It is `default` if the key is missing or empty, or without an active request. If the key repeats, the last one
    /// counts.
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
    /// [`FrameworkError::ParamError`], 400, if it is 0 or not ASCII digits.
    pub fn from_request(default: u64, max: u64) -> Result<u64> {
        Self::from_request_using(PER_PAGE_NAME, default, max)
    }

    /// As [`from_request`](Self::from_request), under another query key than `per_page`.
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
    /// As there; the error names `key`.
    pub fn from_request_using(key: &str, default: u64, max: u64) -> Result<u64> {
        let request = ActiveRequest::current();
        let asked = request.as_ref().and_then(|request| request.value(key)).filter(|text| !text.is_empty());
        let per_page = match asked {
            Some(text) => rows(&text).ok_or_else(|| FrameworkError::ParamError { param_name: key.to_owned() })?,
            None => default,
        };
        Ok(per_page.min(max))
    }
}

/// A number of rows from a client's text; `None` if it is not one.
fn rows(text: &str) -> Option<u64> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // Digits only fail to parse if there are too many.
    Some(text.parse().unwrap_or(u64::MAX)).filter(|rows| *rows > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_positive_number_is_a_number_of_rows() {
        for (text, expected) in [("1", 1), ("007", 7), ("18446744073709551616", u64::MAX)] {
            assert_eq!(rows(text), Some(expected), "{text}");
        }
        for text in ["0", "000", "+5", " 5", "5 ", "1.5", "-1", "1e3", "0x5", "1_0", "９", "5\0", "all"] {
            assert_eq!(rows(text), None, "{text:?}");
        }
    }

    #[test]
    fn without_a_request_the_default_is_taken() {
        assert_eq!(PerPage::from_request(15, 100).ok(), Some(15));
        // The guard holds for the default as well.
        assert_eq!(PerPage::from_request(500, 100).ok(), Some(100));
    }
}
