//! What an application puts around the pages of an Inertia front end: the root view, the asset version, shared props.

use std::fmt;
use std::sync::Arc;

use serde_json::value::RawValue;

/// Makes the document of a first visit from the markup that the front end starts from.
pub(crate) type View = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// Makes a prop's value for the request that is being answered.
type Shared = Arc<dyn Fn() -> serde_json::Result<Box<RawValue>> + Send + Sync>;

/// What is set once for all Inertia pages of an application.
#[derive(Clone, Default)]
pub(crate) struct Shell {
    pub(crate) view: Option<View>,
    /// The version of the assets; clients with another version reload.
    pub(crate) version: Option<Arc<str>>,
    pub(crate) shared: Vec<(Arc<str>, Shared)>,
    /// Whether the page object is in an attribute of the element, where older clients look for it.
    pub(crate) in_attribute: bool,
}

impl fmt::Debug for Shell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shared: Vec<&str> = self.shared.iter().map(|(key, _)| &**key).collect();
        f.debug_struct("Shell").field("version", &self.version).field("shared", &shared).finish_non_exhaustive()
    }
}
