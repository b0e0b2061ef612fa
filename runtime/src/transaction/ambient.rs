//! The task-local with the transactions that the current task is in, from the innermost outwards.
//!
//! A task can be inside several, one for each pool or application. [`Ambient::on`] finds the one on a given pool, and
//! [`Ambient::current`] the one that serves statements which name no connection.

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use folio_plan::dialect::Dialect;

use super::control::Transactional;
use super::lifecycle::{SharedTransaction, TransactionGuard};
use super::slot::{ConnectionLock, inside};
use crate::driver::Driver;
use crate::error::{FrameworkError, Result};
use crate::pool::{CallSite, Pool, PoolId, Pools, dispatch};
use crate::request::context::Context;

tokio::task_local! {
    static AMBIENT: Ambient;
}

#[derive(Debug, Clone)]
pub(crate) enum Transaction {
    #[cfg(feature = "sqlite")]
    Sqlite(SharedTransaction<sqlx::Sqlite>),
    #[cfg(feature = "postgres")]
    Postgres(SharedTransaction<sqlx::Postgres>),
    #[cfg(feature = "mysql")]
    MySql(SharedTransaction<sqlx::MySql>),
}

macro_rules! transaction {
    ($($feature:literal $driver:ident),*) => {$(
        #[cfg(feature = $feature)]
        impl From<SharedTransaction<sqlx::$driver>> for Transaction {
            fn from(shared: SharedTransaction<sqlx::$driver>) -> Self {
                Self::$driver(shared)
            }
        }
    )*};
}
transaction!("sqlite" Sqlite, "postgres" Postgres, "mysql" MySql);

impl Transaction {
    fn is_on(&self, pool: &Pool) -> bool {
        fn is<D: Driver>(shared: &SharedTransaction<D>, pool: &Pool) -> bool {
            pool.is(shared.pool())
        }
        dispatch!(Self, self, shared => is(shared, pool))
    }

    fn downcast<D: Driver>(&self) -> Option<&SharedTransaction<D>> {
        dispatch!(Self, self, shared => (shared as &dyn Any).downcast_ref())
    }
}

/// A transaction that the current task is inside of, linked to those around it.
#[derive(Clone)]
pub(crate) struct Ambient(Arc<Entry>);

/// A transaction, and its place among the others of its task.
#[derive(Clone)]
struct Entry {
    transaction: Transaction,
    /// Those of the application in which it was begun.
    pools: Pools,
    /// Those of the application whose scope the task was in when it entered.
    app_scope: Option<Pools>,
    /// The transaction around it, on the same connection or on another one.
    outer: Option<Ambient>,
}

impl fmt::Debug for Ambient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ambient(..)")
    }
}

impl Ambient {
    /// The transaction that serves statements which name no connection.
    ///
    /// That is the innermost one, unless the task has entered the scope of an application inside it. Then it is one of
    /// that application: begun in it, or on its default pool.
    pub(crate) fn current(context: &Context) -> Option<Self> {
        let ambient = AMBIENT.try_with(Clone::clone).ok()?;
        let Some(scoped) = context.scoped_connections() else { return Some(ambient) };
        let is_scope_of_transaction =
            ambient.0.app_scope.as_ref().is_some_and(|app_scope| scoped.is_same_as(app_scope));
        if is_scope_of_transaction {
            return Some(ambient);
        }
        ambient.find(|entry| scoped.is_same_as(&entry.pools) || entry.transaction.is_on(&scoped.default.pool))
    }

    /// The innermost transaction of this task on a pool.
    pub(crate) fn on(pool: &Pool) -> Option<Self> {
        AMBIENT.try_with(|ambient| ambient.find(|entry| entry.transaction.is_on(pool))).ok()?
    }

    fn find(&self, accepts: impl Fn(&Entry) -> bool) -> Option<Self> {
        let mut outwards = std::iter::successors(Some(self), |here| here.0.outer.as_ref());
        outwards.find(|here| accepts(&here.0)).cloned()
    }

    pub(crate) fn dialect(&self) -> Dialect {
        fn of<D: Driver>(_: &SharedTransaction<D>) -> Dialect {
            D::DIALECT
        }
        dispatch!(Transaction, &self.0.transaction, shared => of(shared))
    }

    pub(crate) fn pool_id(&self) -> PoolId {
        dispatch!(Transaction, &self.0.transaction, shared => PoolId::of(shared.pool()))
    }

    pub(crate) fn transaction(&self) -> &Transaction {
        &self.0.transaction
    }

    /// Leases its connection for the caller's own statements. Waits until it is free. `None` if the transaction belongs
    /// to another driver.
    pub(crate) async fn lend<D: Transactional>(&self, place: CallSite) -> Result<Option<ConnectionLock<D>>> {
        match self.0.transaction.downcast::<D>() {
            Some(shared) => shared.lend(place).await.map(Some),
            None => Ok(None),
        }
    }

    /// Runs `work` in a savepoint of this transaction.
    pub(crate) async fn nested<R, E>(
        self,
        app_scope: Option<Pools>,
        place: CallSite,
        work: impl AsyncFnOnce() -> Result<R, E>,
    ) -> Result<R, E>
    where
        E: From<FrameworkError>,
    {
        let pools = self.0.pools.clone();
        dispatch!(Transaction, &self.0.transaction, shared => {
            run(shared.nest(place).await?, pools, app_scope, work).await
        })
    }

    pub(crate) async fn enter<F: Future>(&self, app_scope: Option<Pools>, future: F) -> F::Output {
        let entry = Entry { app_scope, ..Entry::clone(&self.0) };
        let level = dispatch!(Transaction, &entry.transaction, shared => shared.level());
        // Boxed, because each future around it would have its size.
        inside(level, AMBIENT.scope(Self(Arc::new(entry)), Box::pin(future))).await
    }
}

/// Runs `work` in a transaction or savepoint, then commits if it returns `Ok`, and rolls back if it returns `Err` or is
/// dropped.
pub(super) async fn run<D: Transactional, R, E>(
    guard: TransactionGuard<D>,
    pools: Pools,
    app_scope: Option<Pools>,
    work: impl AsyncFnOnce() -> Result<R, E>,
) -> Result<R, E>
where
    Transaction: From<SharedTransaction<D>>,
    E: From<FrameworkError>,
{
    let transaction = guard.shared.clone().into();
    let ambient =
        Ambient(Arc::new(Entry { transaction, pools, app_scope: None, outer: AMBIENT.try_with(Clone::clone).ok() }));
    let result = ambient.enter(app_scope, work()).await;
    guard.finish(result).await
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests {
    use super::*;
    use crate::transaction::tests::pool;

    #[tokio::test]
    async fn a_transaction_shows_nothing_of_its_connections() {
        let pool = pool().await;
        let guard = TransactionGuard::<sqlx::Sqlite>::begin(pool.clone(), None, std::panic::Location::caller())
            .await
            .expect("it begins");
        let (transaction, pools) = (guard.shared.clone().into(), Pools::new(pool.into()));
        let entry = Entry { transaction, pools, app_scope: None, outer: None };
        let ambient = Ambient(Arc::new(entry));
        assert_eq!(format!("{ambient:?}"), "Ambient(..)");
    }
}
