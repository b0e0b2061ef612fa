//! The ambient transaction: begun once, found through the task, ended whatever becomes of the work.

mod isolation;
mod open;
mod scope;

use std::any::Any;
use std::future::{Future, poll_fn};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use self::isolation::Isolation;
use self::isolation::Transactional;
pub(crate) use self::isolation::is_fragile;
pub(crate) use self::scope::{Brief, Lock};
use self::scope::{Scope, Shared};
use sea_query::{Expr, Value};

use crate::connection::{Connection, Held, Pool, dispatch};
use crate::driver::Driver;
use crate::error::{FrameworkError, Result};
use crate::keyset::Dialect;
use crate::table::Direction;

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

    /// Conditions and an order as they are written there, and the values in them.
    pub(crate) fn write(&self, conditions: &[Expr], orders: &[(Expr, Direction)]) -> (String, Vec<Value>) {
        fn of<D: Driver>(_: &Shared<D>, conditions: &[Expr], orders: &[(Expr, Direction)]) -> (String, Vec<Value>) {
            D::write(conditions, orders)
        }
        dispatch!(Self, self, shared => of(shared, conditions, orders))
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

    /// Runs a future inside the transaction.
    fn scope<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        let (ambient, polled): (Self, _) = dispatch!(Self, self, shared => {
            let (shared, polled) = shared.handed_on();
            (shared.into(), polled)
        });
        let mut future = Box::pin(AMBIENT.scope(ambient, future));
        poll_fn(move |context| {
            let _polled = Polled::now(&polled);
            future.as_mut().poll(context)
        })
    }
}

/// Notes for as long as it lives that a future is being polled.
struct Polled<'a>(&'a AtomicBool);

impl<'a> Polled<'a> {
    fn now(flag: &'a Arc<AtomicBool>) -> Self {
        flag.store(true, Ordering::Release);
        Self(flag)
    }
}

impl Drop for Polled<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
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

/// A task's transaction, to be handed on to another task.
///
/// A task that is spawned is outside of the transaction, the application and the request of the one that spawned it. Each
/// can be handed on:
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// # use folio::{ActiveRequest, DB, Folio, FrameworkError, Pagination, sea_query::Query};
/// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
/// # Folio::new(pool).scope(async {
/// let late = DB::transaction(async || {
///     sqlx::query("CREATE TABLE notes AS SELECT 1 AS id").execute(&mut *DB::sqlite().await?).await?;
///
///     let (folio, transaction) = (Folio::current()?, DB::current().unwrap());
///     let task = tokio::spawn(async move {
///         let notes = Query::select().column("id").from("notes").take();
///         folio.scope(transaction.scope(Pagination::length_aware::<(i64,)>(notes, 15, 1))).await
///     });
///     assert_eq!(task.await.unwrap()?.total, 1);
///     Ok::<_, FrameworkError>(DB::current().unwrap())
/// })
/// .await?;
///
/// // It does not outlive the transaction.
/// let error = late.scope(DB::sqlite()).await.unwrap_err();
/// assert_eq!(error.to_string(), "the transaction that this task was given has ended");
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Handle(pub(crate) Ambient);

impl Handle {
    /// Runs a future inside the transaction. Statements of several tasks take turns on its one connection.
    ///
    /// Once the transaction has ended, all that is asked of it fails with [`FrameworkError::Internal`].
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{DB, FrameworkError};
    ///
    /// let total = DB::transaction(async || {
    ///     sqlx::query("DELETE FROM posts WHERE id = 1").execute(&mut *DB::sqlite().await?).await?;
    ///     let transaction = DB::current().unwrap();
    ///     Ok::<_, FrameworkError>(transaction.scope(Post::paginate(15)).await?.total)
    /// });
    /// assert_eq!(total.await?, 2);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn scope<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        self.0.scope(future)
    }
}

/// Runs `work` in a new transaction on a pool.
pub(crate) async fn begin<R, E>(
    pool: Pool,
    isolation: Option<Isolation>,
    work: impl AsyncFnOnce() -> Result<R, E>,
) -> Result<R, E>
where
    E: From<FrameworkError>,
{
    dispatch!(Pool, pool, pool => run(Scope::begin(&pool, isolation).await?, work).await)
}

/// Runs `work` in what was begun, and ends that: commit on `Ok`, roll back on `Err`. Dropped, it rolls back.
async fn run<D: Transactional, R, E>(scope: Scope<D>, work: impl AsyncFnOnce() -> Result<R, E>) -> Result<R, E>
where
    Ambient: From<Shared<D>>,
    E: From<FrameworkError>,
{
    let result = Ambient::from(scope.shared.clone()).scope(work()).await;
    match result {
        Ok(value) => scope.commit().await.map(|()| value).map_err(E::from),
        Err(error) => {
            // The work's error says more than one of the way back; what cannot be rolled back here is closed.
            let _ = scope.rollback().await;
            Err(error)
        }
    }
}
