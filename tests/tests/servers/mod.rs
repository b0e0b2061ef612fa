//! What only servers have.

mod away;
mod round_trips;
mod values;
