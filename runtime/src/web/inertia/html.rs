//! The HTML document that answers a first visit.
//!
//! The front end mounts on the element with the id `app` and reads the page object from a `<script>` element, or from
//! the attribute `data-page`, as clients before version 3 expect it.

use super::settings::InertiaSettings;

/// The document with this page object.
pub(super) fn document(settings: &InertiaSettings, page: &str) -> String {
    let app = if settings.in_attribute {
        format!("<div id=\"app\" data-page=\"{}\"></div>", in_attribute(page))
    } else {
        // The content of a `<script>` element must not contain `</script` or `<!--`. Outside of strings, JSON has
        // neither of the two characters.
        let page = page.replace('<', "\\u003c").replace('/', "\\/");
        format!("<script data-page=\"app\" type=\"application/json\">{page}</script><div id=\"app\"></div>")
    };
    match &settings.view {
        Some(view) => view(&app),
        None => format!("<!doctype html><html><head><meta charset=\"utf-8\"></head><body>{app}</body></html>"),
    }
}

/// Escapes text for an attribute in double quotes.
fn in_attribute(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len().saturating_mul(2));
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\'' => escaped.push_str("&#039;"),
            _ => escaped.push(character),
        }
    }
    escaped
}
