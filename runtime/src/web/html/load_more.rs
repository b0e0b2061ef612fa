//! Lists that grow.

use std::fmt::{self, Display};

use super::markup::{Attribute, Escaped, class};
use super::texts::{English, Texts};
use super::theme::Theme;
use crate::paginator::{CursorPaginator, LengthAwarePaginator, Paginator};

/// The end of a list that grows: htmx replaces it by the rows of the next page.
///
/// A paginator's `load_more` creates it; see [`CursorPaginator::load_more`]. Write it after the last row, inside the
/// element that contains the rows. On the last page, it writes nothing.
#[derive(Clone)]
#[must_use = "it does nothing until it is written into a page"]
pub struct LoadMore<'a> {
    /// That of the next page.
    url: Option<String>,
    rows: &'a str,
    element: Element,
    is_button: bool,
    theme: Theme,
    texts: Option<&'a dyn Texts>,
}

/// The element around the link, which has to suit the list.
#[derive(Debug, Clone, Copy)]
enum Element {
    Division,
    Item,
    /// A table row with one cell across this many columns.
    Row(u16),
}

/// Gives each paginator its method. `$arguments` are those of a `new` whose page has a next one.
macro_rules! load_more {
    ($($page:ident: $arguments:literal;)*) => {$(
        impl<T> $page<T> {
            /// The end of a list that grows, for [htmx](https://htmx.org): as soon as it is visible, the rows of the next
            /// page replace it. `rows` is the CSS selector of the element that contains the rows. The next page's URL can
            /// answer with a whole page; only the children of that element are taken.
            ///
            /// It contains a link to the next page, which works without JavaScript.
            ///
            /// ```
            #[doc = concat!("let page = folio::", stringify!($page), "::new(", $arguments, ");")]
            /// let html = page.load_more("#rows").to_string();
            /// assert!(html.contains(r##"hx-trigger="revealed" hx-target="this" hx-select="#rows &gt; *""##), "{html}");
            /// ```
            pub fn load_more<'a>(&self, rows: &'a str) -> LoadMore<'a> {
                let (element, theme) = (Element::Division, Theme::default());
                LoadMore { url: self.next_page_url(), rows, element, is_button: false, theme, texts: None }
            }
        }
    )*};
}

load_more! {
    LengthAwarePaginator: "vec![1, 2], 3, 2, 1";
    Paginator: "vec![1, 2], 1, 2, true";
    CursorPaginator: "vec![1], 1, Some(\"bmV4dA\".into()), None";
}

impl<'a> LoadMore<'a> {
    /// Loads the next page when the link is clicked, not when it is visible.
    ///
    /// If `rows` is the selector of an id, the link has an id as well, by which htmx finds the next link and gives it the
    /// focus. Somebody with a keyboard can then go on.
    ///
    /// ```
    /// let page = folio::Paginator::new(vec![1, 2], 1, 2, true);
    /// let html = page.load_more("#rows").button().to_string();
    /// assert!(!html.contains("revealed") && html.contains(r#"hx-target="closest div""#), "{html}");
    /// assert!(html.contains(r#"<a id="rows-more" class="folio-more-link" href="?page=2""#), "{html}");
    /// ```
    pub fn button(mut self) -> Self {
        self.is_button = true;
        self
    }

    /// Writes a table row with a cell across `columns` columns, for a list that is a table.
    ///
    /// ```
    /// let page = folio::Paginator::new(vec![1, 2], 1, 2, true);
    /// let html = page.load_more("#rows").row(4).to_string();
    /// assert!(html.starts_with("<tr") && html.contains("<td colspan=\"4\"><a"), "{html}");
    /// ```
    pub fn row(mut self, columns: u16) -> Self {
        self.element = Element::Row(columns);
        self
    }

    /// Writes an `<li>`, for a list that is a `<ul>` or an `<ol>`.
    ///
    /// ```
    /// let page = folio::Paginator::new(vec![1, 2], 1, 2, true);
    /// assert!(page.load_more("#rows").item().to_string().starts_with("<li"));
    /// ```
    pub fn item(mut self) -> Self {
        self.element = Element::Item;
        self
    }

    /// Sets the class names of the link. See [`Theme`].
    ///
    /// ```
    /// use folio::html::Theme;
    ///
    /// let page = folio::Paginator::new(vec![1, 2], 1, 2, true);
    /// assert!(page.load_more("#rows").theme(Theme::Bootstrap).to_string().contains("class=\"btn "));
    /// ```
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// Sets the words, which are English otherwise.
    ///
    /// ```
    /// let page = folio::Paginator::new(vec![1, 2], 1, 2, true);
    /// assert!(page.load_more("#rows").texts(&folio::html::German).to_string().contains(">Mehr laden</a>"));
    /// ```
    pub fn texts(mut self, texts: &'a dyn Texts) -> Self {
        self.texts = Some(texts);
        self
    }
}

impl Display for LoadMore<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(url) = &self.url else { return Ok(()) };
        let texts = self.texts.unwrap_or(&English);
        let language = Attribute("lang", self.texts.map(Texts::language));
        let direction = Attribute("dir", texts.is_right_to_left().then_some("rtl"));
        let (name, open, close) = match self.element {
            Element::Division => ("div", String::new(), ""),
            Element::Item => ("li", String::new(), ""),
            Element::Row(columns) => ("tr", format!("<td colspan=\"{columns}\">"), "</td>"),
        };
        // The target is named in both cases, because htmx inherits one from an element around.
        let loads = |trigger: Option<&str>, target: &str| {
            let (get, select) = (Attribute("hx-get", Some(url)), format!("{} > *", self.rows));
            let (trigger, target) = (Attribute("hx-trigger", trigger), Attribute("hx-target", Some(target)));
            let select = Attribute("hx-select", Some(&select));
            format!("{get}{trigger}{target}{select} hx-swap=\"outerHTML\"")
        };
        let (element, link) = match self.is_button {
            true => (String::new(), loads(None, &format!("closest {name}"))),
            false => (loads(Some("revealed"), "this"), String::new()),
        };
        // A selector with anything else in it is not that of an id.
        let is_id = |id: &&str| id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        let id = self.rows.strip_prefix('#').filter(is_id).filter(|_| self.is_button).map(|id| format!("{id}-more"));
        let (id, href) = (Attribute("id", id.as_deref()), Attribute("href", Some(url)));
        let (names, text) = (class(self.theme.classes().more), Escaped(texts.load_more()));
        write!(f, "<{name} class=\"folio-more\"{language}{direction}{element}>{open}")?;
        write!(f, "<a{id}{names}{href} rel=\"next\"{link}>{text}</a>{close}</{name}>")
    }
}

impl fmt::Debug for LoadMore<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadMore").field("url", &self.url).field("rows", &self.rows).finish_non_exhaustive()
    }
}
