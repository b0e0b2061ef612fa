//! SQL with its values.

use std::sync::Arc;

use sea_query::Values;

/// A statement that is ready to be run.
#[derive(Debug, Clone)]
pub(crate) struct BoundSql {
    pub(crate) sql: Arc<str>,
    pub(crate) values: Values,
}

/// Sentinel for the driver's literal limit, which it writes into the text.
pub(crate) const FEW: u64 = u64::MAX - 3;
