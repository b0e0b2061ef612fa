//! Page links and lists that grow, in every state. The tests fulfil the request for the stylesheet of the theme.

use std::fmt::Write as _;

use axum::response::Html;
use folio::html::{Arabic, Nav, Texts, Theme};
use folio::{CursorPaginator, LengthAwarePaginator, Paginator};

use crate::pages::parameter;

/// A state, and its markup.
type State = (&'static str, String);

/// All states in the request's theme, colours and language.
pub(crate) async fn links() -> Html<String> {
    let theme = match parameter("theme").as_deref() {
        Some("bootstrap") => Theme::Bootstrap,
        Some("tailwind") => Theme::Tailwind,
        _ => Theme::Plain,
    };
    let texts = parameter("lang").map(|_| &Arabic as &dyn Texts);
    // Bootstrap's dark colours are chosen by an attribute, those of the others by the browser.
    let colours = parameter("colours").unwrap_or_default();
    let direction = if texts.is_some() { "lang=\"ar\" dir=\"rtl\"" } else { "lang=\"en\"" };
    let mut html = format!(
        "<!doctype html><html {direction} data-bs-theme=\"{colours}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>Links</title>\
         <link rel=\"icon\" href=\"data:,\"><link rel=\"stylesheet\" href=\"/theme.css\"></head>\
         <body class=\"dark:bg-gray-950 dark:text-gray-100\"><main class=\"p-3\"><h1>Links</h1>"
    );
    for (state, markup) in pages(theme, texts).into_iter().chain(lists(theme, texts)) {
        // Writing into a string does not fail.
        let _ = write!(html, "<section aria-label=\"{state}\"><h2>{state}</h2>{markup}</section>");
    }
    Html(html + "</main></body></html>")
}

/// Page links. Two lists on one screen need two names.
fn pages(theme: Theme, texts: Option<&dyn Texts>) -> Vec<State> {
    let state = |state, nav: Nav<'_>| {
        let nav = nav.label(state).theme(theme).summary();
        let nav = if let Some(texts) = texts { nav.texts(texts) } else { nav };
        (state, nav.to_string())
    };
    let numbered = |rows, total, page| LengthAwarePaginator::new(vec![(); rows], total, 15, page);
    let cursor = |next: Option<&str>, previous: Option<&str>| {
        CursorPaginator::new(vec![(); 15], 15, next.map(String::from), previous.map(String::from))
    };
    vec![
        state("the first page", numbered(15, 1_000, 1).nav()),
        state("a page in the middle", numbered(15, 1_000, 34).nav()),
        state("the last page", numbered(10, 1_000, 67).nav()),
        state("the last of a few pages", numbered(15, 60, 4).nav()),
        state("past the end", numbered(0, 1_000, 90).nav()),
        state("one page", numbered(3, 3, 1).nav()),
        state("no rows", numbered(0, 0, 1).nav()),
        state("simple, first", Paginator::new(vec![(); 15], 1, 15, true).nav()),
        state("simple, last", Paginator::new(vec![(); 15], 9, 15, false).nav()),
        state("cursor, first", cursor(Some("bmV4dA"), None).nav()),
        state("cursor, middle", cursor(Some("bmV4dA"), Some("cHJldg")).nav()),
    ]
}

/// Lists that grow, in each kind of element.
fn lists(theme: Theme, texts: Option<&dyn Texts>) -> Vec<State> {
    let page = Paginator::new(vec![()], 1, 1, true);
    let more = |rows| {
        let more = page.load_more(rows).button().theme(theme);
        if let Some(texts) = texts { more.texts(texts) } else { more }
    };
    vec![
        ("a list", format!("<ul id=\"list\"><li>A row</li>{}</ul>", more("#list").item())),
        (
            "a table",
            format!("<table><tbody id=\"body\"><tr><td>A row</td></tr>{}</tbody></table>", more("#body").row(1)),
        ),
        ("divisions", format!("<div id=\"rows\"><div>A row</div>{}</div>", more("#rows"))),
    ]
}

/// The class names of Tailwind's theme, and those of this page.
pub(crate) async fn class_names() -> String {
    let names = Theme::Tailwind.class_names();
    format!("{} p-3 dark:bg-gray-950 dark:text-gray-100", names.join(" "))
}
