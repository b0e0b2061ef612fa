//! What only servers have.

mod away;
mod catalog;
mod engines;
mod killed;
mod round_trips;
mod seek;
mod values;
