//! The ambient transaction: begun once, found through the task, ended whatever becomes of the work.
//!
//! A connection that is left inside a transaction poisons its pool. So `BEGIN` and `SAVEPOINT` run in tasks of their
//! own: a caller that goes away half-way does not interrupt them, and what they began is rolled back when it is
//! dropped. Everything else needs no such care, for rolling back is what dropping does.

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sqlx::{Database, Transaction};
use sqlx_core::transaction::TransactionManager as _;
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::connection::{Connection, Held, Pool, dispatch};
use crate::driver::Driver;
use crate::error::{FrameworkError, Result};
use crate::keyset::Dialect;

tokio::task_local! {
    static AMBIENT: Ambient;
}

/// The transaction of the current task, of whichever driver.
#[derive(Debug, Clone)]
pub(crate) enum Ambient {
    #[cfg(feature = "sqlite")]
    Sqlite(Shared<sqlx::Sqlite>),
    #[cfg(feature = "postgres")]
    Postgres(Shared<sqlx::Postgres>),
    #[cfg(feature = "mysql")]
    MySql(Shared<sqlx::MySql>),
}

impl Ambient {
    /// The transaction that this task is in.
    pub(crate) fn current() -> Option<Self> {
        AMBIENT.try_with(Clone::clone).ok()
    }

    pub(crate) fn dialect(&self) -> Dialect {
        fn of<D: Driver>(_: &Shared<D>) -> Dialect {
            D::DIALECT
        }
        dispatch!(Self, self, shared => of(shared))
    }

    /// The transaction, where it is of this driver.
    pub(crate) fn downcast<D: Driver>(&self) -> Option<&Shared<D>> {
        dispatch!(Self, self, shared => (shared as &dyn Any).downcast_ref())
    }

    /// Its connection, when it is free.
    pub(crate) async fn connect(&self) -> Result<Connection> {
        dispatch!(Self, self, shared => Ok(Connection::from(Held::Transaction(shared.lock().await?))))
    }

    /// Runs `work` in this task's transaction as a savepoint of its own.
    pub(crate) async fn nested<R, E>(self, work: impl AsyncFnOnce() -> Result<R, E>) -> Result<R, E>
    where
        E: From<FrameworkError>,
    {
        dispatch!(Self, self, shared => run(shared.nest().await?, work).await)
    }
}

macro_rules! ambient {
    ($($feature:literal $driver:ident),*) => {$(
        #[cfg(feature = $feature)]
        impl From<Shared<sqlx::$driver>> for Ambient {
            fn from(shared: Shared<sqlx::$driver>) -> Self {
                Self::$driver(shared)
            }
        }
    )*};
}
ambient!("sqlite" Sqlite, "postgres" Postgres, "mysql" MySql);

/// Runs `work` in a new transaction on a pool.
pub(crate) async fn begin<R, E>(pool: Pool, work: impl AsyncFnOnce() -> Result<R, E>) -> Result<R, E>
where
    E: From<FrameworkError>,
{
    dispatch!(Pool, pool, pool => run(Scope::begin(&pool).await?, work).await)
}

/// Runs `work` in what was begun, and ends that: commit on `Ok`, roll back on `Err`. Dropped, it rolls back.
async fn run<D: Driver, R, E>(scope: Scope<D>, work: impl AsyncFnOnce() -> Result<R, E>) -> Result<R, E>
where
    Ambient: From<Shared<D>>,
    E: From<FrameworkError>,
{
    let ambient = Ambient::from(scope.shared.clone());
    let result = AMBIENT.scope(ambient, work()).await;
    match result {
        Ok(value) => scope.commit().await.map(|()| value).map_err(E::from),
        Err(error) => {
            // The work's error says more than one of the way back; what is not rolled back here is when it is dropped.
            let _ = scope.rollback().await;
            Err(error)
        }
    }
}

/// A transaction and its turn-taking, as all that is inside it share it.
pub(crate) struct Shared<D: Database> {
    /// `None` once it has ended.
    transaction: Arc<Mutex<Option<Transaction<'static, D>>>>,
    /// Savepoints that were dropped while a statement ran. Whoever has the connection next rolls them back first.
    abandoned: Arc<AtomicUsize>,
    /// Taken by a nested transaction for as long as it runs: savepoints end in the order of a stack.
    nested: Arc<Mutex<()>>,
}

impl<D: Database> Clone for Shared<D> {
    fn clone(&self) -> Self {
        Self { nested: Arc::clone(&self.nested), ..self.inner() }
    }
}

impl<D: Database> fmt::Debug for Shared<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shared(..)")
    }
}

impl<D: Database> Shared<D> {
    fn new(transaction: Transaction<'static, D>) -> Self {
        Self { transaction: Arc::new(Mutex::new(Some(transaction))), abandoned: Arc::default(), nested: Arc::default() }
    }

    /// The same transaction, with turns of its own for what is nested one level further down.
    fn inner(&self) -> Self {
        let (transaction, abandoned) = (Arc::clone(&self.transaction), Arc::clone(&self.abandoned));
        Self { transaction, abandoned, nested: Arc::default() }
    }

    /// The connection, when no other statement runs on it.
    pub(crate) async fn lock(&self) -> Result<Lock<D>> {
        let mut guard = Arc::clone(&self.transaction).lock_owned().await;
        self.settle(&mut guard);
        if guard.is_none() {
            return Err(FrameworkError::internal("the transaction that this task was given has ended"));
        }
        Ok(Lock(guard))
    }

    /// Rolls the abandoned savepoints back.
    fn settle(&self, transaction: &mut Option<Transaction<'static, D>>) {
        if let Some(transaction) = transaction {
            for _ in 0..self.abandoned.swap(0, Ordering::AcqRel) {
                D::TransactionManager::start_rollback(&mut **transaction);
            }
        }
    }

    /// A savepoint, once no sibling has one.
    async fn nest(&self) -> Result<Scope<D>> {
        let turn = Arc::clone(&self.nested).lock_owned().await;
        let shared = self.inner();
        let mut lock = self.lock().await?;
        let begun = uninterrupted(async move {
            D::TransactionManager::begin(&mut lock, None).await?;
            Ok(Begun { lock, kept: false })
        })
        .await?;
        begun.keep();
        Ok(Scope { shared, open: true, turn: Some(turn) })
    }

    /// Ends the transaction, unless that is done: by whoever has the connection, where a statement runs on it.
    fn abandon(&self) {
        match Arc::clone(&self.transaction).try_lock_owned() {
            Ok(mut transaction) => {
                self.settle(&mut transaction);
                drop(transaction.take());
            }
            Err(_) => {
                if let Ok(runtime) = tokio::runtime::Handle::try_current() {
                    let shared = self.clone();
                    runtime.spawn(async move {
                        let mut transaction = shared.transaction.lock().await;
                        shared.settle(&mut transaction);
                        drop(transaction.take());
                    });
                }
            }
        }
    }

    /// Ends the innermost savepoint: at once, or before anything else is done with the connection.
    fn abandon_savepoint(&self) {
        self.abandoned.fetch_add(1, Ordering::AcqRel);
        if let Ok(mut transaction) = Arc::clone(&self.transaction).try_lock_owned() {
            self.settle(&mut transaction);
        }
    }
}

/// A savepoint that has been begun and not been taken over yet. Its connection is given back only when it is known
/// whether it stays, so that no statement gets into it by mistake.
struct Begun<D: Database> {
    lock: Lock<D>,
    kept: bool,
}

impl<D: Database> Begun<D> {
    fn keep(mut self) {
        self.kept = true;
    }
}

impl<D: Database> Drop for Begun<D> {
    fn drop(&mut self) {
        if !self.kept {
            D::TransactionManager::start_rollback(&mut self.lock);
        }
    }
}

/// The connection of a transaction, for one statement or a few.
#[derive(Debug)]
pub struct Lock<D: Database>(OwnedMutexGuard<Option<Transaction<'static, D>>>);

#[expect(clippy::expect_used, reason = "made by `Shared::lock` only, which has looked")]
impl<D: Database> Deref for Lock<D> {
    type Target = D::Connection;

    fn deref(&self) -> &D::Connection {
        self.0.as_ref().expect("a lock is given on an open transaction only")
    }
}

#[expect(clippy::expect_used, reason = "made by `Shared::lock` only, which has looked")]
impl<D: Database> DerefMut for Lock<D> {
    fn deref_mut(&mut self) -> &mut D::Connection {
        self.0.as_mut().expect("a lock is given on an open transaction only")
    }
}

/// A transaction or savepoint that has been begun and is to be ended.
struct Scope<D: Database> {
    shared: Shared<D>,
    open: bool,
    /// A savepoint's turn among its siblings; `None` for the transaction itself.
    turn: Option<OwnedMutexGuard<()>>,
}

impl<D: Database> Scope<D> {
    async fn begin(pool: &sqlx::Pool<D>) -> Result<Self> {
        let connection = pool.acquire().await?;
        let transaction = uninterrupted(async move { Ok(Transaction::begin(connection, None).await?) }).await?;
        Ok(Self { shared: Shared::new(transaction), open: true, turn: None })
    }

    async fn commit(mut self) -> Result<()> {
        if self.turn.is_some() {
            D::TransactionManager::commit(&mut *self.shared.lock().await?).await?;
        } else if let Some(transaction) = self.take().await {
            transaction.commit().await?;
        }
        self.open = false;
        Ok(())
    }

    async fn rollback(mut self) -> Result<()> {
        if self.turn.is_some() {
            D::TransactionManager::rollback(&mut *self.shared.lock().await?).await?;
        } else if let Some(transaction) = self.take().await {
            transaction.rollback().await?;
        }
        self.open = false;
        Ok(())
    }

    /// The transaction, to be ended: nobody gets at its connection any more.
    async fn take(&self) -> Option<Transaction<'static, D>> {
        let mut transaction = self.shared.transaction.lock().await;
        self.shared.settle(&mut transaction);
        transaction.take()
    }
}

/// Rolls back what was neither committed nor rolled back: its work panicked, or its future was dropped.
impl<D: Database> Drop for Scope<D> {
    fn drop(&mut self) {
        match (self.open, &self.turn) {
            (false, _) => {}
            (true, Some(_)) => self.shared.abandon_savepoint(),
            (true, None) => self.shared.abandon(),
        }
    }
}

/// Runs to its end even where the caller goes away meanwhile; what comes of it is then dropped.
async fn uninterrupted<T: Send + 'static>(work: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
    let joined = tokio::spawn(work).await;
    joined.map_err(|error| FrameworkError::internal(format!("a transaction could not be begun: {error}")))?
}
