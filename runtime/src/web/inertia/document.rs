//! The HTML document that answers a first visit.
//!
//! The front end mounts on the element with the id `app` and reads the page object from a `<script>` element, or from
//! the attribute `data-page`, as clients before version 3 expect it.

use crate::app::inertia_settings::InertiaSettings;

/// The document with this page object.
pub(super) fn document(settings: &InertiaSettings, page: &str) -> String {
    let app = markup(settings, page);
    match &settings.view {
        Some(view) => view(&app),
        None => format!("<!doctype html><html><head><meta charset=\"utf-8\"></head><body>{app}</body></html>"),
    }
}

/// The element that the front end mounts on, and the page object.
fn markup(settings: &InertiaSettings, page: &str) -> String {
    if settings.in_attribute {
        return format!("<div id=\"app\" data-page=\"{}\"></div>", in_attribute(page));
    }
    let page = in_script(page);
    format!("<script data-page=\"app\" type=\"application/json\">{page}</script><div id=\"app\"></div>")
}

/// Escapes JSON for a `<script>` element, whose content must not contain `</script` or `<!--`. Outside of strings, JSON
/// has neither of the two characters.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('/', "\\/")
}

/// Escapes text for an attribute in double quotes.
fn in_attribute(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len().saturating_mul(2));
    for character in text.chars() {
        match entity(character) {
            Some(entity) => escaped.push_str(entity),
            None => escaped.push(character),
        }
    }
    escaped
}

/// The entity of a character that cannot be in an attribute as it is.
const fn entity(character: char) -> Option<&'static str> {
    match character {
        '&' => Some("&amp;"),
        '"' => Some("&quot;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '\'' => Some("&#039;"),
        _ => None,
    }
}
