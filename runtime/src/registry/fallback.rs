//! A read replica that may be unreachable.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;

/// The longest time for which an unreachable replica is not tried again.
const LONGEST_ABSENCE: Duration = Duration::from_secs(30);

/// For how many times the wait an unreachable replica is not tried again, so that at most a tenth of the time is spent
/// waiting.
const ABSENCE: u32 = 10;

/// The target of its warnings, for filters of log events.
const TARGET: &str = "folio::fallback";

/// How long reads wait for a connection of the replica before the primary answers them.
#[derive(Debug)]
pub(crate) struct Fallback {
    wait: Duration,
    /// Until when the replica is not tried again.
    away: Mutex<Option<Instant>>,
}

impl Fallback {
    pub(crate) const fn new(wait: Duration) -> Self {
        Self { wait, away: Mutex::new(None) }
    }

    /// A connection of the replica. `None` if the primary is to answer.
    pub(crate) async fn acquire<D: sqlx::Database>(&self, pool: &sqlx::Pool<D>) -> Option<PoolConnection<D>> {
        if self.is_away() {
            return None;
        }
        let error = match tokio::time::timeout(self.wait, pool.acquire()).await {
            Ok(Ok(connection)) => return Some(connection),
            Ok(Err(error)) => Some(error),
            Err(_) => None,
        };
        let absence = self.wait.saturating_mul(ABSENCE).min(LONGEST_ABSENCE);
        if let Ok(mut away) = self.away.lock() {
            *away = Instant::now().checked_add(absence);
        }
        let error = error.as_ref().map(tracing::field::display);
        tracing::warn!(
            target: TARGET,
            error,
            "the read replica gives no connection within {:?}, so the primary answers for {absence:?}",
            self.wait
        );
        None
    }

    fn is_away(&self) -> bool {
        self.away.lock().is_ok_and(|away| away.is_some_and(|until| Instant::now() < until))
    }
}
