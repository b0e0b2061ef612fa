//! The words of rendered markup.

use crate::paginator::Total;

/// The words of rendered markup in one language.
///
/// folio has [`English`], [`German`](super::German), [`French`](super::French), [`Spanish`](super::Spanish),
/// [`Portuguese`](super::Portuguese), [`Japanese`](super::Japanese), [`Chinese`](super::Chinese) and
/// [`Arabic`](super::Arabic). Implement this trait for another language, or for words of your own. Everything is plain
/// text, which folio escapes.
///
/// ```
/// use folio::html::{English, Shown, Texts};
///
/// struct Posts;
///
/// impl Texts for Posts {
///     fn language(&self) -> &str { "en" }
///     fn pagination(&self) -> &str { "Pages of posts" }
///     fn previous(&self) -> &str { "Newer" }
///     fn next(&self) -> &str { "Older" }
///     fn page(&self, number: u64) -> String { English.page(number) }
///     fn load_more(&self) -> &str { "Older posts" }
///     fn summary(&self, shown: Shown) -> String { English.summary(shown) }
/// }
///
/// let page = folio::CursorPaginator::new(vec![1], 1, Some("bmV4dA".into()), None);
/// assert!(page.nav().texts(&Posts).to_string().contains(">Older</a>"));
/// ```
pub trait Texts: Send + Sync {
    /// The language as a tag of BCP 47, such as `en` or `pt-BR`. It becomes the attribute `lang`.
    fn language(&self) -> &str;

    /// Whether the language is written from right to left. If it is, the markup has `dir="rtl"`.
    fn is_right_to_left(&self) -> bool {
        false
    }

    /// What screen readers call the links, unless [`Nav::label`](super::Nav::label) is set.
    fn pagination(&self) -> &str;

    /// The text of the link to the previous page.
    fn previous(&self) -> &str;

    /// The text of the link to the next page.
    fn next(&self) -> &str;

    /// What screen readers call the link to a page whose text is only its number.
    fn page(&self, number: u64) -> String;

    /// The text of the link that makes a list longer.
    fn load_more(&self) -> &str;

    /// The line that says which rows a page has.
    fn summary(&self, shown: Shown) -> String;
}

/// The rows that a page shows, for [`Texts::summary`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// None, because the list has none.
    Empty,
    /// None, although the list has rows: the page is past the end.
    Beyond {
        /// The number of rows in the list, if it is known.
        total: Option<u64>,
    },
    /// Those of a numbered page.
    Range {
        /// The position of the first row in the list, from 1.
        from: u64,
        /// The position of the last row in the list.
        to: u64,
        /// The number of rows in the list, if it is known.
        total: Option<u64>,
    },
    /// Those of a cursor page, whose positions are not known.
    Rows {
        /// The number of rows on the page.
        count: u64,
        /// The number of rows in the list, if it was counted.
        total: Option<Total>,
    },
}

/// The words in English.
///
/// ```
/// use folio::Total;
/// use folio::html::{English, Shown, Texts};
///
/// assert_eq!(English.summary(Shown::Range { from: 21, to: 40, total: Some(1_093) }), "Showing 21 to 40 of 1,093");
/// assert_eq!(English.summary(Shown::Rows { count: 1, total: None }), "Showing 1 result");
/// let total = Some(Total::AtLeast(10_000));
/// assert_eq!(English.summary(Shown::Rows { count: 20, total }), "Showing 20 of 10,000 or more results");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct English;

impl Texts for English {
    fn language(&self) -> &str {
        "en"
    }

    fn pagination(&self) -> &str {
        "Pagination"
    }

    fn previous(&self) -> &str {
        "Previous"
    }

    fn next(&self) -> &str {
        "Next"
    }

    fn page(&self, number: u64) -> String {
        format!("Page {number}")
    }

    fn load_more(&self) -> &str {
        "Load more"
    }

    fn summary(&self, shown: Shown) -> String {
        let number = |rows| grouped(rows, ",");
        let results = |rows: u64| if rows == 1 { "result" } else { "results" };
        match shown {
            Shown::Empty => "No results".to_owned(),
            Shown::Beyond { total: None } => "No results on this page".to_owned(),
            Shown::Beyond { total: Some(1) } => "No results on this page. There is 1 result.".to_owned(),
            Shown::Beyond { total: Some(total) } => {
                format!("No results on this page. There are {} results.", number(total))
            }
            Shown::Range { from, to, total } => {
                let total = total.map(|total| format!(" of {}", number(total))).unwrap_or_default();
                match from == to {
                    true => format!("Showing {}{total}", number(from)),
                    false => format!("Showing {} to {}{total}", number(from), number(to)),
                }
            }
            Shown::Rows { count, total: None } => format!("Showing {} {}", number(count), results(count)),
            Shown::Rows { count, total: Some(total) } => {
                let (all, results) = (number(total.rows()), results(total.rows()));
                match total {
                    Total::Exact(_) => format!("Showing {} of {all} {results}", number(count)),
                    Total::AtLeast(_) => format!("Showing {} of {all} or more results", number(count)),
                    Total::Estimated(_) => format!("Showing {} of about {all} {results}", number(count)),
                }
            }
        }
    }
}

/// A number with a separator between each three digits.
pub(super) fn grouped(number: u64, separator: &str) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && digits.len().saturating_sub(place).is_multiple_of(3) {
            text.push_str(separator);
        }
        text.push(digit);
    }
    text
}
