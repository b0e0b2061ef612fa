//! The pools of an application, by name.
//!
//! There is a default pool, which is also called `__primary__`, and any number of named ones. One name is special: if
//! `__read_replica__` is registered, it answers reads that name no connection. `fallback.rs` decides when the primary
//! answers in its place. [`crate::source::route`] chooses among these pools and the ambient transaction.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use folio_plan::dialect::Dialect;

use super::{Fallback, Pool, PoolId, dispatch};
use crate::driver::Driver;
use crate::error::{FrameworkError, Result};

/// If a pool is registered under this name, reads use it by default.
const READ_REPLICA: &str = "__read_replica__";

/// The name of the default pool. A read that names it bypasses the replica.
pub(crate) const PRIMARY: &str = "__primary__";

/// A pool, with what its pages ask about it.
#[derive(Debug, Clone)]
pub(crate) struct PoolEntry {
    pub(crate) pool: Pool,
    pub(crate) id: PoolId,
    pub(crate) dialect: Dialect,
    /// Whether its connections keep prepared statements, which a pooler in front of the server may not support.
    pub(crate) persistent: bool,
}

impl From<Pool> for PoolEntry {
    fn from(pool: Pool) -> Self {
        fn facts<D: Driver>(pool: &sqlx::Pool<D>) -> (PoolId, Dialect, bool) {
            (PoolId::of(pool), D::DIALECT, D::persistent(pool))
        }
        let (id, dialect, persistent) = dispatch!(Pool, &pool, pool => facts(pool));
        Self { pool, id, dialect, persistent }
    }
}

/// An application's default pool and its named ones.
#[derive(Debug, Clone)]
pub(crate) struct Pools {
    /// The default pool, `__primary__`.
    pub(crate) default: PoolEntry,
    /// The pool for a query that names no connection, if that is not the default one.
    pub(crate) replica: Option<PoolEntry>,
    // Shared by the clones of an application.
    named: Arc<BTreeMap<String, PoolEntry>>,
    /// When the primary answers in place of the replica; `None` for never.
    fallback: Option<Arc<Fallback>>,
}

impl Pools {
    pub(crate) fn new(default: Pool) -> Self {
        Self { default: default.into(), replica: None, named: Arc::default(), fallback: None }
    }

    /// Registers a pool under a name that is still free.
    pub(crate) fn register(&mut self, name: &str, pool: Pool) -> Result<()> {
        if name.is_empty() || name == PRIMARY {
            return Err(FrameworkError::configuration(format!(
                "`{name}` cannot be registered: the default pool is given to `Folio::new`"
            )));
        }
        let entry = PoolEntry::from(pool);
        if name == READ_REPLICA {
            self.replica = Some(entry.clone());
        }
        if Arc::make_mut(&mut self.named).insert(name.to_owned(), entry).is_some() {
            return Err(FrameworkError::configuration(format!("the connection `{name}` is registered twice")));
        }
        Ok(())
    }

    /// Reads from the primary if the replica provides no connection within `wait`.
    pub(crate) fn fall_back_after(&mut self, wait: Duration) {
        self.fallback = Some(Arc::new(Fallback::new(wait)));
    }

    pub(crate) fn named(&self, name: &str) -> Result<&PoolEntry> {
        let entry = if name == PRIMARY { Some(&self.default) } else { self.named.get(name) };
        entry.ok_or_else(|| FrameworkError::configuration(format!("no connection is registered as `{name}`")))
    }

    /// Whether replica and primary are the same kind of database. Otherwise, one cannot answer in place of the other: a
    /// statement is compiled for one dialect before a connection is leased.
    pub(crate) fn has_like_replica(&self) -> bool {
        self.replica.as_ref().is_some_and(|replica| replica.dialect == self.default.dialect)
    }

    /// When the primary answers in place of the replica.
    pub(crate) fn fallback(&self) -> Option<&Arc<Fallback>> {
        self.fallback.as_ref().filter(|_| self.has_like_replica())
    }

    /// Whether statements on a connection of unknown origin are persistent: unless a pool of this dialect has none.
    pub(crate) fn persistent(&self, dialect: Dialect) -> bool {
        let mut entries = self.named.values().chain([&self.default]);
        entries.all(|entry| entry.persistent || entry.dialect != dialect)
    }

    /// Whether both have the same pools under the same names, as all variants of one application do.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        let mut pairs = self.named.iter().zip(other.named.iter());
        let has_same_names = Arc::ptr_eq(&self.named, &other.named)
            || self.named.len() == other.named.len()
                && pairs.all(|((name, one), (other_name, other))| name == other_name && one.pool.same(&other.pool));
        self.default.pool.same(&other.default.pool) && has_same_names
    }
}
