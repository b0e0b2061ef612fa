//! What only servers have.

mod away;
mod catalog;
pub(crate) mod characters;
mod conflicts;
mod distant;
mod dropped;
mod engines;
mod filters;
mod killed;
mod plain;
mod round_trips;
mod seek;
mod settled;
pub(crate) mod small_reads;
mod values;
