//! The three kinds of page: rows, position, and the way to the neighbouring pages.

pub(crate) mod page_window;

/// The predicates that all pages have, from a page's own `has_more_pages` and `on_first_page`.
///
/// `$arguments` are those of a `new` that makes a page of two rows between two others, for the examples.
macro_rules! predicates {
    ($page:ident, $arguments:literal) => {
        impl<T> $page<T> {
            /// Whether no page follows this one.
            ///
            /// ```
            #[doc = concat!("let page = folio::", stringify!($page), "::new(", $arguments, ");")]
            /// assert!(!page.on_last_page());
            /// ```
            #[must_use]
            pub fn on_last_page(&self) -> bool {
                !self.has_more_pages()
            }

            /// Whether the list goes beyond this page, on either side.
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

            /// Whether this page has rows.
            ///
            /// ```
            #[doc = concat!("let page = folio::", stringify!($page), "::new(", $arguments, ");")]
            /// assert!(page.is_not_empty());
            /// ```
            #[must_use]
            pub fn is_not_empty(&self) -> bool {
                !self.is_empty()
            }

            /// How many rows this page has, whatever the list has in all.
            ///
            /// ```
            #[doc = concat!("let page = folio::", stringify!($page), "::new(", $arguments, ");")]
            /// assert_eq!(page.count(), 2);
            /// ```
            #[must_use]
            pub fn count(&self) -> usize {
                self.data.len()
            }
        }
    };
}

mod cursor;
mod json;
mod length_aware;
mod link;
mod simple;

pub use cursor::CursorPaginator;
pub use length_aware::LengthAwarePaginator;
pub use link::PageLink;
pub use simple::Paginator;

/// The query key of a page number, where no other is set.
pub(crate) const PAGE_NAME: &str = "page";
/// The query key of a cursor, where no other is set.
pub(crate) const CURSOR_NAME: &str = "cursor";

/// The 1-based indexes of a page's first and last row in the whole list; `None` for a page without rows.
fn row_span(current_page: u64, per_page: u64, rows: usize) -> Option<(u64, u64)> {
    let more = u64::try_from(rows).unwrap_or(u64::MAX).checked_sub(1)?;
    let first = current_page.saturating_sub(1).saturating_mul(per_page).saturating_add(1);
    Some((first, first.saturating_add(more)))
}
