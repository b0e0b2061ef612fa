//! The Inertia settings of an application, which `Folio` keeps.

use std::fmt;
use std::sync::Arc;

use serde_json::value::RawValue;

/// Makes the document of a first visit from the markup on which the front end mounts.
pub(crate) type RootView = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// Computes the value of a prop for the active request.
pub(crate) type SharedProp = Arc<dyn Fn() -> serde_json::Result<Box<RawValue>> + Send + Sync>;

/// The root view, the version of the assets, and the shared props.
#[derive(Clone, Default)]
pub(crate) struct InertiaSettings {
    pub(crate) view: Option<RootView>,
    /// Clients with another version of the assets reload.
    pub(crate) version: Option<Arc<str>>,
    pub(crate) shared: Vec<(Arc<str>, SharedProp)>,
    /// Whether the page object is in an attribute of the element, where older clients look for it.
    pub(crate) in_attribute: bool,
}

impl fmt::Debug for InertiaSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shared: Vec<&str> = self.shared.iter().map(|(key, _)| &**key).collect();
        f.debug_struct("InertiaSettings")
            .field("version", &self.version)
            .field("shared", &shared)
            .finish_non_exhaustive()
    }
}
