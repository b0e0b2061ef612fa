//! Reads that do not go back in time, although the replica is behind the primary: see
//! [`Folio::read_your_writes`](crate::Folio::read_your_writes).

use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;

use super::Lease;
use super::lease::Held;
use crate::error::{FrameworkError, Result};
use crate::pool::{Pool, PoolEntry, PoolId, acquire, dispatch};
use crate::request::ActiveRequest;
use crate::request::context::Context;
use crate::transaction::Transactional;

/// What a page has to see if it is read from the replica.
#[derive(Debug)]
pub(crate) struct Freshness {
    /// How long a page waits for the replica.
    pub(super) wait: Duration,
    pub(super) request: Option<ActiveRequest>,
    /// The positions of the servers that the page's cursors were made on.
    pub(crate) seen: Vec<String>,
}

impl Freshness {
    /// What a page on this pool has to see; `None` if it is neither the primary nor the replica of an application that
    /// reads its own writes.
    ///
    /// # Errors
    /// [`FrameworkError::Database`] if the replica is another kind of database.
    pub(super) fn of(context: &Context, wait: Duration, pool: &PoolId) -> Result<Option<Self>> {
        let connections = &context.folio()?.settings.connections;
        let Some(replica) = &connections.replica else { return Ok(None) };
        if ![connections.default.id.address, replica.id.address].contains(&pool.address) {
            return Ok(None);
        }
        if !connections.has_like_replica() {
            return Err(FrameworkError::configuration(
                "`Folio::read_your_writes` needs a replica of the primary, and `__read_replica__` is another kind of database",
            ));
        }
        Ok(Some(Self { wait, request: context.request.clone(), seen: Vec::new() }))
    }

    /// The positions that the replica has to reach. A request that has written needs the primary's current one.
    pub(super) async fn needed(&self, primary: &PoolEntry) -> Result<Vec<String>> {
        let mut needed = self.seen.clone();
        if self.request.as_ref().is_some_and(ActiveRequest::has_written) {
            let position = dispatch!(Pool, &primary.pool, pool => {
                position(&mut Lease::new(Held::Pooled(acquire(pool).await?), Some(primary.id.clone()), true)).await?
            });
            needed.push(position);
        }
        Ok(needed)
    }

    /// The replica's connection, if its server reaches these positions in time.
    pub(super) async fn reached<D: Transactional>(
        &self,
        connection: PoolConnection<D>,
        pool: &PoolEntry,
        needed: &[String],
    ) -> Result<Option<PoolConnection<D>>> {
        let begun = Instant::now();
        let mut lease = Lease::new(Held::Pooled(connection), Some(pool.id.clone()), true);
        for position in needed {
            if !lease.reaches(position, self.wait.saturating_sub(begun.elapsed())).await? {
                tracing::debug!(target: "folio::fallback", position, "the read replica is behind: reading from the primary");
                return Ok(None);
            }
        }
        match lease.held {
            Held::Pooled(connection) => Ok(Some(connection)),
            _ => Ok(None),
        }
    }
}

/// The replication position of a server.
///
/// # Errors
/// [`FrameworkError::Internal`] if it does not tell.
pub(crate) async fn position<D: Transactional>(lease: &mut Lease<'_, D>) -> Result<String> {
    lease.position().await?.ok_or_else(|| {
        FrameworkError::internal(
            "`Folio::read_your_writes` compares the positions of servers, and this one has none: on MySQL, set `gtid_mode = ON`, \
             and on MariaDB, switch the binary log on. SQLite has no positions",
        )
    })
}
