//! Columns of an application's own types: enums that are stored as text, as PostgreSQL's enum and as numbers, and
//! newtypes.

mod changes;
mod filters;
pub(super) mod types;
mod walks;
