//! Tests that run on every database.

#[cfg(all(feature = "postgres", feature = "mysql"))]
mod additive;
mod advice;
mod along_index;
mod applications;
mod caller_selects;
pub(crate) mod checked;
mod connections;
pub(crate) mod db;
mod deep;
mod deep_orders;
mod defaults;
#[cfg(feature = "sea-orm")]
mod entities;
mod errors;
mod expressions;
mod facts;
mod fallback;
mod feeds;
mod filters;
mod hostile;
mod json;
mod keys;
mod limits;
mod lists;
mod lookups;
mod migrations;
mod models;
mod names;
mod observed;
mod old_tokens;
#[cfg(feature = "sea-orm")]
mod orm;
#[cfg(feature = "sea-orm")]
mod orm_losses;
#[cfg(feature = "sea-orm")]
mod orm_values;
mod own_types;
mod panics;
mod plans_shown;
mod positions;
pub(crate) mod programs;
mod raw_sql;
mod relay;
mod remembered;
mod routing;
mod rows;
mod selects;
mod settled;
mod small_reads;
mod sorts;
mod statements;
mod streams;
mod time_limits;
mod totals;
pub(crate) mod transactions;
mod views;
mod volatile;
mod walk;
mod windows;
mod writers;
