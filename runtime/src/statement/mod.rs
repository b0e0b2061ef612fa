//! How statements are written: conditions and selects as text with parameters, LIMIT and OFFSET, counts, the filtered rows of
//! a table, and the templates that keep the text of a query's pages.

mod bound;
pub(crate) mod condition;
pub(crate) mod filtered;
pub(crate) mod select;
pub(crate) mod slice;
pub(crate) mod template;
pub(crate) mod total;
