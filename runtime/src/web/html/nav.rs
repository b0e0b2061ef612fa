//! The links to the pages of a list.

use std::fmt::{self, Display};
use std::iter;

use folio_plan::url::PageUrls;

use super::markup::{Attribute, Escaped, class, is_attribute_name};
use super::texts::{English, Shown, Texts};
use super::theme::{Classes, Theme};
use crate::paginator::page_window::{SIDE, window};
use crate::paginator::{CursorPaginator, LengthAwarePaginator, LinkKind, Paginator};

/// The links to the pages of a list, as accessible HTML.
///
/// A paginator's `nav()` creates it; see [`LengthAwarePaginator::nav`]. Display writes a `<nav>` with a list of links,
/// and nothing if the list has only one page.
#[must_use = "links do nothing until they are written into a page"]
pub struct Nav<'a> {
    previous: Option<String>,
    next: Option<String>,
    /// What a numbered page with a total can link to.
    numbers: Option<Numbers<'a>>,
    shown: Shown,
    label: Option<&'a str>,
    theme: Theme,
    side: u8,
    /// `None` for English, which then has no attribute `lang`.
    texts: Option<&'a dyn Texts>,
    attributes: Option<Box<GivenAttributes<'a>>>,
    has_summary: bool,
}

/// The attributes that a caller gives to a link.
type GivenAttributes<'a> = dyn Fn(&NavLink) -> Vec<(&'static str, String)> + Send + Sync + 'a;

struct Numbers<'a> {
    current: u64,
    last: u64,
    urls: PageUrls<'a>,
}

/// One link of a [`Nav`], in plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NavLink {
    /// Whether this is the link to a page, a gap, or the link to the previous or the next page.
    pub kind: LinkKind,
    /// The text, not escaped: a page number, `…` for a gap, or the word for the previous or next page.
    pub label: String,
    /// The URL, not escaped; `None` for a gap, and for a previous or next page that does not exist.
    pub url: Option<String>,
    /// Whether this is the link of the current page.
    pub is_current: bool,
}

impl NavLink {
    /// A copy of the URL, for an attribute; empty if the link has none.
    ///
    /// ```
    /// let page = folio::LengthAwarePaginator::new(vec!['a'], 2, 1, 1);
    /// assert_eq!(page.nav().links()[2].url(), "?page=2");
    /// ```
    #[must_use]
    pub fn url(&self) -> String {
        self.url.clone().unwrap_or_default()
    }
}

impl<T> LengthAwarePaginator<T> {
    /// The links to the pages of this list, as accessible HTML: previous, page numbers with gaps, next.
    ///
    /// ```
    /// let page = folio::LengthAwarePaginator::new(vec!["c", "d"], 6, 2, 2).with_path("/posts");
    /// let html = page.nav().label("Posts").summary().to_string();
    /// assert!(html.starts_with("<nav class=\"folio-nav\" aria-label=\"Posts\">"), "{html}");
    /// assert!(html.contains(r#"<a class="folio-link" href="/posts?page=3" rel="next">Next</a>"#), "{html}");
    /// assert!(html.contains("Showing 3 to 4 of 6"));
    ///
    /// let single = folio::LengthAwarePaginator::new(vec!["a"], 1, 2, 1);
    /// assert_eq!(single.nav().to_string(), "");
    /// ```
    pub fn nav(&self) -> Nav<'_> {
        let shown = match (self.total, self.from.zip(self.to)) {
            (0, _) => Shown::Empty,
            (total, None) => Shown::Beyond { total: Some(total) },
            (total, Some((from, to))) => Shown::Range { from, to, total: Some(total) },
        };
        // Past the end, the page before may be empty too. The last page is not.
        let previous = self.previous_page().map(|page| self.url_for_page(page.min(self.last_page)));
        let numbers = Numbers { current: self.current_page, last: self.last_page, urls: self.urls() };
        Nav { numbers: Some(numbers), ..Nav::new(previous, self.next_page_url(), shown) }
    }
}

impl<T> Paginator<T> {
    /// The links to the previous and the next page, as accessible HTML.
    ///
    /// ```
    /// let page = folio::Paginator::new(vec!["c", "d"], 2, 2, true).with_path("/posts");
    /// let html = page.nav().summary().to_string();
    /// assert!(html.contains(r#"href="/posts?page=1" rel="prev">Previous</a>"#), "{html}");
    /// assert!(html.contains("Showing 3 to 4"));
    /// ```
    pub fn nav(&self) -> Nav<'_> {
        let shown = match self.first_item().zip(self.last_item()) {
            Some((from, to)) => Shown::Range { from, to, total: None },
            None if self.on_first_page() => Shown::Empty,
            None => Shown::Beyond { total: None },
        };
        Nav::new(self.previous_page_url(), self.next_page_url(), shown)
    }
}

impl<T> CursorPaginator<T> {
    /// The links to the previous and the next page, as accessible HTML.
    ///
    /// ```
    /// let page = folio::CursorPaginator::new(vec!["c"], 1, Some("bmV4dA".into()), None).with_path("/posts");
    /// let html = page.nav().summary().to_string();
    /// assert!(html.contains(r#"<a class="folio-link" role="link" aria-disabled="true">Previous</a>"#), "{html}");
    /// assert!(html.contains("Showing 1 result"));
    /// ```
    pub fn nav(&self) -> Nav<'_> {
        let shown = match u64::try_from(self.data.len()).unwrap_or(u64::MAX) {
            0 if self.has_pages() => {
                Shown::Beyond { total: self.total.filter(|total| total.is_exact()).map(|t| t.rows()) }
            }
            0 => Shown::Empty,
            count => Shown::Rows { count, total: self.total },
        };
        Nav::new(self.previous_page_url(), self.next_page_url(), shown)
    }
}

impl<'a> Nav<'a> {
    fn new(previous: Option<String>, next: Option<String>, shown: Shown) -> Self {
        Self {
            previous,
            next,
            numbers: None,
            shown,
            label: None,
            theme: Theme::default(),
            side: SIDE,
            texts: None,
            attributes: None,
            has_summary: false,
        }
    }

    /// Sets what screen readers call these links, instead of "Pagination". Two lists on one screen need two names.
    ///
    /// ```
    /// let page = folio::LengthAwarePaginator::new(vec!['a'], 2, 1, 1);
    /// assert!(page.nav().label("Comments").to_string().contains(r#"aria-label="Comments""#));
    /// ```
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = Some(label);
        self
    }

    /// Sets the class names. See [`Theme`].
    ///
    /// ```
    /// use folio::html::Theme;
    ///
    /// let page = folio::LengthAwarePaginator::new(vec!['a'], 2, 1, 1);
    /// assert!(page.nav().theme(Theme::Bootstrap).to_string().contains("page-item active"));
    /// ```
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// Sets how many pages are listed on each side of the current one, instead of 3. Pages without numbers ignore it.
    ///
    /// A row has up to `2 * pages + 7` entries; a list with no more pages than that has a link to each. The JSON's `links`
    /// do not change.
    ///
    /// ```
    /// let page = folio::LengthAwarePaginator::new(vec!['a'], 50, 1, 25);
    /// let labels: Vec<_> = page.nav().each_side(1).links().into_iter().map(|link| link.label).collect();
    /// assert_eq!(labels.join(" "), "Previous 1 2 … 24 25 26 … 49 50 Next");
    /// ```
    pub fn each_side(mut self, pages: u8) -> Self {
        self.side = pages;
        self
    }

    /// Sets the words, which are English otherwise. The markup then says its language and direction.
    ///
    /// ```
    /// let page = folio::LengthAwarePaginator::new(vec!['a'], 2, 1, 1);
    /// let html = page.nav().texts(&folio::html::Arabic).to_string();
    /// assert!(html.contains(r#"lang="ar" dir="rtl""#));
    /// ```
    pub fn texts(mut self, texts: &'a dyn Texts) -> Self {
        self.texts = Some(texts);
        self
    }

    /// Adds attributes to each link that has a URL, for libraries such as htmx, Turbo and Unpoly.
    ///
    /// An attribute that folio writes too, such as `class`, replaces folio's. A name with other characters than letters,
    /// digits and `-_:.@` is left out, and logged as an error.
    ///
    /// ```
    /// let page = folio::LengthAwarePaginator::new(vec!['a'], 2, 1, 1);
    /// let nav = page.nav().attributes(|link| [("hx-get", link.url()), ("hx-target", "#rows".into())]);
    /// assert!(nav.to_string().contains(r##"hx-get="?page=2" hx-target="#rows">2</a>"##));
    /// ```
    pub fn attributes<V: Display, I: IntoIterator<Item = (&'static str, V)>>(
        mut self,
        attributes: impl Fn(&NavLink) -> I + Send + Sync + 'a,
    ) -> Self {
        self.attributes = Some(Box::new(move |link| {
            let given = attributes(link).into_iter().map(|(name, value)| (name, value.to_string()));
            let (valid, invalid): (Vec<_>, Vec<_>) = given.partition(|(name, _)| is_attribute_name(name));
            for (name, _) in invalid {
                tracing::error!(
                    name,
                    "the attribute is left out: write its name with letters, digits and `-_:.@` only"
                );
            }
            valid
        }));
        self
    }

    /// Adds a line that says which rows the page has, such as "Showing 21 to 40 of 93". It is also written if the list
    /// has only one page.
    ///
    /// ```
    /// let page = folio::LengthAwarePaginator::new(vec!['a', 'b'], 2, 15, 1);
    /// assert_eq!(page.nav().summary().to_string(), r#"<p class="folio-summary">Showing 1 to 2 of 2</p>"#);
    /// ```
    pub fn summary(mut self) -> Self {
        self.has_summary = true;
        self
    }

    /// The links in plain text, for markup of your own. Empty if the list has only one page.
    ///
    /// ```
    /// use folio::LinkKind;
    ///
    /// let links = folio::LengthAwarePaginator::new(vec!['b'], 2, 1, 2).with_path("/posts").nav().links();
    /// let kinds: Vec<_> = links.iter().map(|link| link.kind).collect();
    /// assert_eq!(kinds, [LinkKind::Previous, LinkKind::Page(1), LinkKind::Page(2), LinkKind::Next]);
    /// assert_eq!((links[0].url.as_deref(), links[3].url.as_deref()), (Some("/posts?page=1"), None));
    /// assert!(links[2].is_current);
    /// ```
    #[must_use]
    pub fn links(&self) -> Vec<NavLink> {
        if self.previous.is_none() && self.next.is_none() {
            return Vec::new();
        }
        let texts = self.texts.unwrap_or(&English);
        let end = |kind, label: &str, url: &Option<String>| NavLink {
            kind,
            label: label.to_owned(),
            url: url.clone(),
            is_current: false,
        };
        let listed = self.numbers.iter().flat_map(|numbers| {
            window(numbers.current, numbers.last, self.side).map(|kind| match kind {
                LinkKind::Page(page) => NavLink {
                    kind,
                    label: page.to_string(),
                    url: Some(numbers.urls.page(page).to_string()),
                    is_current: page == numbers.current,
                },
                _ => end(kind, "…", &None),
            })
        });
        let previous = end(LinkKind::Previous, texts.previous(), &self.previous);
        let next = end(LinkKind::Next, texts.next(), &self.next);
        iter::once(previous).chain(listed).chain([next]).collect()
    }

    /// Writes the item of a link.
    fn write_item(&self, f: &mut fmt::Formatter<'_>, classes: &Classes, link: &NavLink) -> fmt::Result {
        let label = Escaped(&link.label);
        let (item, names) = match (link.kind, link.is_current, &link.url) {
            // Screen readers need no gap: the numbers say that pages are missing.
            (LinkKind::Gap, ..) => {
                let item = class(classes.item);
                return write!(f, "<li{item} aria-hidden=\"true\"><span{}>{label}</span></li>", class(classes.gap));
            }
            (_, true, _) => (classes.item_current, classes.link_current),
            (_, _, Some(_)) => (classes.item, classes.link),
            (_, _, None) => (classes.item_disabled, classes.link_disabled),
        };
        let name = match link.kind {
            LinkKind::Page(page) => Some(self.texts.unwrap_or(&English).page(page)),
            _ => None,
        };
        let is_end = link.url.is_none();
        let relation = match link.kind {
            LinkKind::Previous if !is_end => Some("prev"),
            LinkKind::Next if !is_end => Some("next"),
            _ => None,
        };
        // A link without `href` cannot be followed. The role keeps it a link for screen readers.
        let own = [
            ("class", Some(names).filter(|names| !names.is_empty())),
            ("href", link.url.as_deref()),
            ("rel", relation),
            ("aria-label", name.as_deref()),
            ("aria-current", link.is_current.then_some("page")),
            ("role", is_end.then_some("link")),
            ("aria-disabled", is_end.then_some("true")),
        ];
        let given = self.attributes.as_ref().filter(|_| !is_end).map(|given| given(link)).unwrap_or_default();
        write!(f, "<li{}><a", class(item))?;
        for (name, value) in own {
            if !given.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)) {
                Attribute(name, value).fmt(f)?;
            }
        }
        for (name, value) in &given {
            Attribute(name, Some(value)).fmt(f)?;
        }
        write!(f, ">{label}</a></li>")
    }
}

impl Display for Nav<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (classes, texts) = (self.theme.classes(), self.texts.unwrap_or(&English));
        let links = self.links();
        let language = Attribute("lang", self.texts.map(Texts::language));
        let direction = Attribute("dir", texts.is_right_to_left().then_some("rtl"));
        let summary = |f: &mut fmt::Formatter<'_>, language: &str| match self.has_summary {
            true => {
                let line = texts.summary(self.shown);
                write!(f, "<p{}{language}>{}</p>", class(classes.summary), Escaped(&line))
            }
            false => Ok(()),
        };
        if links.is_empty() {
            return summary(f, &format!("{language}{direction}"));
        }
        let label = Attribute("aria-label", Some(self.label.unwrap_or_else(|| texts.pagination())));
        write!(f, "<nav{}{label}{language}{direction}>", class(classes.nav))?;
        summary(f, "")?;
        write!(f, "<ul{}>", class(classes.list))?;
        links.iter().try_for_each(|link| self.write_item(f, classes, link))?;
        f.write_str("</ul></nav>")
    }
}

impl fmt::Debug for Nav<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nav").field("links", &self.links()).finish_non_exhaustive()
    }
}
