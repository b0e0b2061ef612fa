//! The reader: one package, and the ones before and after it in the list that the reader came from.

use axum::extract::Path;
use maud::{Markup, html};

use crate::document::{document, kept};
use crate::packages::{Package, query};
use crate::problem::{Problem, nothing_here};
use crate::words::words;

pub(crate) async fn reader(Path(id): Path<String>) -> Result<Markup, Problem> {
    let Ok(id) = id.parse::<i64>() else { return Err(nothing_here().await) };
    let (query, _) = query()?;
    let around = query.cursor(None).around_id(id, 1, 1).await?;
    let rows = &around.page.data;
    let found = around.index.and_then(|index| Some((index, rows.get(index)?)));
    let Some((index, package)) = found else { return Err(nothing_here().await) };
    let words = words();
    let neighbour = |row: Option<&Package>, id, rel, word: &str| {
        html! {
            @if let Some(row) = row {
                a.button id=(id) rel=(rel) href=(kept(&format!("/packages/{}", row.id), &[])) {
                    span { (word) } b { (row.name) }
                }
            }
        }
    };
    Ok(document(
        &package.name,
        html! {
            p { a href=(kept("/", &[])) { (words.back) } }
            h1 { (package.name) }
            dl {
                @for (label, value) in [
                    (words.version, package.version.clone()),
                    (words.section, package.section.clone()),
                    (words.priority, package.priority.clone()),
                    (words.size, package.installed_size()),
                    (words.download, package.download_size()),
                    (words.dependencies, package.dependencies()),
                ] {
                    div { dt { (label) } dd { bdi { (value) } } }
                }
            }
            nav.neighbours aria-label=(words.title) {
                (neighbour(index.checked_sub(1).and_then(|index| rows.get(index)), "previous", "prev", words.texts.previous()))
                (neighbour(rows.get(index.saturating_add(1)), "next", "next", words.texts.next()))
            }
        },
    ))
}
