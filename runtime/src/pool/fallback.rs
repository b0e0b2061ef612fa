//! Reading from the primary while the read replica is unreachable.
//!
//! After a timeout the replica is not tried again for a while, so that not every page waits for it. There is no
//! background task: the next page after that time tries the replica again.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;

use crate::error::FrameworkError;
use crate::pool::acquire;

/// The longest time for which an unreachable replica is not tried again.
const LONGEST_ABSENCE: Duration = Duration::from_secs(30);

/// An unreachable replica is not tried again for this many times the wait. At most a tenth of the time is then spent
/// waiting.
const ABSENCE: u32 = 10;

/// The `tracing` target of the warnings, so that subscribers can filter them.
const TARGET: &str = "folio::fallback";

/// How long a read waits for a connection of the replica, and whether the replica is considered away.
#[derive(Debug)]
pub(crate) struct Fallback {
    wait: Duration,
    /// The time until which the replica is not tried again.
    away: Mutex<Option<Instant>>,
}

impl Fallback {
    pub(crate) const fn new(wait: Duration) -> Self {
        Self { wait, away: Mutex::new(None) }
    }

    /// A connection of the replica; `None` if the primary should answer.
    pub(crate) async fn acquire<D: sqlx::Database>(&self, pool: &sqlx::Pool<D>) -> Option<PoolConnection<D>> {
        if self.away.lock().is_ok_and(|away| away.is_some_and(|until| Instant::now() < until)) {
            return None;
        }
        match tokio::time::timeout(self.wait, acquire(pool)).await {
            Ok(Ok(connection)) => return Some(connection),
            Ok(Err(error)) => self.set_away(Some(&error)),
            Err(_) => self.set_away(None),
        }
        None
    }

    /// Marks the replica as unavailable and logs a warning. `error` is `None` after a timeout.
    fn set_away(&self, error: Option<&FrameworkError>) {
        let absence = self.wait.saturating_mul(ABSENCE).min(LONGEST_ABSENCE);
        if let Ok(mut away) = self.away.lock() {
            *away = Instant::now().checked_add(absence);
        }
        let error = error.map(tracing::field::display);
        tracing::warn!(
            target: TARGET,
            error,
            "the read replica provides no connection within {:?}: reading from the primary for {absence:?}",
            self.wait
        );
    }
}
