//! What only servers have.

mod away;
mod catalog;
mod distant;
mod killed;
mod round_trips;
mod values;
