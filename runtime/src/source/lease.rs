//! [`Lease`]: a connection of any origin, and the statements that folio runs on it.
//!
//! A [`StatementGuard`] accompanies each statement, except those that find out whether folio has to begin a transaction
//! on the caller's connection, and those that begin and end one. If the future is dropped in the middle of the
//! statement, for example because a client disconnects, it closes the connection if the driver can no longer use it. A
//! transaction has marked the statement before it was sent.
//!
//! | kind | from | after a statement was interrupted |
//! |---|---|---|
//! | `Pooled` | a pool, for one call | closed, if the driver cannot skip the rest of the answer |
//! | `Transaction` | the ambient transaction | the transaction is checked, or rolled back |
//! | `ReadTransaction` | a pool, in a transaction that folio began | closed, or rolled back |
//! | `Borrowed` | the caller | left as it is |
//! | `BorrowedForPage` | the caller, in a transaction that folio began for one page | rolled back |
//! | `SeaOrm` | the caller, by sea-orm | left as it is |

use std::fmt;
use std::time::Duration;

use folio_core::dialect::catalog::TableInfo;
use folio_core::schema::table::Table;
use folio_core::statement::template::BoundSql;
use sqlx::Connection as _;
use sqlx::pool::PoolConnection;

#[cfg(feature = "testing")]
use super::watched::Watched;
#[cfg(feature = "_sea-orm")]
use crate::driver::Connection;
use crate::driver::{self, Driver, Failure, RowOf, Session};
use crate::error::{FrameworkError, OutOfTime, Result};
use crate::observe::Tally;
use crate::pool::PoolId;
use crate::transaction::{
    BorrowedTransaction, ConnectionLock, History, Isolation, REPEAT_READS, ReadTransaction, SAVE_READS, Transactional,
};

/// A connection on which a call runs its statements.
pub(crate) enum Lease<'c, D: sqlx::Database> {
    /// A connection of a pool, outside of transactions, and how long one of its statements may take.
    Pooled(PoolConnection<D>, PoolId, Option<Duration>),
    /// The ambient transaction's connection.
    Transaction(ConnectionLock<D>, PoolId),
    /// A pooled connection, in a transaction that folio began for one call.
    ReadTransaction(ReadTransaction<D>, PoolId),
    Borrowed {
        connection: &'c mut D::Connection,
        /// Whether its statements are persistent. Its pool is not known, so this depends on the application's pools.
        persistent: bool,
    },
    /// The caller's own connection, in a transaction that folio began for one page, because a pooler lends a connection
    /// of the server for one transaction at a time.
    BorrowedForPage(BorrowedTransaction<'c, D>),
    /// A connection or transaction of sea-orm's, which the caller has lent.
    #[cfg(feature = "_sea-orm")]
    SeaOrm(Connection<'c>),
}

impl<D: sqlx::Database> fmt::Debug for Lease<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lease(..)")
    }
}

impl<'c, D: Transactional> Lease<'c, D> {
    /// The caller's own connection. If its statements are not persistent, and it is not in a transaction, folio begins
    /// one: the driver sends such a statement in two messages, and a pooler may pass them to different connections of
    /// the server.
    pub(crate) async fn borrow(connection: &'c mut D::Connection, persistent: bool) -> sqlx::Result<Self> {
        if !persistent && D::begin_on_borrowed(connection).await? {
            return Ok(Self::BorrowedForPage(BorrowedTransaction::begun(connection)));
        }
        Ok(Self::Borrowed { connection, persistent })
    }

    /// Ends the transaction of a page on a borrowed connection.
    pub(crate) async fn end(self) -> sqlx::Result<()> {
        match self {
            Self::BorrowedForPage(transaction) => transaction.commit().await,
            _ => Ok(()),
        }
    }
}

impl<D: Transactional> Lease<'_, D> {
    /// A connection of a pool. It is in a transaction that folio began if there is an isolation level, if the pool's
    /// statements are not persistent, if a read would leave a transaction open, or if only a transaction has a time
    /// limit on this database.
    pub(crate) async fn of_pool(
        connection: PoolConnection<D>,
        pool: &sqlx::Pool<D>,
        persistent: bool,
        isolation: Option<Isolation>,
        limit: Option<Duration>,
    ) -> Result<Self> {
        let mut lease = Self::Pooled(connection, PoolId::of(pool), limit);
        let is_limited_alone = limit.is_none() || D::FACTS.limited.is_some();
        let mut commits_alone = persistent && isolation.is_none() && is_limited_alone;
        if commits_alone {
            let running = StatementGuard::on(&mut lease);
            let commits = match running.lease.session().connection() {
                Some(connection) => D::commits_alone(pool, connection).await,
                None => Ok(true),
            };
            commits_alone = running.ended(commits)?;
        }
        match lease {
            Self::Pooled(connection, id, limit) if !commits_alone => {
                let transaction = Box::pin(ReadTransaction::begin(connection, pool, isolation, limit)).await?;
                Ok(Self::ReadTransaction(transaction, id))
            }
            lease => Ok(lease),
        }
    }
}

impl<D: sqlx::Database> Lease<'_, D> {
    fn session(&mut self) -> Session<'_, D> {
        match self {
            Lease::Pooled(connection, ..) => Session::<D>::Connection(connection),
            Lease::Transaction(lock, _) => Session::<D>::Connection(lock),
            Lease::ReadTransaction(transaction, _) => Session::<D>::Connection(transaction),
            Lease::Borrowed { connection, .. } => Session::<D>::Connection(connection),
            Lease::BorrowedForPage(transaction) => Session::<D>::Connection(transaction),
            #[cfg(feature = "_sea-orm")]
            Lease::SeaOrm(connection) => Session::SeaOrm(*connection),
        }
    }

    /// The pool whose catalog applies. A connection of the caller's may be of any database.
    pub(crate) fn pool(&self) -> Option<&PoolId> {
        match self {
            Lease::Pooled(_, pool, _) | Lease::Transaction(_, pool) | Lease::ReadTransaction(_, pool) => Some(pool),
            Lease::Borrowed { .. } | Lease::BorrowedForPage(_) => None,
            #[cfg(feature = "_sea-orm")]
            Lease::SeaOrm(_) => None,
        }
    }

    /// How long one of its statements may take. In a transaction or on a connection of the caller's, the caller decides.
    fn limit(&self) -> Option<Duration> {
        match self {
            Lease::Pooled(_, _, limit) => *limit,
            Lease::ReadTransaction(transaction, _) => transaction.limit(),
            Lease::Transaction(..) | Lease::Borrowed { .. } | Lease::BorrowedForPage(_) => None,
            #[cfg(feature = "_sea-orm")]
            Lease::SeaOrm(_) => None,
        }
    }

    /// Whether server and driver keep the prepared statement of a select.
    fn persists(&self, select: &BoundSql) -> bool
    where
        D: Driver,
    {
        let keeps_statements = match self {
            // On a pool that does not keep them, each page is read in a transaction.
            Lease::Pooled(..) => true,
            Lease::Transaction(lock, _) => lock.persistent(),
            Lease::ReadTransaction(transaction, _) => transaction.persistent(),
            Lease::Borrowed { persistent, .. } => *persistent,
            Lease::BorrowedForPage(_) => false,
            #[cfg(feature = "_sea-orm")]
            Lease::SeaOrm(_) => true,
        };
        let keeps_old_names = select.selects_star && D::FACTS.keeps_column_names;
        keeps_statements && select.is_worth_persisting() && !keeps_old_names
    }

    pub(crate) fn is_snapshot(&self) -> bool {
        matches!(self, Lease::ReadTransaction(transaction, _) if transaction.is_snapshot())
    }

    /// Runs a select to its end and passes each row to `take` as it arrives. After an error of `take`, or a row more
    /// than the select's limit of `most`, the remaining rows are skipped. If the future is dropped and the driver
    /// cannot use the connection again, the connection is closed.
    pub(crate) async fn fetch(
        &mut self,
        select: BoundSql,
        most: u64,
        mut take: impl FnMut(RowOf<D>) -> sqlx::Result<()> + Send,
    ) -> sqlx::Result<()>
    where
        D: Driver,
    {
        let persistent = self.persists(&select);
        self.run(select, persistent, most, &mut take).await
    }

    /// Same as [`fetch`](Self::fetch). It is not generic, so that it is compiled once.
    async fn run(
        &mut self,
        select: BoundSql,
        persistent: bool,
        most: u64,
        take: &mut (dyn FnMut(RowOf<D>) -> sqlx::Result<()> + Send),
    ) -> sqlx::Result<()>
    where
        D: Driver,
    {
        #[cfg(feature = "testing")]
        if let Some(watched) = Watched::current() {
            let running = StatementGuard::on(self);
            let plan = D::plan(running.lease.session(), &select).await;
            let plan = running.ended(plan)?;
            watched.add(|found| found.plans.push(plan));
        }
        let select = match (self.limit(), D::FACTS.limited) {
            (Some(limit), Some(limited)) => limited(select, limit),
            _ => select,
        };
        let running = StatementGuard::on(self);
        let mut taking = Taking::<D> { take, taken: Ok(()), rows: RowLimit::of(most) };
        let may_be_outdated = persistent && D::DIALECT.facts().refuses_outdated_statements;
        let may_conflict = D::FACTS.retries_reads && matches!(running.lease, Lease::Pooled(..));
        let copy = (may_be_outdated || may_conflict).then(|| select.clone());
        let mut read = running.lease.read(select, persistent, &mut |row| taking.add(row)).await;
        read = match (read, copy) {
            // Outside of a transaction, the statement is all that has to be run again. Rows that it has already
            // returned cannot be taken back.
            (Err(error), Some(select))
                if may_conflict && taking.rows.counted() == 0 && D::classify(&error) == Some(Failure::Conflict) =>
            {
                Tally::add(Tally::retry);
                running.lease.read(select, persistent, &mut |row| taking.add(row)).await
            }
            (Err(error), Some(select)) if D::classify(&error) == Some(Failure::Outdated) => {
                Tally::add(Tally::retry);
                Box::pin(running.lease.prepare_again(select, error, |row| taking.add(row))).await
            }
            (read, _) => read,
        };
        Tally::add(|tally| tally.statement(taking.rows.counted()));
        running.ended(read).and(taking.taken)
    }

    /// Passes on the rows of a select. If the driver has lost it, it runs once more.
    async fn read(
        &mut self,
        select: BoundSql,
        persistent: bool,
        take: &mut (dyn FnMut(RowOf<D>) + Send),
    ) -> sqlx::Result<()>
    where
        D: Driver,
    {
        let copy = (D::FACTS.loses_statements && !persistent).then(|| select.clone());
        // A transaction of a pool that keeps no statements has begun with it.
        if copy.is_some() && matches!(self, Lease::ReadTransaction(transaction, _) if transaction.persistent()) {
            D::execute(self.session(), SAVE_READS).await?;
        }
        match (driver::read::<D>(self.session(), select, persistent, &mut *take).await, copy) {
            (Err(error), Some(select)) if D::classify(&error) == Some(Failure::Lost) => {
                Tally::add(Tally::retry);
                Box::pin(self.read_lost(select, error, take)).await
            }
            (read, _) => read,
        }
    }

    /// Runs a select again that the driver has lost with this error, which has aborted a transaction. Only one of folio's
    /// own can be taken back.
    async fn read_lost(
        &mut self,
        select: BoundSql,
        error: sqlx::Error,
        take: &mut (dyn FnMut(RowOf<D>) + Send),
    ) -> sqlx::Result<()>
    where
        D: Driver,
    {
        let is_usable = match self {
            Lease::Transaction(..) => false,
            Lease::ReadTransaction(..) | Lease::BorrowedForPage(_) => {
                D::execute(self.session(), REPEAT_READS).await.is_ok()
            }
            _ => true,
        };
        if is_usable {
            match driver::read::<D>(self.session(), select, false, take).await {
                // A connection that the caller has lent may be in a transaction, which the first error has aborted.
                Err(again)
                    if again.as_database_error().is_some_and(|again| again.code().as_deref() == Some("25P02")) => {}
                read => return read,
            }
        }
        Err(sqlx::Error::Protocol(format!(
            "the result of a statement has a type that the connection does not know, such as an enum, and sqlx loses a \
             statement without a name when it looks the type up. In a transaction of your own, folio cannot run it again: \
             bind a value of the type once in `after_connect` of the pool, as the chapter `connections` of the guide shows \
             ({})",
            FrameworkError::from(error)
        )))
    }

    /// Runs a select again that failed with this error because a migration changed its columns. In a transaction, which
    /// the failure has aborted, only the next one can run it.
    async fn prepare_again(
        &mut self,
        select: BoundSql,
        error: sqlx::Error,
        take: impl FnMut(RowOf<D>),
    ) -> sqlx::Result<()>
    where
        D: Driver,
    {
        if let Some(connection) = self.session().connection() {
            connection.clear_cached_statements().await?;
        }
        if !matches!(self, Lease::Transaction(..) | Lease::ReadTransaction(..)) {
            match driver::read::<D>(self.session(), select, true, take).await {
                // A connection that the caller has lent may be in a transaction, too.
                Err(_) if self.pool().is_none() => {}
                read => return read,
            }
        }
        Err(sqlx::Error::Protocol(format!(
            "a migration changed the columns of a statement that this connection had prepared, and the database has aborted \
             the transaction: run it again ({})",
            FrameworkError::from(error)
        )))
    }

    /// Runs a select of at most one row to its end, and returns the row.
    pub(crate) async fn fetch_first(&mut self, select: BoundSql) -> sqlx::Result<Option<RowOf<D>>>
    where
        D: Driver,
    {
        let persistent = self.persists(&select);
        self.first(select, persistent).await
    }

    /// Same as [`fetch_first`](Self::fetch_first), for a statement that is rarely sent again or whose columns may
    /// change. It is persistent only if the driver could lose it.
    pub(crate) async fn fetch_once(&mut self, select: BoundSql) -> sqlx::Result<Option<RowOf<D>>>
    where
        D: Driver,
    {
        let persistent = D::FACTS.loses_statements && self.persists(&select);
        self.first(select, persistent).await
    }

    async fn first(&mut self, select: BoundSql, persistent: bool) -> sqlx::Result<Option<RowOf<D>>>
    where
        D: Driver,
    {
        let mut first = None;
        let mut take = |row| {
            first.get_or_insert(row);
            Ok(())
        };
        self.run(select, persistent, 1, &mut take).await?;
        Ok(first)
    }

    /// The database's estimate of a select's rows; `None` if it has none.
    pub(crate) async fn estimate(&mut self, select: BoundSql) -> sqlx::Result<Option<u64>>
    where
        D: Driver,
    {
        let persistent = self.persists(&select);
        let Some(explain) = driver::explain::<D>(select) else { return Ok(None) };
        let running = StatementGuard::on(self);
        let mut plan = Vec::new();
        let read = running.lease.read(explain, persistent, &mut |row| plan.push(row)).await;
        Tally::add(|tally| tally.statement(0));
        running.ended(read.map(|()| D::estimated_rows(&plan)))
    }

    /// What the database's catalog says about a table. If it cannot be read, an open transaction stays usable.
    pub(crate) async fn table_info(&mut self, table: &Table) -> sqlx::Result<TableInfo>
    where
        D: Driver,
    {
        let needs_savepoint = D::DIALECT.facts().errors_abort_transactions && !matches!(self, Lease::Pooled(..));
        let running = StatementGuard::on(self);
        let lease = &mut *running.lease;
        // It fails on a connection of the caller that is not in a transaction, which then needs none.
        let is_set = needs_savepoint && D::execute(lease.session(), "SAVEPOINT folio_catalog").await.is_ok();
        Tally::add(Tally::catalog_lookup);
        let mut info = D::table_info(lease.session(), table).await;
        if is_set {
            let end =
                if info.is_ok() { "RELEASE SAVEPOINT folio_catalog" } else { "ROLLBACK TO SAVEPOINT folio_catalog" };
            let ended = D::execute(lease.session(), end).await;
            info = info.and_then(|info| ended.map(|()| info));
        }
        running.ended(info)
    }

    /// The replication position of its server; `None` if that is not known.
    pub(crate) async fn position(&mut self) -> sqlx::Result<Option<String>>
    where
        D: Driver,
    {
        let running = StatementGuard::on(self);
        let position = match running.lease.session().connection() {
            Some(connection) => D::position(connection).await,
            None => Ok(None),
        };
        Tally::add(|tally| tally.statement(0));
        running.ended(position)
    }

    /// Waits until its server has all changes up to a position, but no longer than this. Returns whether it has them.
    pub(crate) async fn reaches(&mut self, position: &str, wait: Duration) -> sqlx::Result<bool>
    where
        D: Driver,
    {
        let running = StatementGuard::on(self);
        let reached = match running.lease.session().connection() {
            Some(connection) => D::reaches(connection, position, wait).await,
            None => Ok(false),
        };
        Tally::add(|tally| tally.statement(0));
        running.ended(reached)
    }

    /// Rejects a column that cannot be used in a cursor key because of a property that its values do not show, such as
    /// its collation.
    pub(crate) async fn check_column(&mut self, select: &BoundSql, column: &str) -> sqlx::Result<()>
    where
        D: Driver,
    {
        let running = StatementGuard::on(self);
        let checked = D::check_column(running.lease.session(), select, column).await;
        Tally::add(|tally| tally.statement(0));
        running.ended(checked)
    }
}

/// The rows of a statement, on their way to the function that takes them.
struct Taking<'a, D: Driver> {
    take: &'a mut (dyn FnMut(RowOf<D>) -> sqlx::Result<()> + Send),
    taken: sqlx::Result<()>,
    rows: RowLimit,
}

impl<D: Driver> Taking<'_, D> {
    /// Passes on a row, unless an earlier one was an error.
    fn add(&mut self, row: RowOf<D>) {
        if self.taken.is_ok() {
            // A check of the row says more about a row too many, so it comes first.
            self.taken = (self.take)(row).and_then(|()| self.rows.count());
        }
    }
}

/// Counts the rows of a statement down from its limit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowLimit {
    most: u64,
    left: u64,
}

impl RowLimit {
    pub(crate) fn of(most: u64) -> Self {
        Self { most, left: most }
    }

    /// Counts one row. A server returns no row beyond the limit, so the rows of several have been put together.
    pub(crate) fn count(&mut self) -> sqlx::Result<()> {
        let Some(left) = self.left.checked_sub(1) else {
            return Err(driver::inconsistent_error(&format!(
                "a statement with a limit of {} returned more rows",
                self.most
            )));
        };
        self.left = left;
        Ok(())
    }

    fn counted(self) -> u64 {
        self.most.saturating_sub(self.left)
    }
}

/// A statement in progress. If it is dropped before [`ended`](Self::ended), the statement was interrupted.
struct StatementGuard<'a, 'c, D: sqlx::Database> {
    lease: &'a mut Lease<'c, D>,
    /// Whether dropping it now makes the connection unusable.
    fragile: bool,
    /// The transaction's history before the statement, which is restored once the statement has succeeded.
    before: Option<History>,
}

impl<'a, 'c, D: Driver> StatementGuard<'a, 'c, D> {
    fn on(lease: &'a mut Lease<'c, D>) -> Self {
        let before = if let Lease::Transaction(lock, _) = lease { Some(lock.begins()) } else { None };
        Self { lease, fragile: D::FACTS.breaks_on_cancel, before }
    }
}

impl<D: Driver> StatementGuard<'_, '_, D> {
    /// Records that the statement has ended. If it has failed, it may have ended the transaction.
    fn ended<R>(mut self, outcome: sqlx::Result<R>) -> sqlx::Result<R> {
        self.fragile = false;
        let outcome = outcome.map_err(|error| match self.lease.limit() {
            Some(limit) if D::classify(&error) == Some(Failure::OutOfTime) => OutOfTime::error(limit, error),
            _ => error,
        });
        if let (Ok(_), Some(before), Lease::Transaction(lock, _)) = (&outcome, self.before, &mut *self.lease) {
            lock.ended(before);
        }
        outcome
    }
}

impl<D: sqlx::Database> Drop for StatementGuard<'_, '_, D> {
    fn drop(&mut self) {
        match self.lease {
            Lease::Pooled(connection, ..) if self.fragile => connection.close_on_drop(),
            Lease::ReadTransaction(transaction, _) if self.fragile => transaction.break_off(),
            // A transaction knows by the mark. A borrowed connection is unusable, as it would be after one of the
            // caller's own statements.
            _ => {}
        }
    }
}
