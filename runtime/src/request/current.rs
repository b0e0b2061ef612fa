//! Reads a page's number or cursor, and the path and query of its URLs, from the active request.
//!
//! The request is read by the method that runs a query, not by those that build it, so a query can be built outside of
//! the handler.

use std::sync::Once;

use super::{ACTIVE, ActiveRequest};
use crate::app;
use crate::error::{FrameworkError, Result};
use crate::url::{self, URLS_ONLY};

/// The page number under the key `name` of the active request; 1 without one.
pub(crate) fn current_page(name: &str) -> u64 {
    active(|request| request.page(name)).unwrap_or(1)
}

/// The cursor under the key `name` of the active request.
pub(crate) fn current_cursor(name: &str) -> Option<String> {
    active(|request| request.cursor(name)).flatten()
}

/// The same, for a page that does not need an active request.
pub(crate) fn cursor_if_any(name: &str) -> Option<String> {
    ACTIVE.try_with(|request| request.cursor(name)).ok().flatten()
}

/// Reads the position of a page from the active request. Without one, the page is the first, and the first such page of
/// the process logs a warning.
pub(crate) fn active<R>(read: impl FnOnce(&ActiveRequest) -> R) -> Option<R> {
    static WARNED: Once = Once::new();
    let value = ACTIVE.try_with(read).ok();
    if value.is_none() {
        WARNED.call_once(|| {
            tracing::warn!(
                target: "folio",
                "a page has no active request, so it is the first one: in a service, call `.layer(folio.layer())` on the \
                 router, after its routes (`.wrap(folio.middleware())` in actix-web); elsewhere, set the position with \
                 `page` or `cursor`, or read the page in `ActiveRequest::scope`"
            );
        });
    }
    value
}

/// The path and the query of the active request as the path for page URLs, if the query or the application keeps them.
///
/// The query is marked with [`URLS_ONLY`], so that it is part of the URLs, but not of the JSON's `path`. `own` are the
/// parameters that say which page it is, which the URLs do not keep.
///
/// # Errors
/// [`FrameworkError::Domain`], 400, if they keep more than the application's maximum. A page has up to 17 links, and each
/// repeats what it keeps.
pub(crate) fn page_path(keeps_query_string: bool, own: &[&str]) -> Result<Option<String>> {
    if !keeps_query_string && !app::keeps_query_string() {
        return Ok(None);
    }
    let path_and_query = |request: &ActiveRequest| match request.query() {
        None | Some("") => Ok(request.path().to_owned()),
        Some(query) => {
            check_length(query, own)?;
            Ok(format!("{}?{URLS_ONLY}{query}", request.path()))
        }
    };
    ACTIVE.try_with(path_and_query).ok().transpose()
}

/// Rejects a query string that is too long to be repeated in each link.
fn check_length(query: &str, own: &[&str]) -> Result<()> {
    let most = app::max_query_string();
    if query.len() > most && url::length_without(query, own) > most {
        let message = format!("The query string is too long: links keep at most {most} bytes of it");
        return Err(FrameworkError::bad_request(message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_request_the_first_page_is_read() {
        assert_eq!((current_page("page"), current_cursor("cursor")), (1, None));
        let inside = ACTIVE.sync_scope(ActiveRequest::new("?page=2&cursor=c"), || {
            (current_page("page"), current_cursor("cursor"), current_page("other"))
        });
        assert_eq!(inside, (2, Some("c".to_owned()), 1));
    }
}
