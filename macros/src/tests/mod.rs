//! The derive over token streams: what it makes, and what it says of mistakes.

mod expansions;
mod mistakes;
