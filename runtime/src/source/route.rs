//! Chooses the connection that answers a query: a transaction of the task, a pool, the replica, or one that the caller
//! lends.

use std::sync::Arc;
use std::time::Duration;

use folio_plan::dialect::Dialect;

use crate::error::Result;
use crate::pool::{Fallback, Pool, PoolEntry, PoolId, acquire, dispatch};
use crate::request::context::Context;
use crate::source::freshness::Freshness;
use crate::source::{AnyLease, Borrowed, Lease, catalog};
use crate::transaction::{Ambient, Isolation, Transaction};

/// The connection that a query asks for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Route {
    pub(crate) using: Option<Pool>,
    pub(crate) on: Option<String>,
    pub(crate) model: Option<&'static str>,
}

impl Route {
    /// The given pool, or else the named connection, or else the model's. If the task is in a transaction on that pool,
    /// the transaction is used. If none of them is given, a query is read in the ambient transaction, or else from the
    /// replica, or else from the default pool.
    ///
    /// A connection that the caller has lent takes precedence. Without an application, its statements are persistent.
    pub(crate) fn target<'c>(self, context: &Context, lent: Option<Borrowed<'c>>) -> Result<Target<'c>> {
        let settings = context.application.as_ref().map(|folio| &*folio.settings);
        // On a pool that was named, the task's transaction on it comes first.
        let on = |entry: PoolEntry| Ambient::on(&entry.pool).map_or(Choice::Pool(entry), Choice::Transaction);
        let chosen = match (lent, self.using, self.on.as_deref().or(self.model)) {
            (Some(connection), ..) => {
                let dialect = connection.dialect();
                let persistent = settings.is_none_or(|settings| settings.connections.persistent(dialect));
                Choice::Lent { connection, persistent }
            }
            (None, Some(pool), _) => on(pool.into()),
            (None, None, Some(name)) => on(context.folio()?.settings.connections.named(name)?.clone()),
            (None, None, None) => match Ambient::current(context) {
                Some(ambient) => Choice::Transaction(ambient),
                None => {
                    let connections = &context.folio()?.settings.connections;
                    let primary = connections.default.clone();
                    match connections.replica.clone() {
                        Some(replica) => {
                            Choice::Replica { replica, primary, fallback: connections.fallback().cloned() }
                        }
                        None => Choice::Pool(primary),
                    }
                }
            },
        };
        let dialect = match &chosen {
            Choice::Pool(entry) | Choice::Replica { replica: entry, .. } => entry.dialect,
            Choice::Transaction(ambient) => ambient.dialect(),
            Choice::Lent { connection, .. } => connection.dialect(),
        };
        let is_plain = settings.is_some_and(|settings| settings.plain_statements);
        let freshness = match settings.and_then(|settings| settings.read_your_writes) {
            Some(wait) => chosen.freshness(context, wait)?,
            None => None,
        };
        Ok(Target {
            chosen,
            dialect: if is_plain { dialect.plain() } else { dialect },
            limit: settings.and_then(|settings| settings.statement_timeout),
            freshness,
        })
    }
}

/// Where the statements of a call run.
#[derive(Debug)]
pub(crate) struct Target<'c> {
    chosen: Choice<'c>,
    /// The dialect of the statements. Behind a proxy, it is that of [`Folio::plain_statements`](crate::Folio::plain_statements).
    pub(crate) dialect: Dialect,
    /// How long each statement may take on a pool.
    limit: Option<Duration>,
    /// What the page has to see, if the application does not go back in time.
    pub(crate) freshness: Option<Freshness>,
}

/// The connection that a route leads to.
#[derive(Debug)]
enum Choice<'c> {
    Pool(PoolEntry),
    /// On the replica, or on the primary while the replica is unavailable.
    Replica {
        replica: PoolEntry,
        primary: PoolEntry,
        /// When the primary answers because the replica is away; `None` for never.
        fallback: Option<Arc<Fallback>>,
    },
    Transaction(Ambient),
    /// The caller's own. Its pool is not known, so whether its statements are persistent depends on the application's.
    Lent {
        connection: Borrowed<'c>,
        persistent: bool,
    },
}

impl Choice<'_> {
    fn freshness(&self, context: &Context, wait: Duration) -> Result<Option<Freshness>> {
        match self {
            Self::Pool(entry) | Self::Replica { replica: entry, .. } => Freshness::of(context, wait, &entry.id),
            Self::Transaction(ambient) => Freshness::of(context, wait, &ambient.pool_id()),
            Self::Lent { .. } => Ok(None),
        }
    }
}

impl<'c> Target<'c> {
    /// The pool that answers; `None` for a transaction, and for a connection that the caller has lent.
    pub(crate) fn pool(&self) -> Option<&PoolId> {
        match &self.chosen {
            Choice::Pool(entry) | Choice::Replica { replica: entry, .. } => Some(&entry.id),
            Choice::Transaction(_) | Choice::Lent { .. } => None,
        }
    }

    /// One connection for all statements of a call. With `same_rows`, they all see the same rows, unless they run in a
    /// transaction that the caller has begun: see [`Lease::is_snapshot`].
    pub(crate) async fn lease(self, same_rows: bool) -> Result<AnyLease<'c>> {
        let isolation = same_rows.then_some(Isolation::RepeatableRead);
        let limit = self.limit;
        let mut lease = 'lease: {
            let entry = match self.chosen {
                Choice::Pool(entry) => entry,
                Choice::Replica { replica, primary, fallback } => {
                    // The replica may be away, or behind what this page has to see. Then the primary answers.
                    let held =
                        Box::pin(of_replica(&replica, &primary, fallback, self.freshness, isolation, limit)).await?;
                    match held {
                        Some(lease) => break 'lease lease,
                        None => primary,
                    }
                }
                Choice::Transaction(ambient) => {
                    break 'lease dispatch!(Transaction => AnyLease, ambient.transaction(), shared => {
                        Lease::of_transaction(shared.lock().await?, ambient.pool_id())
                    });
                }
                Choice::Lent { connection, persistent } => {
                    break 'lease AnyLease::borrowed(connection, persistent).await?;
                }
            };
            dispatch!(Pool => AnyLease, &entry.pool, pool => {
                Lease::of_pool(acquire(pool).await?, pool, &entry, isolation, limit).await?
            })
        };
        dispatch!(AnyLease, &mut lease, lease => {
            if let Some(list) = lease.watched.list.clone() {
                Box::pin(catalog::advise(lease, &list)).await;
            }
        });
        Ok(lease)
    }
}

/// The replica's connection, unless the primary should answer.
async fn of_replica<'c>(
    replica: &PoolEntry,
    primary: &PoolEntry,
    fallback: Option<Arc<Fallback>>,
    freshness: Option<Freshness>,
    isolation: Option<Isolation>,
    limit: Option<Duration>,
) -> Result<Option<AnyLease<'c>>> {
    let needed = match &freshness {
        Some(freshness) => freshness.needed(primary).await?,
        None => Vec::new(),
    };
    let lease = dispatch!(Pool => AnyLease, &replica.pool, pool => {
        let mut connection = match &fallback {
            Some(fallback) => fallback.acquire(pool).await,
            None => Some(acquire(pool).await?),
        };
        if let (Some(freshness), Some(held)) = (&freshness, connection.take_if(|_| !needed.is_empty())) {
            connection = freshness.reached(held, replica, &needed).await?;
        }
        let Some(connection) = connection else { return Ok(None) };
        Lease::of_pool(connection, pool, replica, isolation, limit).await?
    });
    Ok(Some(lease))
}
