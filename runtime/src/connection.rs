//! Leased connections, and the statements that run on them.

use std::ops::{Deref, DerefMut};

use futures_util::TryStreamExt as _;
use sea_query::SelectStatement;
use sqlx::pool::PoolConnection;

use crate::catalog::TableInfo;
use crate::driver::Driver;
use crate::statement::{LARGEST, Prepared};
use crate::table::Table;
use crate::transaction::{Brief, Lock, Transactional, is_fragile};

/// A leased connection: one of a pool, alone or in a short transaction, or that of the ambient transaction.
#[derive(Debug)]
pub enum Held<D: sqlx::Database> {
    #[doc(hidden)]
    Pooled(PoolConnection<D>),
    #[doc(hidden)]
    Transaction(Lock<D>),
    #[doc(hidden)]
    Brief(Brief<D>),
}

impl<D: sqlx::Database> Deref for Held<D> {
    type Target = D::Connection;

    fn deref(&self) -> &D::Connection {
        match self {
            Self::Pooled(connection) => connection,
            Self::Transaction(lock) => lock,
            Self::Brief(brief) => brief.lock(),
        }
    }
}

impl<D: sqlx::Database> DerefMut for Held<D> {
    fn deref_mut(&mut self) -> &mut D::Connection {
        match self {
            Self::Pooled(connection) => connection,
            Self::Transaction(lock) => lock,
            Self::Brief(brief) => brief.lock_mut(),
        }
    }
}

impl<D: sqlx::Database> Held<D> {
    fn names_statements(&self) -> bool {
        match self {
            Self::Pooled(_) => true,
            Self::Transaction(lock) => lock.names_statements(),
            Self::Brief(brief) => brief.lock().names_statements(),
        }
    }

    /// Whether a read on it leaves no transaction open.
    pub(crate) async fn commits_alone(&mut self, pool: &sqlx::Pool<D>) -> sqlx::Result<bool>
    where
        D: Transactional,
    {
        let running = Running::on(self);
        let commits = D::commits_alone(pool, &mut *running.held).await;
        running.ended(commits)
    }

    /// Whether a statement gets a name, under which the server and the driver keep it. A large one is hardly ever sent again.
    fn names(&self, select: &Prepared) -> bool {
        self.names_statements() && select.sql.len() <= LARGEST
    }

    /// Whether all statements see the rows as they were when the first of them ran.
    pub(crate) fn is_snapshot(&self) -> bool {
        matches!(self, Self::Brief(brief) if brief.is_snapshot())
    }

    /// Runs a select to its end, and gives each row to `take` as it comes, while the database goes on with the next. After
    /// an error of `take` no more are given. A connection on which it is cut short is not used again, where the driver
    /// cannot.
    pub(crate) async fn fetch(
        &mut self,
        select: Prepared,
        mut take: impl FnMut(D::Row) -> sqlx::Result<()>,
    ) -> sqlx::Result<()>
    where
        D: Driver,
    {
        let named = self.names(&select);
        let running = Running::on(self);
        let mut taken = Ok(());
        let fetched = async {
            let mut rows = D::fetch(&mut *running.held, select, named)?;
            while let Some(row) = rows.try_next().await? {
                if taken.is_ok() {
                    taken = take(row);
                }
            }
            Ok(())
        };
        let fetched = fetched.await;
        running.ended(fetched).and(taken)
    }

    /// The first row of a select.
    pub(crate) async fn fetch_first(&mut self, select: Prepared) -> sqlx::Result<Option<D::Row>>
    where
        D: Driver,
    {
        let mut first = None;
        self.fetch(select, |row| {
            first.get_or_insert(row);
            Ok(())
        })
        .await?;
        Ok(first)
    }

    /// How many rows the database reckons a select to have; `None` where it has to count.
    pub(crate) async fn estimate(&mut self, select: Prepared) -> sqlx::Result<Option<u64>>
    where
        D: Driver,
    {
        let named = self.names(&select);
        let running = Running::on(self);
        let estimate = D::estimate(&mut *running.held, select, named).await;
        running.ended(estimate)
    }

    /// What the database's catalog says about a table.
    pub(crate) async fn table_info(&mut self, table: &Table) -> sqlx::Result<TableInfo>
    where
        D: Driver,
    {
        let running = Running::on(self);
        let info = D::table_info(&mut *running.held, table).await;
        running.ended(info)
    }

    /// Refuses a column that a walk cannot go by, where the rows will not tell.
    pub(crate) async fn check_column(&mut self, select: &SelectStatement, column: &str) -> sqlx::Result<()>
    where
        D: Driver,
    {
        let running = Running::on(self);
        let checked = D::check_column(&mut *running.held, select, column).await;
        running.ended(checked)
    }
}

/// A statement that has not ended yet.
struct Running<'a, D: sqlx::Database> {
    held: &'a mut Held<D>,
    /// Whether dropping it now makes the connection unusable.
    fragile: bool,
    ended: bool,
}

impl<'a, D: Driver> Running<'a, D> {
    fn on(held: &'a mut Held<D>) -> Self {
        Self { held, fragile: is_fragile(D::DIALECT), ended: false }
    }
}

impl<D: sqlx::Database> Running<'_, D> {
    /// Marks the statement as finished.
    fn ended<R>(mut self, outcome: sqlx::Result<R>) -> sqlx::Result<R> {
        self.ended = true;
        if let (Err(_), Held::Transaction(lock)) = (&outcome, &mut *self.held) {
            lock.failed();
        }
        outcome
    }
}

impl<D: sqlx::Database> Drop for Running<'_, D> {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        match &mut *self.held {
            Held::Pooled(connection) if self.fragile => connection.close_on_drop(),
            Held::Pooled(_) => {}
            Held::Transaction(lock) => lock.cut_short(),
            Held::Brief(brief) => brief.lock_mut().cut_short(),
        }
    }
}

/// A held connection of any driver.
#[derive(Debug)]
pub(crate) enum Connection {
    #[cfg(feature = "sqlite")]
    Sqlite(Held<sqlx::Sqlite>),
    #[cfg(feature = "postgres")]
    Postgres(Held<sqlx::Postgres>),
    #[cfg(feature = "mysql")]
    MySql(Held<sqlx::MySql>),
}

macro_rules! held {
    ($($feature:literal $driver:ident),*) => {$(
        #[cfg(feature = $feature)]
        impl From<Held<sqlx::$driver>> for Connection {
            fn from(held: Held<sqlx::$driver>) -> Self {
                Self::$driver(held)
            }
        }
    )*};
}
held!("sqlite" Sqlite, "postgres" Postgres, "mysql" MySql);
