//! What only servers have.

mod away;
mod catalog;
mod distant;
mod engines;
mod killed;
mod round_trips;
mod seek;
mod values;
