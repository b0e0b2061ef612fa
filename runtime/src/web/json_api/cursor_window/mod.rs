//! Windows of a list for JSON:API's cursor pagination profile: the request, the page, and the errors.
//!
//! [`crate::list::cursor_pages`] reads the rows, like those of every window.

mod error;
mod page;
mod request;

pub use self::error::CursorWindowError;
pub use self::page::CursorPage;
pub(crate) use self::page::CursorPlace;
pub use self::request::CursorWindow;

/// The query keys that the profile defines.
pub(crate) const SIZE: &str = "page[size]";
pub(crate) const AFTER: &str = "page[after]";
pub(crate) const BEFORE: &str = "page[before]";
