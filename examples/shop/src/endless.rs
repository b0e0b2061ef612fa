//! The endless list: cursor pages that htmx appends to each other.

use std::sync::Arc;

use axum::extract::State;
use folio::{ActiveRequest, PerPage};
use maud::{Markup, html};

use crate::document::{document, kept};
use crate::form::{SIZES, chips, form};
use crate::packages::{Choices, query};
use crate::problem::Problem;
use crate::table::{head, row};
use crate::words::words;

pub(crate) async fn endless(State(choices): State<Arc<Choices>>) -> Result<Markup, Problem> {
    let (query, filters) = query()?;
    let page = query.cursor_paginate(PerPage::from_request(SIZES[0], SIZES[2])?).await?;
    let words = words();
    let is_button = ActiveRequest::current().is_some_and(|request| request.value("more").as_deref() == Some("button"));
    let more = page.load_more("#rows").row(5).texts(words.texts);
    let more = if is_button { more.button() } else { more };
    Ok(document(
        words.endless,
        html! {
            h1.hidden { (words.endless) }
            (form("/endless", &choices, &filters, page.per_page))
            (chips("/endless", &filters))
            p.ways {
                @for (more, label) in [("", words.by_scrolling), ("button", words.by_button)] {
                    @let is_current = more.is_empty() != is_button;
                    a href=(kept("/endless", &[("cursor", ""), ("more", more)]))
                        aria-current=[is_current.then_some("true")] { (label) }
                }
            }
            // Without JavaScript, a reader needs a way back.
            @if let Some(url) = page.previous_page_url() {
                p { a href=(url) rel="prev" { (words.texts.previous()) } }
            }
            @if page.data.is_empty() {
                p.nothing { (words.nothing) }
            } @else {
                table {
                    thead { (head()?) }
                    tbody #rows { @for package in &page.data { (row(package)) } (more) }
                }
            }
        },
    ))
}
