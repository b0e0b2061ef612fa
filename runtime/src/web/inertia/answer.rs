//! The parts of an HTTP response, for frameworks that folio has no feature for.

/// The headers and the body of an Inertia response, whose status is 200.
///
/// Returned by [`InertiaResponse::answer`](super::InertiaResponse::answer), for frameworks without a folio feature:
/// copy the headers and the body into the framework's own response.
///
/// ```
/// use folio::ActiveRequest;
/// use folio::inertia::{Inertia, InertiaAnswer};
///
/// fn respond(answer: InertiaAnswer) -> http::Result<http::Response<String>> {
///     let response = http::Response::builder();
///     let response = answer.headers.iter().fold(response, |response, (name, value)| response.header(*name, *value));
///     response.body(answer.body)
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let request = ActiveRequest::new("/about").with_header("X-Inertia", "true");
/// let response = respond(request.scope(async { Inertia::render("About").answer() }).await?)?;
/// assert_eq!(response.headers()["x-inertia"], "true");
/// assert_eq!(response.body(), r#"{"component":"About","props":{"errors":{}},"url":"/about","version":""}"#);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InertiaAnswer {
    /// The names and values of the headers: `Content-Type`, `Vary`, and `X-Inertia` for the page object.
    pub headers: Vec<(&'static str, &'static str)>,
    /// An HTML document for a first visit, the page object for any other.
    pub body: String,
}

impl InertiaAnswer {
    pub(super) fn page_object(body: String) -> Self {
        let headers = vec![("Content-Type", "application/json"), ("Vary", "X-Inertia"), ("X-Inertia", "true")];
        Self { headers, body }
    }

    pub(super) fn document(body: String) -> Self {
        Self { headers: vec![("Content-Type", "text/html; charset=utf-8"), ("Vary", "X-Inertia")], body }
    }
}
