//! The strictest lints find nothing in derived code, in a library's public items and in private ones. rustc's look into
//! it; of clippy's, those that look into macros of other crates.
#![deny(warnings, missing_docs, unused_qualifications, unreachable_pub, unused, private_interfaces, private_bounds)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]
#![deny(missing_debug_implementations, missing_copy_implementations, single_use_lifetimes, unused_results)]
#![deny(let_underscore_drop, non_ascii_idents, trivial_casts, trivial_numeric_casts, unused_lifetimes)]
#![deny(rust_2018_idioms, rust_2021_compatibility, rust_2024_compatibility, future_incompatible, nonstandard_style)]
#![forbid(unsafe_code)]

use folio::{ColumnValue, Paginate};

/// A type that only this file sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(transparent)]
struct Secret(i64);

/// An enum that is stored as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type, ColumnValue)]
#[sqlx(rename_all = "snake_case")]
pub enum State {
    /// Being written.
    InDraft,
    /// For everyone.
    Published,
}

/// An enum that is stored as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type, ColumnValue)]
#[repr(u8)]
enum Level {
    Low = 1,
    High = 200,
}

/// A newtype with a named field.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::Type, ColumnValue)]
#[sqlx(transparent)]
pub struct Name {
    text: String,
}

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

/// A public struct with a public key of public fields.
#[derive(Debug, Clone, PartialEq, Eq, Hash, sqlx::FromRow, Paginate)]
#[paginate(schema = "blog", primary_key = "tenant, number", cursor_key = "number desc")]
pub struct Ticket {
    /// Whose it is.
    pub tenant: String,
    /// Which one.
    pub number: i64,
}

/// A private struct, of which next to nothing is used.
#[derive(Debug, sqlx::FromRow, Paginate)]
struct Comment {
    id: i64,
    text: String,
}

/// What reads the fields that are private.
#[must_use]
pub fn texts(post: Post, id: i64) -> (i64, String, String) {
    let comment = Comment { id, text: "folio".to_owned() };
    let level = if post.score.is_some() { Level::High } else { Level::Low };
    let Name { text } = Name { text: format!("{}{level:?}", comment.text) };
    (post.id + post.secret.0 + comment.id, post.title, text)
}
