//! Windows of a list for JSON:API's cursor pagination profile: the request, the page, and the errors.
//!
//! `read.rs` reads the rows, like those of every [window](crate::query::window).

mod error;
mod page;
mod read;
mod request;

pub use self::error::CursorWindowError;
pub use self::page::CursorPage;
pub use self::request::CursorWindow;

/// The query keys that the profile defines.
const SIZE: &str = "page[size]";
const AFTER: &str = "page[after]";
const BEFORE: &str = "page[before]";
