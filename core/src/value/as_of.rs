//! A moment of the past, at which a table is read.

use std::time::{SystemTime, UNIX_EPOCH};

use sea_query::Value;
use serde::{Deserialize, Serialize};

/// The moment at which a table is read, in microseconds since 1970 in UTC: servers have no more digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AsOf(i64);

impl AsOf {
    /// `None` for a moment before 1970, at which no server had a table.
    pub fn new(moment: SystemTime) -> Option<Self> {
        let since_1970 = moment.duration_since(UNIX_EPOCH).ok()?;
        i64::try_from(since_1970.as_micros()).ok().map(Self)
    }

    /// The number as a statement binds it.
    pub fn value(self) -> Value {
        self.0.into()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_moment_has_whole_microseconds_since_1970() {
        for (moment, expected) in [
            (UNIX_EPOCH, Some(AsOf(0))),
            (UNIX_EPOCH + Duration::from_nanos(1_999), Some(AsOf(1))),
            (UNIX_EPOCH + Duration::new(1_700_000_000, 123_456_789), Some(AsOf(1_700_000_000_123_456))),
            (UNIX_EPOCH - Duration::from_nanos(1), None),
        ] {
            assert_eq!(AsOf::new(moment), expected, "{moment:?}");
        }
    }
}
