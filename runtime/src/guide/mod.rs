//! What to know beyond the first page, a chapter for each question.
//!
//! | chapter | the question |
//! |---|---|
//! | [`choosing`] | Which of the three paginators? |
//! | [`selects`] | Which selects can be paged, and what is refused? |
//! | [`cursor_keys`] | Which order, which index, and what of NULLs, text and time? |
//! | [`databases`] | Which server, which version, which index there, and what of partitions? |
//! | [`connections`] | Transactions, replicas, poolers, spawned tasks? |
//! | [`keys`] | Where do the keys of cursors come from, and how are they changed? |
//! | [`frameworks`] | axum, JSON:API, Inertia, and any other framework? |
//! | [`testing`] | How is an application tested that uses folio? |
//! | [`coming_from`] | What is this in Laravel, sea-orm, or sqlx by hand? |

#[doc = include_str!("choosing.md")]
pub mod choosing {}

#[doc = include_str!("selects.md")]
pub mod selects {}

#[doc = include_str!("cursor_keys.md")]
pub mod cursor_keys {}

#[doc = include_str!("databases.md")]
pub mod databases {}

#[doc = include_str!("connections.md")]
pub mod connections {}

#[doc = include_str!("keys.md")]
pub mod keys {}

#[doc = include_str!("frameworks.md")]
pub mod frameworks {}

#[doc = include_str!("testing.md")]
pub mod testing {}

#[doc = include_str!("coming_from.md")]
pub mod coming_from {}
