//! Pages as HTML: page links, endless lists, sortable headers and forms.
//!
//! This module needs the feature `html`. Everything here is a [`Display`](std::fmt::Display) that writes accessible
//! markup, with every text and URL escaped. It needs no template engine, and works with each of them: `format!` it, or
//! insert it as markup. With the features `askama` and `maud`, those engines insert it without escaping it again.
//!
//! | to render | write |
//! |---|---|
//! | links to the pages of a list | [`page.nav()`](crate::LengthAwarePaginator::nav) |
//! | the same in your own markup | [`page.nav().links()`](Nav::links) |
//! | a list that grows | [`page.load_more("#rows")`](crate::CursorPaginator::load_more) |
//! | the headers of a table that sort it | [`sorts.headers("sort")`](crate::Sorts::headers) |
//! | a choice of page sizes | [`PerPage::options([15, 30])`](crate::PerPage::options) |
//! | a form that keeps the rest of the query | [`hidden_inputs(["q"])`](hidden_inputs) |
//!
//! ```
//! use folio::LengthAwarePaginator;
//! use folio::html::{German, Theme};
//!
//! let page = LengthAwarePaginator::new(vec!["c", "d"], 6, 2, 2).with_path("/posts?q=a&b");
//! let html = page.nav().theme(Theme::Bootstrap).texts(&German).summary().to_string();
//! assert!(html.contains(r#"href="/posts?q=a&amp;b&amp;page=3" rel="next""#));
//! assert!(html.contains("3 bis 4 von 6"));
//! ```
//!
//! The guide's chapter [`html`](crate::guide::html) has a page with a list, a form and htmx.

mod form;
mod languages;
mod load_more;
mod markup;
mod nav;
mod sort_headers;
mod texts;
mod theme;

pub use form::{HiddenInputs, PageSizeOptions, hidden_inputs};
pub use languages::{Arabic, Chinese, French, German, Japanese, Portuguese, Spanish};
pub use load_more::LoadMore;
pub use nav::{Nav, NavLink};
pub use sort_headers::{SortHeader, SortHeaders};
pub use texts::{English, Shown, Texts};
pub use theme::Theme;

/// Tells the template engines that a type is markup already.
macro_rules! is_markup {
    ($($name:ident $(<$life:lifetime>)?),*) => {$(
        #[cfg(feature = "askama")]
        impl askama::filters::HtmlSafe for $name $(<$life>)? {}

        #[cfg(feature = "maud")]
        impl maud::Render for $name $(<$life>)? {
            fn render_to(&self, buffer: &mut String) {
                use std::fmt::Write as _;
                // Writing into a string does not fail.
                let _ = write!(buffer, "{self}");
            }
        }
    )*};
}

is_markup!(HiddenInputs, LoadMore<'_>, Nav<'_>, PageSizeOptions, SortHeader);
