//! The parts of HTTP responses, for frameworks that folio has no feature for.

use std::fmt::Write as _;

use super::visit::is_inertia;
use crate::request::ActiveRequest;

/// The status that makes an Inertia client load a URL in place of the page.
const CONFLICT: u16 = 409;

/// The status of a redirect that is followed with `GET`, whatever the method of the request.
const SEE_OTHER: u16 = 303;

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

/// A response that sends the browser to a URL outside of the front end, created by [`Inertia::location`].
///
/// With the feature `axum` it implements `IntoResponse`, and with `actix` `Responder`. For any other framework, copy
/// the status and the headers. It has no body.
///
/// ```
/// use folio::inertia::{Inertia, InertiaLocation};
///
/// fn respond(location: InertiaLocation) -> http::Result<http::Response<()>> {
///     let response = http::Response::builder().status(location.status);
///     location.headers.iter().fold(response, |response, (name, value)| response.header(*name, value)).body(())
/// }
///
/// let response = respond(Inertia::location("https://example.com/pay"))?;
/// assert_eq!(response.status(), 303);
/// assert_eq!(response.headers()["location"], "https://example.com/pay");
/// # http::Result::Ok(())
/// ```
///
/// [`Inertia::location`]: super::Inertia::location
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InertiaLocation {
    /// 409 for a request from the front end, 303 for any other.
    pub status: u16,
    /// The names and values of the headers: `Vary`, and the URL in `X-Inertia-Location` or in `Location`.
    pub headers: Vec<(&'static str, String)>,
}

impl InertiaLocation {
    /// The response to the active request that leads to a URL.
    pub(super) fn to(url: &str) -> Self {
        let is_inertia = ActiveRequest::current().is_some_and(|request| is_inertia(&request));
        let (status, name) = if is_inertia { (CONFLICT, "X-Inertia-Location") } else { (SEE_OTHER, "Location") };
        Self { status, headers: vec![("Vary", "X-Inertia".to_owned()), (name, in_header(url))] }
    }
}

/// A URL as a header's value. Characters that a header cannot contain, such as a line break, are percent-encoded.
fn in_header(url: &str) -> String {
    let mut value = String::with_capacity(url.len());
    for byte in url.bytes() {
        if byte.is_ascii_graphic() {
            value.push(byte.into());
        } else {
            // Writing to a string does not fail.
            let _ = write!(value, "%{byte:02X}");
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_fits_into_a_header() {
        for (url, value) in [
            ("/a?b=c#d", "/a?b=c#d"),
            ("https://example.com/%20", "https://example.com/%20"),
            ("/a b", "/a%20b"),
            ("/a\r\nSet-Cookie: b=c\0", "/a%0D%0ASet-Cookie:%20b=c%00"),
            ("/ü\u{7f}", "/%C3%BC%7F"),
            ("", ""),
        ] {
            let InertiaLocation { status, headers } = InertiaLocation::to(url);
            assert_eq!(
                (status, headers),
                (303, vec![("Vary", "X-Inertia".to_owned()), ("Location", value.to_owned())])
            );
        }
    }
}
