//! The Inertia settings of an application, which `Folio` keeps.

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::value::RawValue;

use crate::error::Result;

/// Makes the document of a first visit from the markup on which the front end mounts.
pub(crate) type RootView = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// The JSON of a value, or why it has none.
pub(crate) type Json = serde_json::Result<Box<RawValue>>;

/// Computes the value of a prop for the active request.
#[derive(Clone)]
pub(crate) enum SharedProp {
    /// When the page is written.
    Now(Arc<dyn Fn() -> Json + Send + Sync>),
    /// When the handler asks for it, because it takes a future.
    Later(Arc<dyn Fn() -> BoxFuture<'static, Result<Json>> + Send + Sync>),
}

/// The document, the version of the assets, the shared props, and the form of lists.
#[derive(Clone, Default)]
pub(crate) struct InertiaSettings {
    pub(crate) view: Option<RootView>,
    /// Clients with another version of the assets reload.
    pub(crate) version: Option<Arc<str>>,
    pub(crate) shared: Vec<(Arc<str>, SharedProp)>,
    /// Whether the page object is in an attribute of the element, where older clients look for it.
    pub(crate) in_attribute: bool,
    /// The key of the rows in a list that does not name one itself; `None` for bare rows.
    pub(crate) wrapper: Option<Arc<str>>,
}

impl fmt::Debug for InertiaSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shared: Vec<_> = self.shared.iter().map(|(key, _)| &**key).collect();
        f.debug_struct("InertiaSettings")
            .field("version", &self.version)
            .field("shared", &shared)
            .field("wrapper", &self.wrapper)
            .finish_non_exhaustive()
    }
}
