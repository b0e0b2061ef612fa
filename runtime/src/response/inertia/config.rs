//! What is set once for all pages of an Inertia front end, and the document that a first visit gets.

use std::sync::Arc;

use serde::Serialize;
use serde_json::value::to_raw_value;

use crate::app::Folio;
use crate::inertia_settings::Shell;

impl Folio {
    /// Sets the document that a first visit to an Inertia page gets: a function from the markup that the front end
    /// starts from to the whole of it. Nothing that a row has in it can end that markup.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::{Folio, Inertia};
    ///
    /// let folio = Folio::new(pool).root_view(|app| {
    ///     format!("<!doctype html><title>Blog</title><script type=\"module\" src=\"/app.js\"></script>{app}")
    /// });
    /// let answer = folio.scope(async { Inertia::render("Posts").prop("tag", "</script>").answer() }).await?;
    /// assert!(answer.body.starts_with("<!doctype html><title>Blog</title>"));
    /// assert!(answer.body.contains(r#"<script data-page="app" type="application/json">{"component":"Posts""#));
    /// assert!(answer.body.contains(r#""tag":"\u003c\/script>""#));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn root_view(mut self, view: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        self.shell_mut().view = Some(Arc::new(view));
        self
    }

    /// Sets the version of the front end's assets, such as a hash of their manifest. A client that asks with another
    /// one is told by the [layer](Folio::layer) to reload the page. A client of version 3 does not do so by itself
    /// for rows that it loads while a list is scrolled through: it fires its `location` event, and leaves it to the
    /// front end.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::{Folio, Inertia};
    ///
    /// let folio = Folio::new(pool).asset_version("4f9a");
    /// let page = folio.scope(async { Inertia::render("Posts").page_object() }).await?;
    /// assert!(page.ends_with(r#""version":"4f9a"}"#));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn asset_version(mut self, version: &str) -> Self {
        self.shell_mut().version = Some(version.into());
        self
    }

    /// Sends a prop with every Inertia page, unless a page has one of that key itself. `value` is called for each,
    /// inside its request.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::{Folio, Inertia};
    ///
    /// let folio = Folio::new(pool).share("site", || "Blog").share("year", || 2026);
    /// let page = folio.scope(async { Inertia::render("Posts").prop("year", 1998).page_object() }).await?;
    /// assert!(page.contains(r#""props":{"errors":{},"year":1998,"site":"Blog"}"#));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn share<T: Serialize>(mut self, key: &str, value: impl Fn() -> T + Send + Sync + 'static) -> Self {
        self.shell_mut().shared.push((key.into(), Arc::new(move || to_raw_value(&value()))));
        self
    }

    /// Puts the page object of a first visit into the `data-page` attribute of the front end's element, where clients
    /// look for it that are not told to read it from a script: those of version 2 by themselves.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::{Folio, Inertia};
    ///
    /// let folio = Folio::new(pool).page_in_attribute();
    /// let answer = folio.scope(async { Inertia::render("Posts").answer() }).await?;
    /// assert!(answer.body.contains(r#"<div id="app" data-page="{&quot;component&quot;:"#));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn page_in_attribute(mut self) -> Self {
        self.shell_mut().in_attribute = true;
        self
    }
}

/// The document of a first visit.
pub(super) fn document(shell: &Shell, page: &str) -> String {
    let app = markup(shell, page);
    match &shell.view {
        Some(view) => view(&app),
        None => format!("<!doctype html><html><head><meta charset=\"utf-8\"></head><body>{app}</body></html>"),
    }
}

/// The element that the front end is shown in, with the page object.
fn markup(shell: &Shell, page: &str) -> String {
    if shell.in_attribute {
        return format!("<div id=\"app\" data-page=\"{}\"></div>", in_attribute(page));
    }
    let page = in_script(page);
    format!("<script data-page=\"app\" type=\"application/json\">{page}</script><div id=\"app\"></div>")
}

/// Escapes JSON for a `<script>` element. Both marks occur in strings only.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('/', "\\/")
}

/// Text as an attribute in double quotes has it.
fn in_attribute(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len().saturating_mul(2));
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\'' => escaped.push_str("&#039;"),
            other => escaped.push(other),
        }
    }
    escaped
}
