//! Parts of forms: page sizes, and the parameters that a form keeps.

use std::fmt::{self, Display};

use super::markup::Attribute;
use crate::paginator::{CURSOR_NAME, PAGE_NAME};
use crate::request::ActiveRequest;
use crate::request::per_page::{PER_PAGE_NAME, PerPage, asked, page_size};

impl PerPage {
    /// The `<option>` elements of a `<select name="per_page">` with these page sizes. The active request's page size is
    /// selected; a request without one shows the first.
    ///
    /// ```
    /// use folio::{ActiveRequest, PerPage};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # ActiveRequest::new("/posts?per_page=30").scope(async {
    /// // In a request for `/posts?per_page=30`:
    /// let html = PerPage::options([15, 30]).to_string();
    /// assert_eq!(html, r#"<option value="15">15</option><option value="30" selected>30</option>"#);
    /// # }).await
    /// # }
    /// ```
    pub fn options(sizes: impl IntoIterator<Item = u64>) -> PageSizeOptions {
        Self::options_using(PER_PAGE_NAME, sizes)
    }

    /// Same as [`options`](Self::options), with the query key `key` instead of `per_page`.
    ///
    /// ```
    /// use folio::{ActiveRequest, PerPage};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # ActiveRequest::new("/posts?page[size]=30").scope(async {
    /// // In a request for `/posts?page[size]=30`:
    /// assert!(PerPage::options_using("page[size]", [15, 30]).to_string().contains("30\" selected"));
    /// # }).await
    /// # }
    /// ```
    pub fn options_using(key: &str, sizes: impl IntoIterator<Item = u64>) -> PageSizeOptions {
        let selected = asked(key).as_deref().and_then(page_size);
        PageSizeOptions { sizes: sizes.into_iter().collect(), selected }
    }
}

/// Page sizes to choose from, from [`PerPage::options`]. Display writes `<option>` elements.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "options do nothing until they are written into a page"]
pub struct PageSizeOptions {
    sizes: Vec<u64>,
    selected: Option<u64>,
}

impl PageSizeOptions {
    /// Selects the size that the page has, which may be the default or the maximum. If it is not among the sizes, it is
    /// added to them, in order.
    ///
    /// ```
    /// let page = folio::Paginator::new(vec![1, 2], 1, 20, false);
    /// let html = folio::PerPage::options([15, 30]).selected(page.per_page).to_string();
    /// assert!(html.contains(r#"<option value="20" selected>20</option><option value="30">"#), "{html}");
    /// ```
    pub fn selected(mut self, size: u64) -> Self {
        self.selected = Some(size);
        self
    }
}

impl Display for PageSizeOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sizes = self.sizes.clone();
        if let Some(size) = self.selected.filter(|size| !sizes.contains(size)) {
            let place = sizes.iter().position(|other| *other > size).unwrap_or(sizes.len());
            sizes.insert(place, size);
        }
        for size in sizes {
            let selected = if self.selected == Some(size) { " selected" } else { "" };
            write!(f, "<option value=\"{size}\"{selected}>{size}</option>")?;
        }
        Ok(())
    }
}

/// Hidden inputs that keep the active request's query in a form with the method GET, which would drop it.
///
/// `fields` are the names of the form's own fields, which are left out. So are `page` and `cursor`: a form changes the
/// list, which then begins at its first page.
///
/// ```
/// use folio::ActiveRequest;
/// use folio::html::hidden_inputs;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// # ActiveRequest::new("/posts?q=a&sort=-title&page=3").scope(async {
/// // In a request for `/posts?q=a&sort=-title&page=3`:
/// assert_eq!(hidden_inputs(["q"]).to_string(), r#"<input type="hidden" name="sort" value="-title">"#);
/// # }).await
/// # }
/// ```
pub fn hidden_inputs<N: AsRef<str>>(fields: impl IntoIterator<Item = N>) -> HiddenInputs {
    let mut without = vec![PAGE_NAME.to_owned(), CURSOR_NAME.to_owned()];
    without.extend(fields.into_iter().map(|name| name.as_ref().to_owned()));
    let request = ActiveRequest::current();
    let query = request.as_ref().and_then(ActiveRequest::query).unwrap_or_default();
    let pairs = form_urlencoded::parse(query.as_bytes()).into_owned().filter(|(name, _)| !without.contains(name));
    HiddenInputs { pairs: pairs.collect() }
}

/// Hidden inputs of a form, from [`hidden_inputs`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "inputs do nothing until they are written into a page"]
pub struct HiddenInputs {
    pairs: Vec<(String, String)>,
}

impl Display for HiddenInputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pairs.iter().try_for_each(|(name, value)| {
            let (name, value) = (Attribute("name", Some(name)), Attribute("value", Some(value)));
            write!(f, "<input type=\"hidden\"{name}{value}>")
        })
    }
}
