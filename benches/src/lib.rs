//! What the benchmarks of folio are made of: a table on each database, rivals that work in turn, and the report.

pub mod by_hand;
pub mod contest;
pub mod data;
pub mod report;
pub mod statements;
