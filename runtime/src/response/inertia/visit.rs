//! What a request asks of an Inertia page: its props, and what to do with the rows that the client has.

use crate::request::ActiveRequest;
use crate::url;

/// An Inertia request, parsed from its headers.
#[derive(Debug, Default)]
pub(super) struct Visit {
    /// Whether the front end asks, and not a browser that has no page yet.
    pub(super) inertia: bool,
    /// Path and query as they were received.
    pub(super) url: String,
    partial: Option<Partial>,
    reset: Vec<String>,
    /// Whether rows go before those that the client has.
    pub(super) prepends: bool,
}

/// The props that are asked for of a page that the client shows already.
#[derive(Debug)]
struct Partial {
    /// `None` for all.
    only: Option<Vec<String>>,
    except: Vec<String>,
}

impl Visit {
    /// The active request, as one for `component`. Without one it is a first visit.
    pub(super) fn of(component: &str) -> Self {
        ActiveRequest::current().map_or_else(Self::default, |request| Self::read(&request, component))
    }

    fn read(request: &ActiveRequest, component: &str) -> Self {
        let url = url(request);
        if !is_inertia(request) {
            return Self { url, ..Self::default() };
        }
        let list = |name| request.header(name).map(names).filter(|names| !names.is_empty());
        let partial = (request.header("X-Inertia-Partial-Component") == Some(component)).then(|| Partial {
            only: list("X-Inertia-Partial-Data"),
            except: list("X-Inertia-Partial-Except").unwrap_or_default(),
        });
        Self {
            inertia: true,
            url,
            partial,
            reset: list("X-Inertia-Reset").unwrap_or_default(),
            prepends: request.header("X-Inertia-Infinite-Scroll-Merge-Intent") == Some("prepend"),
        }
    }

    /// Whether a prop is sent: `late` ones only on a partial reload.
    pub(super) fn wants(&self, key: &str, late: bool) -> bool {
        match &self.partial {
            None => !late,
            Some(Partial { only, except }) => {
                only.as_ref().is_none_or(|only| names_it(only, key)) && !except.iter().any(|name| name == key)
            }
        }
    }

    /// Whether the client shows the page already.
    pub(super) fn is_partial(&self) -> bool {
        self.partial.is_some()
    }

    /// Whether the client discards a prop's rows.
    pub(super) fn resets(&self, key: &str) -> bool {
        self.reset.iter().any(|name| name == key)
    }
}

/// The URL to reload, if the client's assets are not those of `version`.
#[cfg(feature = "axum")]
pub(crate) fn location_of_stale(request: &ActiveRequest, version: &str) -> Option<String> {
    let stale = is_inertia(request)
        && request.method() == "GET"
        && request.header("X-Inertia-Version").unwrap_or_default() != version;
    stale.then(|| url(request))
}

/// Path and query as received, except that the path never names another host.
fn url(request: &ActiveRequest) -> String {
    let path = url::local(request.path());
    match request.query() {
        Some(query) => format!("{path}?{query}"),
        None => path.into_owned(),
    }
}

/// Whether it is the front end that asks.
fn is_inertia(request: &ActiveRequest) -> bool {
    request.header("X-Inertia") == Some("true")
}

/// The names in a header.
fn names(list: &str) -> Vec<String> {
    list.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Whether a prop, or something inside it, is among the names.
fn names_it(names: &[String], key: &str) -> bool {
    names.iter().any(|name| name.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}
