//! What the tests of a service need: walks while rows are written, a check that a page is read along an index, and
//! pages and requests without a database.
//!
//! The module exists with the feature `testing`. Enable it for tests only:
//!
//! ```toml
//! [dev-dependencies]
//! folio = { version = "0.1", features = ["testing"] }
//! ```
//!
//! | a test that … | needs |
//! |---|---|
//! | follows the cursors of a list, through a query or over HTTP | [`Walk`] |
//! | holds that a page is read along an index | [`read_along_index`] |
//! | calls a handler with a query string | [`request`] |
//! | needs a numbered page without a database | [`LengthAwarePaginator::from_vec`](crate::LengthAwarePaginator::from_vec), [`Paginator::from_vec`](crate::Paginator::from_vec) |
//! | needs a cursor page, or a cursor, without a database | [`cursor_page`], [`cursor`] |
//!
//! The guide's chapter [`testing`](crate::guide::testing) shows them together.

mod index;
mod pages;
mod walk;

pub use self::index::{NotAlongIndex, read_along_index};
pub use self::pages::{cursor, cursor_page, request};
pub use self::walk::{Walk, WalkError, Walked};
