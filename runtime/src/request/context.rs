//! What a call takes from its task: the application, and the active request.
//!
//! The request and the application of a scope are task-locals. An installed application belongs to the process. A page
//! reads both where it starts to run, and passes them down from there; a stream does so for each of its pages. So a
//! query can be built outside of the handler that awaits its page.

use std::sync::{Arc, Once};

use super::ActiveRequest;
use crate::app::Folio;
use crate::error::Result;
use crate::pool::Pools;

/// The application and the active request of a call.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    /// `None` if folio is not set up in this task.
    pub(crate) application: Option<Folio>,
    /// Whether the task is in a scope of the application, and not only in a process that has installed it.
    is_scoped: bool,
    pub(crate) request: Option<ActiveRequest>,
}

impl Context {
    /// That of the current task.
    pub(crate) fn current() -> Self {
        let (application, is_scoped) = Folio::of_task().unzip();
        Self { application, is_scoped: is_scoped.unwrap_or(false), request: ActiveRequest::current() }
    }

    /// Without an application and a request.
    pub(crate) fn none() -> Self {
        Self { application: None, is_scoped: false, request: None }
    }

    /// The application.
    ///
    /// # Errors
    /// Same as [`Folio::current`].
    pub(crate) fn folio(&self) -> Result<&Folio> {
        self.application.as_ref().ok_or_else(Folio::not_set_up)
    }

    /// The connections of the scope that the task is in.
    pub(crate) fn scoped_connections(&self) -> Option<&Pools> {
        self.application.as_ref().filter(|_| self.is_scoped).map(|folio| &folio.settings.connections)
    }

    /// The application's settings of a module above this one.
    pub(crate) fn extension<S: Send + Sync + 'static>(&self) -> Option<Arc<S>> {
        self.application.as_ref()?.extension()
    }

    /// The page number under the key `name` of the active request; 1 without one.
    pub(crate) fn page(&self, name: &str) -> u64 {
        self.expected_request().map_or(1, |request| request.page(name))
    }

    /// The active request, for the position of a page. Without one, the page is the first, and the first such page of
    /// the process logs a warning.
    pub(crate) fn expected_request(&self) -> Option<&ActiveRequest> {
        static WARNED: Once = Once::new();
        if self.request.is_none() {
            WARNED.call_once(|| {
                tracing::warn!(
                    target: "folio",
                    "a page has no active request, so it is the first one: in a service, call `.layer(folio.layer())` on the \
                     router, after its routes (`.wrap(folio.middleware())` in actix-web); elsewhere, set the position with \
                     `page` or `cursor`, or read the page in `ActiveRequest::scope`"
                );
            });
        }
        self.request.as_ref()
    }

    /// Notes that the active request, if there is one, may write to the database from now on.
    pub(crate) fn may_write(&self) {
        self.request.iter().for_each(ActiveRequest::may_write);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::ACTIVE;

    #[test]
    fn without_a_request_the_first_page_is_read() {
        let positions = || {
            let context = Context::current();
            let cursor = context.expected_request().and_then(|request| request.cursor("cursor"));
            (context.page("page"), cursor, context.page("other"))
        };
        assert_eq!(positions(), (1, None, 1));
        let inside = ACTIVE.sync_scope(ActiveRequest::new("?page=2&cursor=c"), positions);
        assert_eq!(inside, (2, Some("c".to_owned()), 1));
    }
}
