//! The HTML document that answers a first visit.

use crate::inertia_settings::InertiaSettings;

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

/// Escapes JSON for a `<script>` element. Outside of strings, JSON has neither of the two characters.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('/', "\\/")
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
            other => escaped.push(other),
        }
    }
    escaped
}
