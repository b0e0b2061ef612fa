//! What only servers have.

mod away;
mod killed;
mod round_trips;
mod values;
