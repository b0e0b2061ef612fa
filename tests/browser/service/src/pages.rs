//! The pages: each has a component in the front end.

use std::sync::atomic::{AtomicU64, Ordering};

use folio::inertia::{Inertia, InertiaLocation, InertiaResponse, PageIdentifier, ScrollMetadata, ScrollProp};
use folio::{ActiveRequest, Paginate, Result};
use serde::Serialize;

/// The number of rows that are loaded at once.
const AT_ONCE: u64 = 20;

/// How often the list on the right was read.
static RIGHT: AtomicU64 = AtomicU64::new(0);

#[derive(Debug, Serialize, sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
}

/// What the page shows once.
#[derive(Debug, Serialize)]
struct Flash {
    message: &'static str,
}

/// The errors of a form.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Errors {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'static str>,
}

/// The errors that are shared with every page: none without the query key `invalid`.
pub(crate) fn errors() -> Errors {
    Errors { name: parameter("invalid").map(|_| "The name is missing") }
}

/// A list inside of another prop, and a number inside of one that comes later.
pub(crate) async fn feed() -> Result<InertiaResponse> {
    let page = Inertia::render("Feed").prop("feed.title", "All posts").scroll("feed.posts", posts).await?;
    let page = page.page_key("flash", Flash { message: "Welcome" });
    page.defer_prop("totals.posts", async || Ok(120)).await
}

/// The list of the feed.
async fn posts() -> Result<ScrollProp> {
    Ok(ScrollProp::from(Post::query().cursor_paginate(AT_ONCE).await?).match_on("id"))
}

/// Two simple lists, and one whose place the handler describes itself.
pub(crate) async fn simple() -> Result<InertiaResponse> {
    let page = Inertia::render("Simple").scroll("left", async || list("left").await).await?;
    let right = async || {
        RIGHT.fetch_add(1, Ordering::Relaxed);
        list("right").await
    };
    Ok(page.scroll("right", right).await?.paginate("letters", letters()))
}

/// A simple list under a page name of its own.
async fn list(page_name: &str) -> Result<ScrollProp> {
    let page = ActiveRequest::current().map_or(1, |request| request.page(page_name));
    let posts = Post::query().order_by(Post::ID).page(page).simple_paginate(AT_ONCE).await?;
    Ok(ScrollProp::from(posts).with_page_name(page_name))
}

/// Rows that no paginator reads: 26 letters, one page for each half of the alphabet, known by its first letter.
fn letters() -> ScrollProp {
    let is_second = parameter("letter").as_deref() == Some("n");
    let rows: Vec<_> = (if is_second { 'n'..='z' } else { 'a'..='m' })
        .map(|letter| Post { id: i64::from(u32::from(letter)) })
        .collect();
    let metadata = ScrollMetadata {
        page_name: "letter".into(),
        previous_page: is_second.then_some(PageIdentifier::Number(1)),
        next_page: (!is_second).then(|| "n".into()),
        current_page: Some(if is_second { "n".into() } else { PageIdentifier::Number(1) }),
    };
    ScrollProp::new(rows, &metadata)
}

/// Leaves the front end.
pub(crate) async fn leave() -> InertiaLocation {
    Inertia::location("/outside")
}

/// How often the list on the right was read.
pub(crate) async fn reads() -> String {
    RIGHT.load(Ordering::Relaxed).to_string()
}

/// A parameter of the active request.
pub(crate) fn parameter(name: &str) -> Option<String> {
    ActiveRequest::current()?.value(name).map(String::from)
}
