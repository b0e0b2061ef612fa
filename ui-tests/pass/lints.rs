//! The strictest lints find nothing in derived code. `cargo clippy` on this file checks clippy's.
#![deny(warnings, missing_docs, unused_qualifications, unreachable_pub, unused, private_interfaces, private_bounds)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]
#![deny(missing_debug_implementations, missing_copy_implementations, single_use_lifetimes, unused_results)]
#![deny(let_underscore_drop, non_ascii_idents, trivial_casts, trivial_numeric_casts, unused_lifetimes)]
#![deny(rust_2018_idioms, rust_2021_compatibility, rust_2024_compatibility, future_incompatible, nonstandard_style)]
#![forbid(unsafe_code)]

use folio::Paginate;

/// A type that only this file sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(transparent)]
struct Secret(i64);

/// A public struct with private fields.
#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "title desc")]
pub struct Post {
    id: i64,
    title: String,
    secret: Secret,
    /// A public field.
    pub score: Option<i32>,
}

/// A private struct, of which next to nothing is used.
#[derive(Debug, sqlx::FromRow, Paginate)]
struct Comment {
    id: i64,
    text: String,
}

fn main() {
    let post = Post { id: 1, title: "folio".to_owned(), secret: Secret(1), score: None };
    assert_eq!(post.cursor_key().title, post.title);
    assert_eq!(post.secret.0, 1);
    let comment = Comment { id: 1, text: "folio".to_owned() };
    assert_eq!((comment.id, comment.text.as_str()), (1, "folio"));
}
