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

use folio_plan::dialect::catalog::TableInfo;
use folio_plan::schema::table::Table;
use folio_plan::statement::template::BoundSql;
use sqlx::Connection as _;
use sqlx::pool::PoolConnection;

#[cfg(feature = "_sea-orm")]
use crate::driver::Connection;
use crate::driver::{self, Driver, Failure, RowOf, Session};
use crate::error::{FrameworkError, OutOfTime, Result};
use crate::pool::{PoolEntry, PoolId};
use crate::transaction::{
    BorrowedTransaction, ConnectionLock, History, Isolation, REPEAT_READS, ReadTransaction, SAVE_READS, Transactional,
};
use crate::watch::Watched;

/// A connection on which a call runs its statements, and what does not change while the call has it.
pub(crate) struct Lease<'c, D: sqlx::Database> {
    pub(super) held: Held<'c, D>,
    /// The pool whose catalog applies. A connection of the caller's may be of any database.
    pub(crate) pool: Option<PoolId>,
    /// How long one of its statements may take. In a transaction or on a connection of the caller's, the caller decides.
    limit: Option<Duration>,
    /// Whether the server and the driver keep its prepared statements.
    persistent: bool,
    /// Whether a statement is run again after a conflict. Outside of a transaction, nothing else has to be run again with it.
    is_retried: bool,
    /// Who watches the page.
    pub(crate) watched: Watched,
}

/// The connection of a lease.
pub(super) enum Held<'c, D: sqlx::Database> {
    /// A connection of a pool, outside of transactions.
    Pooled(PoolConnection<D>),
    /// The ambient transaction's connection.
    Transaction(ConnectionLock<D>),
    /// A pooled connection, in a transaction that folio began for one call.
    ReadTransaction(ReadTransaction<D>),
    Borrowed(&'c mut D::Connection),
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

impl<'c, D: sqlx::Database> Lease<'c, D> {
    pub(super) fn new(held: Held<'c, D>, pool: Option<PoolId>, persistent: bool) -> Self {
        Self { held, pool, limit: None, persistent, is_retried: false, watched: Watched::current() }
    }

    pub(super) fn of_transaction(lock: ConnectionLock<D>, pool: PoolId) -> Self {
        let persistent = lock.persistent();
        Self::new(Held::Transaction(lock), Some(pool), persistent)
    }
}

impl<'c, D: Transactional> Lease<'c, D> {
    /// The caller's own connection. If its statements are not persistent, and it is not in a transaction, folio begins
    /// one: the driver sends such a statement in two messages, and a pooler may pass them to different connections of
    /// the server.
    pub(super) async fn borrow(connection: &'c mut D::Connection, persistent: bool) -> sqlx::Result<Self> {
        if !persistent && D::begin_on_borrowed(connection).await? {
            return Ok(Self::new(Held::BorrowedForPage(BorrowedTransaction::begun(connection)), None, false));
        }
        Ok(Self::new(Held::Borrowed(connection), None, persistent))
    }

    /// A connection of a pool. It is in a transaction that folio began if there is an isolation level, if the pool's
    /// statements are not persistent, if a read would leave a transaction open, or if only a transaction has a time
    /// limit on this database.
    pub(crate) async fn of_pool(
        connection: PoolConnection<D>,
        pool: &sqlx::Pool<D>,
        entry: &PoolEntry,
        isolation: Option<Isolation>,
        limit: Option<Duration>,
    ) -> Result<Self> {
        let persistent = entry.persistent;
        let mut lease = Self { limit, ..Self::new(Held::Pooled(connection), Some(entry.id.clone()), persistent) };
        let is_limited_alone = limit.is_none() || D::FACTS.limited.is_some();
        let mut commits_alone = persistent && isolation.is_none() && is_limited_alone;
        if commits_alone && D::FACTS.may_lack_autocommit {
            let running = StatementGuard::on(&mut lease);
            let commits = match &mut running.lease.held {
                Held::Pooled(connection) => D::commits_alone(pool, connection).await,
                _ => Ok(true),
            };
            commits_alone = running.ended(commits)?;
        }
        lease.is_retried = commits_alone && D::FACTS.retries_reads;
        lease.held = match lease.held {
            Held::Pooled(connection) if !commits_alone => {
                Held::ReadTransaction(Box::pin(ReadTransaction::begin(connection, pool, isolation, limit)).await?)
            }
            held => held,
        };
        Ok(lease)
    }
}

impl<D: Driver> Lease<'_, D> {
    fn session(&mut self) -> Session<'_, D> {
        match &mut self.held {
            Held::Pooled(connection) => Session::<D>::Connection(connection),
            Held::Transaction(lock) => Session::<D>::Connection(lock),
            Held::ReadTransaction(transaction) => Session::<D>::Connection(transaction),
            Held::Borrowed(connection) => Session::<D>::Connection(connection),
            Held::BorrowedForPage(transaction) => Session::<D>::Connection(transaction),
            #[cfg(feature = "_sea-orm")]
            Held::SeaOrm(connection) => Session::SeaOrm(*connection),
        }
    }

    pub(crate) fn is_snapshot(&self) -> bool {
        matches!(&self.held, Held::ReadTransaction(transaction) if transaction.is_snapshot())
    }

    /// Runs a select to its end and passes each row to `take` as it arrives. After an error of `take`, or a row more
    /// than the select's limit of `most`, the remaining rows are skipped. If the future is dropped and the driver
    /// cannot use the connection again, the connection is closed.
    pub(crate) async fn fetch(
        &mut self,
        select: BoundSql,
        most: u64,
        mut take: impl FnMut(RowOf<D>) -> sqlx::Result<()> + Send,
    ) -> sqlx::Result<()> {
        self.run(select, true, most, &mut take).await
    }

    /// Runs a select of at most one row to its end, and returns the row.
    pub(crate) async fn fetch_first(&mut self, select: BoundSql) -> sqlx::Result<Option<RowOf<D>>> {
        self.first(select, true).await
    }

    /// Same as [`fetch_first`](Self::fetch_first), for a statement that is rarely sent again or whose columns may
    /// change. It is persistent only if the driver could lose it.
    pub(crate) async fn fetch_once(&mut self, select: BoundSql) -> sqlx::Result<Option<RowOf<D>>> {
        self.first(select, D::FACTS.loses_statements).await
    }

    async fn first(&mut self, select: BoundSql, is_kept: bool) -> sqlx::Result<Option<RowOf<D>>> {
        let mut first = None;
        let mut take = |row| {
            first.get_or_insert(row);
            Ok(())
        };
        self.run(select, is_kept, 1, &mut take).await?;
        Ok(first)
    }

    /// Runs a select to its end. If it `is_kept`, the server and the driver may keep it prepared. Not generic over `take`,
    /// so that it is compiled once.
    async fn run(
        &mut self,
        select: BoundSql,
        is_kept: bool,
        most: u64,
        take: &mut (dyn FnMut(RowOf<D>) -> sqlx::Result<()> + Send),
    ) -> sqlx::Result<()> {
        #[cfg(feature = "testing")]
        if self.watched.found.is_some() {
            let running = StatementGuard::on(self);
            let plan = D::plan(running.lease.session(), &select).await;
            let plan = running.ended(plan)?;
            self.watched.find(|found| found.plans.push(plan));
        }
        let persistent = is_kept && self.persists(&select);
        let select = match (self.limit, D::FACTS.limited) {
            (Some(limit), Some(limited)) => limited(select, limit),
            _ => select,
        };
        let mut rows = CountedRows::<D> { take, taken: Ok(()), limit: RowLimit { most, rows: 0 } };
        let running = StatementGuard::on(self);
        let read = running.lease.read(select, persistent, &mut rows).await;
        running.lease.watched.statement(rows.limit.rows);
        running.ended(read).and(rows.taken)
    }

    /// Whether server and driver keep the prepared statement of a select.
    fn persists(&self, select: &BoundSql) -> bool {
        let keeps_old_names = select.selects_star && D::FACTS.keeps_column_names;
        self.persistent && select.is_worth_persisting && !keeps_old_names
    }

    /// Passes on the rows of a select. If it fails for a reason that may be gone the next time, it is run again.
    async fn read(&mut self, select: BoundSql, persistent: bool, rows: &mut CountedRows<'_, D>) -> sqlx::Result<()> {
        let may_be_outdated = persistent && D::DIALECT.facts().refuses_outdated_statements;
        let may_be_lost = D::FACTS.loses_statements && !persistent;
        let copy = (self.is_retried || may_be_outdated || may_be_lost).then(|| select.clone());
        // A transaction of a pool that keeps no statements has begun with it.
        if may_be_lost && self.persistent && matches!(self.held, Held::ReadTransaction(_)) {
            D::execute(self.session(), SAVE_READS).await?;
        }
        match (driver::read::<D>(self.session(), select, persistent, |row| rows.add(row)).await, copy) {
            (Err(error), Some(select)) => Box::pin(self.read_again(select, persistent, error, rows)).await,
            (read, _) => read,
        }
    }

    /// Runs a select again that failed with this error, if the reason may be gone. If not, the error stays.
    async fn read_again(
        &mut self,
        select: BoundSql,
        persistent: bool,
        error: sqlx::Error,
        rows: &mut CountedRows<'_, D>,
    ) -> sqlx::Result<()> {
        // A statement that was lost has not run yet, so it is still new to the other reasons.
        let read = match !persistent && D::classify(&error) == Some(Failure::Lost) {
            true => self.read_lost(select.clone(), error, rows).await,
            false => Err(error),
        };
        match read {
            // Rows that were passed on cannot be taken back.
            Err(error) if self.is_retried && rows.limit.rows == 0 && D::classify(&error) == Some(Failure::Conflict) => {
                self.watched.retry();
                driver::read::<D>(self.session(), select, persistent, |row| rows.add(row)).await
            }
            Err(error) if D::classify(&error) == Some(Failure::Outdated) => {
                self.prepare_again(select, error, rows).await
            }
            read => read,
        }
    }

    /// Runs a select again that the driver has lost with this error, which has aborted a transaction. Only one of folio's
    /// own can be taken back.
    async fn read_lost(
        &mut self,
        select: BoundSql,
        error: sqlx::Error,
        rows: &mut CountedRows<'_, D>,
    ) -> sqlx::Result<()> {
        self.watched.retry();
        let is_usable = match self.held {
            Held::Transaction(_) => false,
            Held::ReadTransaction(_) | Held::BorrowedForPage(_) => {
                D::execute(self.session(), REPEAT_READS).await.is_ok()
            }
            _ => true,
        };
        if is_usable {
            match driver::read::<D>(self.session(), select, false, |row| rows.add(row)).await {
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
        rows: &mut CountedRows<'_, D>,
    ) -> sqlx::Result<()> {
        self.watched.retry();
        if let Some(connection) = self.session().connection() {
            connection.clear_cached_statements().await?;
        }
        if !matches!(self.held, Held::Transaction(_) | Held::ReadTransaction(_)) {
            match driver::read::<D>(self.session(), select, true, |row| rows.add(row)).await {
                // A connection that the caller has lent may be in a transaction, too.
                Err(_) if self.pool.is_none() => {}
                read => return read,
            }
        }
        Err(sqlx::Error::Protocol(format!(
            "a migration changed the columns of a statement that this connection had prepared, and the database has aborted \
             the transaction: run it again ({})",
            FrameworkError::from(error)
        )))
    }

    /// The database's estimate of a select's rows; `None` if it has none.
    pub(crate) async fn estimate(&mut self, select: BoundSql) -> sqlx::Result<Option<u64>> {
        let persistent = self.persists(&select);
        let Some(explain) = driver::explain::<D>(select) else { return Ok(None) };
        let running = StatementGuard::on(self);
        let mut plan = Vec::new();
        let mut take = |row| {
            plan.push(row);
            Ok(())
        };
        let limit = RowLimit { most: u64::MAX, rows: 0 };
        let mut rows = CountedRows { take: &mut take, taken: Ok(()), limit };
        let read = running.lease.read(explain, persistent, &mut rows).await;
        running.lease.watched.statement(0);
        running.ended(read.map(|()| D::estimated_rows(&plan)))
    }

    /// What the database's catalog says about a table. If it cannot be read, an open transaction stays usable.
    pub(crate) async fn table_info(&mut self, table: &Table) -> sqlx::Result<TableInfo> {
        let needs_savepoint = D::DIALECT.facts().errors_abort_transactions && !matches!(self.held, Held::Pooled(_));
        let running = StatementGuard::on(self);
        let lease = &mut *running.lease;
        // It fails on a connection of the caller that is not in a transaction, which then needs none.
        let is_set = needs_savepoint && D::execute(lease.session(), "SAVEPOINT folio_catalog").await.is_ok();
        lease.watched.catalog_lookup();
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
    pub(crate) async fn position(&mut self) -> sqlx::Result<Option<String>> {
        let running = StatementGuard::on(self);
        let position = match running.lease.session().connection() {
            Some(connection) => D::position(connection).await,
            None => Ok(None),
        };
        running.lease.watched.statement(0);
        running.ended(position)
    }

    /// Waits until its server has all changes up to a position, but no longer than this. Returns whether it has them.
    pub(crate) async fn reaches(&mut self, position: &str, wait: Duration) -> sqlx::Result<bool> {
        let running = StatementGuard::on(self);
        let reached = match running.lease.session().connection() {
            Some(connection) => D::reaches(connection, position, wait).await,
            None => Ok(false),
        };
        running.lease.watched.statement(0);
        running.ended(reached)
    }

    /// Rejects a column that cannot be used in a cursor key because of a property that its values do not show, such as
    /// its collation.
    pub(crate) async fn check_column(&mut self, select: &BoundSql, column: &str) -> sqlx::Result<()> {
        let running = StatementGuard::on(self);
        let checked = D::check_column(running.lease.session(), select, column).await;
        running.lease.watched.statement(0);
        running.ended(checked)
    }
}

/// Passes each row of a statement on, and counts them.
struct CountedRows<'a, D: Driver> {
    take: &'a mut (dyn FnMut(RowOf<D>) -> sqlx::Result<()> + Send),
    taken: sqlx::Result<()>,
    limit: RowLimit,
}

impl<D: Driver> CountedRows<'_, D> {
    /// Passes on a row, unless an earlier one was an error.
    fn add(&mut self, row: RowOf<D>) {
        if self.taken.is_ok() {
            // A check of the row says more about a row too many, so it comes first.
            self.taken = (self.take)(row).and_then(|()| self.limit.count());
        }
    }
}

/// How many rows a statement may return, and has returned.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowLimit {
    pub(crate) most: u64,
    pub(crate) rows: u64,
}

impl RowLimit {
    /// Counts one row. A server returns no row beyond the limit, so the rows of several have been put together.
    pub(crate) fn count(&mut self) -> sqlx::Result<()> {
        if self.rows >= self.most {
            return Err(driver::inconsistent_error(&format!(
                "a statement with a limit of {} returned more rows",
                self.most
            )));
        }
        self.rows = self.rows.saturating_add(1);
        Ok(())
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
        let before = if let Held::Transaction(lock) = &mut lease.held { Some(lock.begins()) } else { None };
        Self { lease, fragile: D::FACTS.breaks_on_cancel, before }
    }
}

impl<D: Driver> StatementGuard<'_, '_, D> {
    /// Records that the statement has ended. If it has failed, it may have ended the transaction.
    fn ended<R>(mut self, outcome: sqlx::Result<R>) -> sqlx::Result<R> {
        self.fragile = false;
        let outcome = outcome.map_err(|error| match self.lease.limit {
            Some(limit) if D::classify(&error) == Some(Failure::OutOfTime) => OutOfTime::error(limit, error),
            _ => error,
        });
        if let (Ok(_), Some(before), Held::Transaction(lock)) = (&outcome, self.before, &mut self.lease.held) {
            lock.ended(before);
        }
        outcome
    }
}

impl<D: sqlx::Database> Drop for StatementGuard<'_, '_, D> {
    fn drop(&mut self) {
        match &mut self.lease.held {
            Held::Pooled(connection) if self.fragile => connection.close_on_drop(),
            Held::ReadTransaction(transaction) if self.fragile => transaction.break_off(),
            // A transaction knows by the mark. A borrowed connection is unusable, as it would be after one of the
            // caller's own statements.
            _ => {}
        }
    }
}
