//! The task-local with the transactions that the current task is in, from the innermost outwards.
//!
//! A task can be inside several, one for each pool or application. [`Ambient::on`] finds the one on a given pool, and
//! [`Ambient::unnamed`] the one that serves statements which name no connection.

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use super::control::Transactional;
use super::lifecycle::{SharedTransaction, TransactionGuard};
use super::slot::{ConnectionLock, inside};
use crate::dialect::Dialect;
use crate::driver::Driver;
use crate::error::{FrameworkError, Result};
use crate::pool::registry::Connections;
use crate::pool::{Place, Pool, PoolId, dispatch};

tokio::task_local! {
    static AMBIENT: Ambient;
}

/// A transaction of any driver.
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
    /// Whether it was begun on this pool.
    fn is_on(&self, pool: &Pool) -> bool {
        fn is<D: Driver>(shared: &SharedTransaction<D>, pool: &Pool) -> bool {
            pool.is(shared.pool())
        }
        dispatch!(Self, self, shared => is(shared, pool))
    }

    /// The transaction, if it is of this driver.
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
    /// The connections of the application in which it was begun.
    connections: Connections,
    /// The connections of the application's scope that the task was in when it entered.
    scope: Option<Connections>,
    /// The transaction around it, on the same connection or on another one.
    outer: Option<Ambient>,
}

impl fmt::Debug for Ambient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ambient(..)")
    }
}

impl Ambient {
    /// The innermost transaction of this task.
    pub(crate) fn current() -> Option<Self> {
        AMBIENT.try_with(Clone::clone).ok()
    }

    /// The innermost transaction of this task on a pool.
    pub(crate) fn on(pool: &Pool) -> Option<Self> {
        Self::current()?.find(|entry| entry.transaction.is_on(pool))
    }

    /// The transaction that serves statements which name no connection.
    ///
    /// That is the innermost one, unless the task has entered the scope of an application inside it. Then it is one of
    /// that application: begun in it, or on its default pool.
    pub(crate) fn unnamed(scoped: Option<&Connections>) -> Option<Self> {
        let ambient = Self::current()?;
        let Some(scoped) = scoped else { return Some(ambient) };
        if ambient.is_entered_in(scoped) {
            return Some(ambient);
        }
        ambient.find(|entry| scoped.are(&entry.connections) || entry.transaction.is_on(scoped.primary()))
    }

    /// Whether the scope that the task was in when the transaction began is that of these connections.
    fn is_entered_in(&self, scoped: &Connections) -> bool {
        self.0.scope.as_ref().is_some_and(|entered_in| scoped.are(entered_in))
    }

    /// The innermost of these transactions that a test accepts.
    fn find(&self, accepts: impl Fn(&Entry) -> bool) -> Option<Self> {
        let mut outwards = std::iter::successors(Some(self), |here| here.0.outer.as_ref());
        outwards.find(|here| accepts(&here.0)).cloned()
    }

    /// The dialect of its database.
    pub(crate) fn dialect(&self) -> Dialect {
        fn of<D: Driver>(_: &SharedTransaction<D>) -> Dialect {
            D::DIALECT
        }
        dispatch!(Transaction, &self.0.transaction, shared => of(shared))
    }

    /// The pool on which it was begun.
    pub(crate) fn pool_id(&self) -> PoolId {
        dispatch!(Transaction, &self.0.transaction, shared => PoolId::of(shared.pool()))
    }

    /// The transaction itself, for `dispatch!`.
    pub(crate) fn transaction(&self) -> &Transaction {
        &self.0.transaction
    }

    /// Leases its connection for the caller's own statements. Waits until it is free. `None` if the transaction belongs
    /// to another driver.
    pub(crate) async fn lend<D: Transactional>(&self, place: Place) -> Result<Option<ConnectionLock<D>>> {
        match self.0.transaction.downcast::<D>() {
            Some(shared) => shared.lend(place).await.map(Some),
            None => Ok(None),
        }
    }

    /// Runs `work` in a savepoint of this transaction. `scope` has the connections of the scope that the task is in.
    pub(crate) async fn nested<R, E>(
        self,
        scope: Option<Connections>,
        place: Place,
        work: impl AsyncFnOnce() -> Result<R, E>,
    ) -> Result<R, E>
    where
        E: From<FrameworkError>,
    {
        let connections = self.0.connections.clone();
        dispatch!(Transaction, &self.0.transaction, shared => {
            run(shared.nest(place).await?, connections, scope, work).await
        })
    }

    /// Runs a future inside the transaction. `scope` has the connections of the scope that the task is in.
    pub(crate) async fn enter<F: Future>(&self, scope: Option<Connections>, future: F) -> F::Output {
        let entry = Entry { scope, ..Entry::clone(&self.0) };
        let level = dispatch!(Transaction, &entry.transaction, shared => shared.level());
        // Boxed, because each future around it would have its size.
        inside(level, AMBIENT.scope(Self(Arc::new(entry)), Box::pin(future))).await
    }
}

/// Runs `work` in a transaction or savepoint, then commits on `Ok`, or rolls back on `Err` and when dropped.
pub(super) async fn run<D: Transactional, R, E>(
    level: TransactionGuard<D>,
    connections: Connections,
    scope: Option<Connections>,
    work: impl AsyncFnOnce() -> Result<R, E>,
) -> Result<R, E>
where
    Transaction: From<SharedTransaction<D>>,
    E: From<FrameworkError>,
{
    let transaction = level.shared.clone().into();
    let ambient = Ambient(Arc::new(Entry { transaction, connections, scope: None, outer: Ambient::current() }));
    let result = ambient.enter(scope, work()).await;
    level.finish(result).await
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests {
    use super::*;
    use crate::transaction::tests::pool;

    #[tokio::test]
    async fn a_transaction_shows_nothing_of_its_connections() {
        let pool = pool().await;
        let scope = TransactionGuard::<sqlx::Sqlite>::begin(pool.clone(), None, std::panic::Location::caller())
            .await
            .expect("it begins");
        let (transaction, connections) = (scope.shared.clone().into(), Connections::new(pool.into()));
        let entry = Entry { transaction, connections, scope: None, outer: None };
        let ambient = Ambient(Arc::new(entry));
        assert_eq!(format!("{ambient:?}"), "Ambient(..)");
    }
}
