//! The keys of cursors, and how long a cursor is valid.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::crypt::Keyring;
use crate::error::{FrameworkError, Result};

/// What cursors are sealed and opened with.
#[derive(Debug, Clone)]
pub(crate) struct CursorKeys {
    keyring: Arc<Keyring>,
    lifetime: Option<Duration>,
}

impl CursorKeys {
    /// With a lifetime, cursors contain the time at which they were sealed.
    pub(crate) fn new(keyring: Arc<Keyring>, lifetime: Option<Duration>) -> Self {
        Self { keyring, lifetime }
    }

    pub(super) fn keyring(&self) -> &Keyring {
        &self.keyring
    }

    /// The time to seal into a cursor, in seconds since 1970.
    pub(super) fn sealing_time(&self) -> Option<u64> {
        self.lifetime.map(|_| now())
    }

    /// Rejects a cursor that was sealed too long ago. A cursor without a time was sealed before the lifetime was set.
    pub(super) fn check_age(&self, sealed_at: Option<u64>) -> Result<()> {
        let Some(lifetime) = self.lifetime else { return Ok(()) };
        // The clock of the server that sealed it may be ahead of this server's clock.
        let age = sealed_at.map(|at| Duration::from_secs(now().saturating_sub(at)));
        if age.is_some_and(|age| age <= lifetime) { Ok(()) } else { Err(FrameworkError::expired_cursor()) }
    }
}

/// The current time in seconds since 1970; 0 if the clock is before 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::{CursorKeys, now};
    use crate::crypt::{Key, Keyring};
    use std::sync::Arc;
    use std::time::Duration;

    fn keys(lifetime: Option<Duration>) -> CursorKeys {
        CursorKeys::new(Arc::new(Keyring::new(Key::generate())), lifetime)
    }

    #[test]
    fn a_cursor_expires_after_its_lifetime() {
        let hour = keys(Some(Duration::from_secs(3_600)));
        let now = now();
        let cases = [
            (Some(now), true),
            (Some(now.saturating_sub(3_590)), true),
            (Some(now.saturating_sub(3_605)), false),
            (Some(now.saturating_add(60)), true),
            (Some(0), false),
            (None, false),
        ];
        for (sealed_at, is_valid) in cases {
            assert_eq!(hour.check_age(sealed_at).is_ok(), is_valid, "{sealed_at:?}");
            assert!(keys(None).check_age(sealed_at).is_ok(), "{sealed_at:?}");
        }
        assert!(hour.sealing_time().is_some_and(|time| time >= now));
        assert_eq!(keys(None).sealing_time(), None);
    }
}
