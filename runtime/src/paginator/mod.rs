//! The three kinds of pages, which the paginators return.
//!
//! | file | page |
//! |---|---|
//! | `length_aware.rs` | a numbered page that knows the total |
//! | `simple.rs` | a numbered page that only knows whether another one follows |
//! | `cursor.rs` | a page between two cursors |
//!
//! Each has the rows, its position, and the URLs of its neighbours. `json.rs` serializes them with the keys of
//! Laravel's paginators, and `link.rs` and `page_window.rs` make the row of page links.
//!
//! A page is plain data: it runs no SQL and reads nothing from the request. [`crate::read`] fills it, and
//! [`crate::web`] turns it into an HTTP response.

pub(crate) mod page_window;

/// The predicates that all pages share, in terms of a page's own `has_more_pages` and `on_first_page`.
///
/// `$arguments` are the arguments of `new` for a page of two rows between two other pages, for the examples.
macro_rules! predicates {
    ($page:ident, $arguments:literal) => {
        impl $page<()> {
            /// The page with these rows. It has a `()` for each of them. An extra row, which was only read to find out
            /// whether another page follows, is dropped.
            pub(crate) fn with_rows<T>(self, mut data: Vec<T>) -> $page<T> {
                data.truncate(self.data.len());
                let (_, page) = self.split();
                $page { data, ..page }
            }
        }

        impl<T> $page<T> {
            /// Whether this is the last page.
            ///
            /// ```
            #[doc = concat!("let page = folio::", stringify!($page), "::new(", $arguments, ");")]
            /// assert!(!page.on_last_page());
            /// ```
            #[must_use]
            pub fn on_last_page(&self) -> bool {
                !self.has_more_pages()
            }

            /// Whether the list has other pages, before or after this one. If not, a front end can hide its page links.
            ///
            /// ```
            #[doc = concat!("let page = folio::", stringify!($page), "::new(", $arguments, ");")]
            /// assert!(page.has_pages());
            /// ```
            #[must_use]
            pub fn has_pages(&self) -> bool {
                !self.on_first_page() || self.has_more_pages()
            }

            /// Whether this page has no rows.
            ///
            /// ```
            #[doc = concat!("let page = folio::", stringify!($page), "::new(", $arguments, ");")]
            /// assert!(!page.is_empty());
            /// ```
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.data.is_empty()
            }

            /// Whether this page has any rows.
            ///
            /// ```
            #[doc = concat!("let page = folio::", stringify!($page), "::new(", $arguments, ");")]
            /// assert!(page.is_not_empty());
            /// ```
            #[must_use]
            pub fn is_not_empty(&self) -> bool {
                !self.is_empty()
            }

            /// The number of rows on this page, not in the whole list.
            ///
            /// ```
            #[doc = concat!("let page = folio::", stringify!($page), "::new(", $arguments, ");")]
            /// assert_eq!(page.count(), 2);
            /// ```
            #[must_use]
            pub fn count(&self) -> usize {
                self.data.len()
            }

            /// Converts the rows, for example into view structs. The position, counters, cursors and URLs stay the
            /// same.
            ///
            /// ```
            #[doc = concat!("let page = folio::", stringify!($page), "::new(", $arguments, ");")]
            /// let page = page.map(|row| format!("row {row}"));
            /// assert_eq!(page.data[0], "row c");
            /// ```
            #[must_use]
            pub fn map<U>(self, row: impl FnMut(T) -> U) -> $page<U> {
                let (rows, page) = self.split();
                $page { data: rows.into_iter().map(row).collect(), ..page }
            }

            /// Same as [`map`](Self::map), for a conversion that can fail. Returns the first error.
            ///
            /// ```
            #[doc = concat!("let page = folio::", stringify!($page), "::new(", $arguments, ");")]
            /// let digits = page.try_map(|row| row.to_digit(10).ok_or("not a digit"));
            /// assert_eq!(digits, Err("not a digit"));
            /// ```
            ///
            /// # Errors
            /// The first error of `row`.
            pub fn try_map<U, E>(
                self,
                row: impl FnMut(T) -> ::core::result::Result<U, E>,
            ) -> ::core::result::Result<$page<U>, E> {
                let (rows, page) = self.split();
                let data = rows.into_iter().map(row).collect::<::core::result::Result<_, E>>()?;
                Ok($page { data, ..page })
            }
        }
    };
}

mod around;
mod cursor;
mod from_json;
mod json;
mod length_aware;
mod link;
mod simple;
mod total;

pub use around::Around;
pub use cursor::CursorPaginator;
pub use length_aware::LengthAwarePaginator;
pub use link::PageLink;
pub use page_window::LinkKind;
pub use simple::Paginator;
pub use total::Total;

/// The default query key of a page number.
pub(crate) const PAGE_NAME: &str = "page";
/// The default query key of a cursor.
pub(crate) const CURSOR_NAME: &str = "cursor";

/// The 1-based indexes of a page's first and last row in the whole list; `None` for a page without rows.
fn row_span(current_page: u64, per_page: u64, rows: usize) -> Option<(u64, u64)> {
    let more = u64::try_from(rows).unwrap_or(u64::MAX).checked_sub(1)?;
    let first = current_page.saturating_sub(1).saturating_mul(per_page).saturating_add(1);
    Some((first, first.saturating_add(more)))
}

/// The rows of one page of a list in memory.
fn slice_of<T>(rows: Vec<T>, per_page: u64, page: u64) -> Vec<T> {
    let per_page = per_page.max(1);
    let before = page.max(1).saturating_sub(1).saturating_mul(per_page);
    rows.into_iter().skip(as_length(before)).take(as_length(per_page)).collect()
}

/// A number of rows as a length in memory.
fn as_length(rows: u64) -> usize {
    usize::try_from(rows).unwrap_or(usize::MAX)
}
