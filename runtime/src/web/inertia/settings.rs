//! The settings of an application for all of its Inertia pages. The methods of [`Folio`] change them.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::value::RawValue;

use crate::app::Folio;
use crate::error::Result;

/// Makes the document of a first visit from the markup on which the front end mounts.
type RootView = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// The JSON of a value, or why it has none.
pub(super) type Json = serde_json::Result<Box<RawValue>>;

/// Computes the value of a prop for the active request.
#[derive(Clone)]
pub(super) enum SharedProp {
    /// When the page is written.
    Now(Arc<dyn Fn() -> Json + Send + Sync>),
    /// When the handler asks for it, because it takes a future.
    Later(Arc<dyn Fn() -> BoxFuture<'static, Result<Json>> + Send + Sync>),
}

/// The document, the version of the assets, the shared props, and the form of lists.
#[derive(Clone, Default)]
pub(super) struct InertiaSettings {
    pub(super) view: Option<RootView>,
    /// Clients with another version of the assets reload.
    pub(super) version: Option<Arc<str>>,
    pub(super) shared: Vec<(Arc<str>, SharedProp)>,
    /// Whether the page object is in an attribute of the element, where older clients look for it.
    pub(super) in_attribute: bool,
    /// The key of the rows in a list that does not name one itself; `None` for bare rows.
    pub(super) wrapper: Option<Arc<str>>,
    /// Whether the client gets the exact value of large integers.
    pub(super) preserves_big_integers: bool,
}

impl InertiaSettings {
    /// Those of the current application; the defaults without one.
    pub(super) fn current() -> Arc<Self> {
        Folio::current().ok().and_then(|folio| folio.extension()).unwrap_or_default()
    }
}
