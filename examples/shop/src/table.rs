//! The table: numbered pages, with headers that sort it.

use std::sync::Arc;

use axum::extract::State;
use folio::html::NavLink;
use folio::{LinkKind, PerPage};
use maud::{Markup, html};

use crate::document::{document, kept};
use crate::form::{SIZES, chips, form};
use crate::packages::{Choices, Package, query, sorts};
use crate::problem::Problem;
use crate::words::words;

pub(crate) async fn table(State(choices): State<Arc<Choices>>) -> Result<Markup, Problem> {
    let (query, filters) = query()?;
    let page = query.paginate(PerPage::from_request(SIZES[0], SIZES[2])?).await?;
    let words = words();
    let place = words.texts.page(page.current_page);
    // htmx finds the link that has the focus again by its id.
    let nav = page.nav().label(words.title).texts(words.texts).each_side(1).summary();
    let nav = nav.attributes(|link| [("id", id(link))]);
    Ok(document(
        &format!("{}: {place}", words.title),
        html! {
            h1.hidden { (words.title) }
            (form("/", &choices, &filters, page.per_page))
            (chips("/", &filters))
            // Screen readers say when the list has changed.
            p.hidden role="status" { (place) }
            @if page.data.is_empty() {
                p.nothing { (words.nothing) }
            } @else {
                table {
                    thead { (head()?) }
                    tbody { @for package in &page.data { (row(package)) } }
                }
            }
            (nav)
        },
    ))
}

/// The headers, each of which sorts the list.
pub(crate) fn head() -> folio::Result<Markup> {
    let (sorts, words) = (sorts(), words());
    let headers = sorts.headers("sort")?;
    Ok(html! {
        tr {
            (headers.header("name", words.name)?)
            (headers.header("section", words.section)?)
            th scope="col" { (words.priority) }
            (headers.header("size", words.size)?)
            (headers.header("dependencies", words.dependencies)?)
        }
    })
}

/// A row of the table, and of the endless list.
pub(crate) fn row(package: &Package) -> Markup {
    html! {
        tr data-row=(package.id) {
            th scope="row" { a href=(kept(&format!("/packages/{}", package.id), &[("cursor", "")])) { (package.name) } }
            td { (package.section) }
            td { (package.priority) }
            // In Arabic, the unit would come before the number.
            td { bdi { (package.installed_size()) } }
            td { (package.dependencies()) }
        }
    }
}

fn id(link: &NavLink) -> String {
    match link.kind {
        LinkKind::Previous => "previous".to_owned(),
        LinkKind::Page(page) => format!("page-{page}"),
        _ => "next".to_owned(),
    }
}
