//! Cursors: those of a list open in it, and all others are refused with the same error.

mod contents;
mod edits;
mod keyrings;
mod lists;
mod notes;
