//! The document around each page.

use folio::ActiveRequest;
use form_urlencoded::{Serializer, parse};
use maud::{DOCTYPE, Markup, html};

use crate::assets::url;
use crate::form::languages;
use crate::words::words;

const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath \
    fill='%230b6e5f' d='M2 3h12v10H2z'/%3E%3Cpath fill='%23fff' d='M4 6h8v1H4zm0 3h8v1H4z'/%3E%3C/svg%3E";

/// A page with a title. htmx follows all links and sends all forms, and changes only what differs in the new page.
pub(crate) fn document(title: &str, content: Markup) -> Markup {
    let words = words();
    let path = ActiveRequest::current().map(|request| request.path().to_owned()).unwrap_or_default();
    let view = |to: &str, label: &str, left_out| {
        html! { a href=(kept(to, &[(left_out, ""), ("more", "")])) aria-current=[(path == to).then_some("page")] { (label) } }
    };
    html! {
        (DOCTYPE)
        html lang=(words.texts.language()) dir=[words.texts.is_right_to_left().then_some("rtl")] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                link rel="icon" href=(ICON);
                link rel="stylesheet" href=(url("shop.css"));
                script src=(url("htmx.js")) defer {}
            }
            body hx-boost:inherited="true" hx-swap:inherited="outerMorph" {
                a.skip href="#content" { (words.skip) }
                header {
                    nav aria-label=(words.views) {
                        (view("/", words.title, "cursor"))
                        (view("/endless", words.endless, "page"))
                    }
                    (languages())
                }
                main #content tabindex="-1" { (content) }
            }
        }
    }
}

/// A link that keeps the request's query, with other values for some parameters. One with an empty value is left out.
pub(crate) fn kept(path: &str, values: &[(&str, &str)]) -> String {
    let request = ActiveRequest::current();
    let query = request.as_ref().and_then(ActiveRequest::query).unwrap_or_default();
    let others = parse(query.as_bytes()).filter(|(name, _)| !values.iter().any(|(other, _)| other == name));
    let pairs = others.chain(values.iter().map(|(name, value)| ((*name).into(), (*value).into())));
    let query = Serializer::new(String::new()).extend_pairs(pairs.filter(|(_, value)| !value.is_empty())).finish();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}
