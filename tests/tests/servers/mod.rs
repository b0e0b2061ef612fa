//! What only servers have.

mod away;
mod values;
