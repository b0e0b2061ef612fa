//! The pools of an application, by name.
//!
//! There is a default pool, which is also called `__primary__`, and any number of named ones. One name is special: if
//! `__read_replica__` is registered, it answers reads that name no connection. `fallback.rs` decides when the primary
//! answers in its place. [`crate::source::route`] chooses among these pools and the ambient transaction.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::dialect::Dialect;
use crate::driver::Driver;
use crate::error::{FrameworkError, Result};
pub(crate) use crate::pool::fallback::Fallback;
use crate::pool::{Pool, dispatch};

/// If a pool is registered under this name, reads use it by default.
const READ_REPLICA: &str = "__read_replica__";

/// The name of the default pool. A read that names it bypasses the replica.
pub(crate) const PRIMARY: &str = "__primary__";

/// A pool that pages can be read from.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) pool: Pool,
    /// Whether statements on it are named, which a pooler in front of the server may not support.
    pub(crate) named_statements: bool,
}

impl From<Pool> for Target {
    fn from(pool: Pool) -> Self {
        let named_statements = dispatch!(Pool, &pool, pool => Driver::names_statements(pool));
        Self { pool, named_statements }
    }
}

/// An application's default pool and its named ones.
#[derive(Debug, Clone)]
pub(crate) struct Connections {
    /// The default pool, `__primary__`.
    pub(crate) default: Target,
    /// The others, by name. Clones of an application share them.
    named: Arc<BTreeMap<String, Target>>,
    /// When the primary answers in place of the replica; `None` for never.
    fallback: Option<Arc<Fallback>>,
}

impl Connections {
    /// An application with one pool.
    pub(crate) fn new(default: Pool) -> Self {
        Self { default: default.into(), named: Arc::default(), fallback: None }
    }

    /// Registers a pool under a name that is still free.
    pub(crate) fn register(&mut self, name: &str, pool: Pool) -> Result<()> {
        check_name(name)?;
        if Arc::make_mut(&mut self.named).insert(name.to_owned(), pool.into()).is_some() {
            return Err(FrameworkError::configuration(format!("the connection `{name}` is registered twice")));
        }
        Ok(())
    }

    /// Reads from the primary if the replica provides no connection within `wait`.
    pub(crate) fn fall_back_after(&mut self, wait: Duration) {
        self.fallback = Some(Arc::new(Fallback::new(wait)));
    }

    /// The default pool.
    pub(crate) fn primary(&self) -> &Pool {
        &self.default.pool
    }

    /// The pool that is registered under a name.
    pub(crate) fn named(&self, name: &str) -> Result<&Target> {
        let target = if name == PRIMARY { Some(&self.default) } else { self.named.get(name) };
        target.ok_or_else(|| FrameworkError::configuration(format!("no connection is registered as `{name}`")))
    }

    /// The pool for a query that names no connection, and the fallback if that pool is the replica.
    pub(crate) fn unnamed(&self) -> (&Target, Option<&Arc<Fallback>>) {
        match self.named.get(READ_REPLICA) {
            // The statement is compiled for one dialect before a connection is leased, so the other pool must share it.
            Some(replica) if replica.pool.dialect() == self.default.pool.dialect() => (replica, self.fallback.as_ref()),
            Some(replica) => (replica, None),
            None => (&self.default, None),
        }
    }

    /// Whether statements are named on a connection of unknown origin: unless a pool of this dialect has unnamed ones.
    pub(crate) fn names_statements(&self, dialect: Dialect) -> bool {
        let mut targets = self.named.values().chain([&self.default]);
        !targets.any(|target| !target.named_statements && target.pool.dialect() == dialect)
    }

    /// Whether both have the same pools under the same names, as all variants of one application do.
    pub(crate) fn are(&self, other: &Self) -> bool {
        let is_shared = Arc::ptr_eq(&self.named, &other.named);
        self.default.pool.same(&other.default.pool) && (is_shared || self.names_same_pools(other))
    }

    /// Whether both have the same pools under the same names.
    fn names_same_pools(&self, other: &Self) -> bool {
        let mut pairs = self.named.iter().zip(other.named.iter());
        self.named.len() == other.named.len() && pairs.all(|(one, other)| is_same(one, other))
    }
}

/// Whether two connections have the same name and the same pool.
fn is_same(one: (&String, &Target), other: (&String, &Target)) -> bool {
    one.0 == other.0 && one.1.pool.same(&other.1.pool)
}

/// Rejects a name that means the default pool.
fn check_name(name: &str) -> Result<()> {
    if name.is_empty() || name == PRIMARY {
        let message = format!("`{name}` cannot be registered: the default pool is given to `Folio::new`");
        return Err(FrameworkError::configuration(message));
    }
    Ok(())
}
