//! What a cursor carries in addition to its boundary.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// What the following pages of a walk need to know, each under its name. Most cursors have none of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extras {
    /// The replication position of the server that the page was read from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The moment at which earlier versions read a table. No page can follow such a cursor.
    #[serde(default, skip_serializing)]
    pub as_of: Option<IgnoredAny>,
}

impl Extras {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
