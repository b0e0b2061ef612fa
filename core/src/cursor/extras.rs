//! What a cursor carries in addition to its boundary.

use serde::{Deserialize, Serialize};

use crate::value::AsOf;

/// What the following pages of a walk need to know, each under its name. Most cursors have none of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extras {
    /// The moment at which the walk reads its table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<AsOf>,
    /// The replication position of the server that the page was read from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
}

impl Extras {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
