//! Tests of the derive on token streams: what it generates, and how it reports mistakes.

mod expansions;
mod mistakes;
