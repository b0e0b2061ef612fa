//! Shared code of folio's benchmarks: a table on each database, rivals that take turns, and the report.

pub mod by_hand;
pub mod contest;
pub mod data;
pub mod dataset;
pub mod feeds;
pub mod report;
pub mod statements;
