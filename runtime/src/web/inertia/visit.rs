//! What a request asks of an Inertia page: which props, and what the client does with the rows that it has.
//!
//! | header | meaning |
//! |---|---|
//! | `X-Inertia` | `true`: the front end sent the request and wants JSON |
//! | `X-Inertia-Version` | the version of the assets that the front end runs |
//! | `X-Inertia-Partial-Component` | the component whose page is reloaded in part |
//! | `X-Inertia-Partial-Data` | the props to send |
//! | `X-Inertia-Partial-Except` | the props to leave out |
//! | `X-Inertia-Reset` | the lists whose rows the client discards |
//! | `X-Inertia-Infinite-Scroll-Merge-Intent` | `prepend` or `append`: where the client puts new rows |

use folio_plan::url;

use crate::request::ActiveRequest;

/// The prop that every visit gets. Forms show it, so a partial reload must not lose it.
pub(super) const ERRORS: &str = "errors";

/// The headers of an Inertia request, parsed. The default is a first visit without a URL.
#[derive(Debug, Default)]
pub(super) struct Visit {
    /// Whether the front end sent the request, and not a browser that has no page yet.
    pub(super) is_inertia: bool,
    /// Path and query as received.
    pub(super) url: String,
    /// Whether the client puts new rows before those that it has.
    pub(super) prepends: bool,
    /// The props to send; `None` for a visit to the whole page.
    partial: Option<PartialReload>,
    /// The props whose rows the client discards.
    reset: Vec<String>,
}

/// The props that a page which is already shown requests.
#[derive(Debug)]
struct PartialReload {
    /// The props to send, whole or in part; `None` for all.
    only: Option<Vec<String>>,
    /// The props to leave out.
    except: Vec<String>,
}

impl PartialReload {
    /// Reads the headers of a partial reload; `None` for any other request. If the component is another one, the client
    /// does not have its page yet, and gets all props.
    fn read(request: &ActiveRequest, component: &str) -> Option<Self> {
        let is_partial = request.header("X-Inertia-Partial-Component") == Some(component);
        is_partial.then(|| Self {
            only: list(request, "X-Inertia-Partial-Data"),
            except: list(request, "X-Inertia-Partial-Except").unwrap_or_default(),
        })
    }

    /// Whether the reload asks for a prop: for the prop itself, for something inside it such as `posts.data`, or for
    /// the object that it is in.
    fn requests(&self, key: &str) -> bool {
        let includes = |only: &Vec<String>| only.iter().any(|name| is_inside(name, key) || is_inside(key, name));
        self.only.as_ref().is_none_or(includes) && !self.except.iter().any(|name| is_inside(key, name))
    }
}

impl Visit {
    /// The active request as a visit to a page of `component`; a first visit if there is none.
    pub(super) fn of(component: &str) -> Self {
        ActiveRequest::current().map_or_else(Self::default, |request| Self::read(&request, component))
    }

    /// A request as a visit to a page of `component`.
    fn read(request: &ActiveRequest, component: &str) -> Self {
        let url = url(request);
        if !is_inertia(request) {
            return Self { url, ..Self::default() };
        }
        Self {
            is_inertia: true,
            url,
            prepends: request.header("X-Inertia-Infinite-Scroll-Merge-Intent") == Some("prepend"),
            partial: PartialReload::read(request, component),
            reset: list(request, "X-Inertia-Reset").unwrap_or_default(),
        }
    }

    /// Whether to send a prop that belongs to the page.
    pub(super) fn wants(&self, key: &str) -> bool {
        is_inside(key, ERRORS) || self.partial.as_ref().is_none_or(|partial| partial.requests(key))
    }

    /// Whether to send a prop that only partial reloads get.
    pub(super) fn wants_optional(&self, key: &str) -> bool {
        self.partial.as_ref().is_some_and(|partial| partial.requests(key))
    }

    /// Whether it asks for some props of a page that is already shown.
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

pub(super) fn is_inertia(request: &ActiveRequest) -> bool {
    request.header("X-Inertia") == Some("true")
}

/// The names in a header, separated by commas; `None` without the header, or without a name in it.
fn list(request: &ActiveRequest, header: &str) -> Option<Vec<String>> {
    let names = request.header(header)?.split(',').map(str::trim).filter(|name| !name.is_empty());
    let names: Vec<_> = names.map(str::to_owned).collect();
    (!names.is_empty()).then_some(names)
}

/// Whether a path is another one, or leads further into it: `feed.users` is inside `feed`.
fn is_inside(path: &str, other: &str) -> bool {
    path.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
