//! How statements are written: conditions and selects as text with parameters, LIMIT and OFFSET, counts, the filtered
//! rows of a table, and the templates that keep the text of a query's pages.

mod bound;
pub mod condition;
pub mod filtered;
pub mod select;
pub mod slice;
pub mod template;
pub mod total;
