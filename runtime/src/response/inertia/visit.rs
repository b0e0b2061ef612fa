//! What a request asks of an Inertia page: which props, and what the client does with the rows that it has.

use crate::request::ActiveRequest;
use crate::url;

/// The headers of an Inertia request, parsed. The default is a first visit without a URL.
#[derive(Debug, Default)]
pub(super) struct Visit {
    /// Whether the front end sent the request, and not a browser that has no page yet.
    pub(super) is_inertia: bool,
    /// Path and query as received.
    pub(super) url: String,
    /// Whether the client puts new rows before those that it has.
    pub(super) prepends: bool,
    partial: Option<PartialReload>,
    /// The props whose rows the client discards.
    reset: Vec<String>,
}

/// The props that a page which is already shown requests.
#[derive(Debug)]
struct PartialReload {
    /// `None` for all.
    only: Option<Vec<String>>,
    except: Vec<String>,
}

impl PartialReload {
    fn requests(&self, key: &str) -> bool {
        self.only.as_ref().is_none_or(|only| contains(only, key)) && !self.except.iter().any(|name| name == key)
    }
}

impl Visit {
    /// The active request as a visit to a page of `component`; a first visit if there is none.
    pub(super) fn of(component: &str) -> Self {
        ActiveRequest::current().map_or_else(Self::default, |request| Self::read(&request, component))
    }

    fn read(request: &ActiveRequest, component: &str) -> Self {
        let url = url(request);
        if !is_inertia(request) {
            return Self { url, ..Self::default() };
        }
        let list = |name| request.header(name).map(names).filter(|names| !names.is_empty());
        let partial = (request.header("X-Inertia-Partial-Component") == Some(component)).then(|| PartialReload {
            only: list("X-Inertia-Partial-Data"),
            except: list("X-Inertia-Partial-Except").unwrap_or_default(),
        });
        Self {
            is_inertia: true,
            url,
            prepends: request.header("X-Inertia-Infinite-Scroll-Merge-Intent") == Some("prepend"),
            partial,
            reset: list("X-Inertia-Reset").unwrap_or_default(),
        }
    }

    /// Whether to send a prop that belongs to the page.
    pub(super) fn wants(&self, key: &str) -> bool {
        self.partial.as_ref().is_none_or(|partial| partial.requests(key))
    }

    /// Whether to send a prop that only partial reloads get.
    pub(super) fn wants_optional(&self, key: &str) -> bool {
        self.partial.as_ref().is_some_and(|partial| partial.requests(key))
    }

    pub(super) fn is_partial(&self) -> bool {
        self.partial.is_some()
    }

    /// Whether the client discards the rows of a prop.
    pub(super) fn resets(&self, key: &str) -> bool {
        self.reset.iter().any(|name| name == key)
    }
}

/// Path and query as received, except that the path never names another host.
pub(super) fn url(request: &ActiveRequest) -> String {
    let path = url::local(request.path());
    match request.query() {
        Some(query) => format!("{path}?{query}"),
        None => path.into_owned(),
    }
}

/// Whether the front end sent the request.
pub(super) fn is_inertia(request: &ActiveRequest) -> bool {
    request.header("X-Inertia") == Some("true")
}

/// The names in a header.
fn names(list: &str) -> Vec<String> {
    list.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Whether the names include a prop, or something inside it such as `posts.data`.
fn contains(names: &[String], key: &str) -> bool {
    names.iter().any(|name| name.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}
