//! Pages and errors as HTTP responses, which each framework's module converts into its own.
//!
//! The protocols implement [`Respond`] for their documents in their own modules.
//!
//! A value is serialized before its response is made, so that one that fails to serialize becomes a 500 instead of half
//! a body with status 200.

use std::error::Error;

use http::header::{CONTENT_TYPE, LINK};
use http::{HeaderValue, Response, StatusCode};
use serde::Serialize;

use super::error_body::{self, ErrorBody};
use crate::error::FrameworkError;
use crate::paginator::{Around, CursorPaginator, LengthAwarePaginator, Paginator};

/// Initial capacity of a body. A small page fits without reallocation.
const BODY_SIZE: usize = 1024;

/// A value that is a response by itself.
pub(crate) trait Respond {
    /// The response. `log` gets the cause of a 5xx.
    fn respond(self, log: Log) -> Response<Vec<u8>>;
}

/// Logs an error with its causes. Each framework has its own target, which `tracing` requires to be a constant.
pub(crate) type Log = fn(&(dyn Error + 'static));

/// Makes types that implement [`Respond`] responses of each framework. Each has its generic parameters in front.
macro_rules! responses {
    ($($types:tt)*) => {
        #[cfg(feature = "actix")]
        $crate::web::actix::responses! { $($types)* }
        #[cfg(feature = "axum")]
        $crate::web::axum::responses! { $($types)* }
    };
}

/// The same for an error whose reference implements [`Respond`]. `$cause` returns the error that has its status.
macro_rules! error_responses {
    ($error:ident, $cause:expr) => {
        #[cfg(feature = "actix")]
        $crate::web::actix::error_responses! { $error, $cause }
        #[cfg(feature = "axum")]
        $crate::web::axum::error_responses! { $error }
    };
}

/// A kind of JSON: its media type, and the body that is sent if a value does not serialize.
pub(super) struct Kind {
    pub(super) media_type: HeaderValue,
    /// It does not tell why: the cause is logged.
    pub(super) failure: &'static str,
}

impl Kind {
    /// A response with a body of this kind.
    fn response(self, status: StatusCode, body: Vec<u8>) -> Response<Vec<u8>> {
        let mut response = Response::new(body);
        *response.status_mut() = status;
        response.headers_mut().insert(CONTENT_TYPE, self.media_type);
        response
    }

    /// The response in place of one that cannot be written.
    pub(super) fn failure(self) -> Response<Vec<u8>> {
        let body = self.failure.into();
        self.response(StatusCode::INTERNAL_SERVER_ERROR, body)
    }
}

/// The JSON of a page, of an error body, or of a handler's own value.
pub(super) const JSON: Kind = Kind {
    media_type: HeaderValue::from_static("application/json"),
    failure: r#"{"message":"Internal Server Error"}"#,
};

/// A page as a response with a `Link` header, made by a paginator's `with_link_header`.
///
/// The body is the page's JSON. If the list has no other pages, there is no header.
///
/// ```
/// # #[derive(Debug, serde::Serialize, sqlx::FromRow, folio::Paginate)]
/// # struct Post { id: i64 }
/// use folio::axum::WithLinkHeader;
/// use folio::{Paginator, Result};
///
/// async fn posts() -> Result<WithLinkHeader<Paginator<Post>>> {
///     Ok(Post::query().with_path("/posts").simple_paginate(15).await?.with_link_header())
/// }
/// # let page = Paginator::new(vec![1], 1, 1, true).with_link_header();
/// # let response = axum::response::IntoResponse::into_response(page);
/// # assert_eq!(response.headers()["link"], r#"<?page=1>; rel="first", <?page=2>; rel="next""#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithLinkHeader<P> {
    /// The page.
    pub page: P,
}

/// Gives each paginator its responses: its JSON with status 200, and the same with a `Link` header. `$arguments` are
/// those of a `new` whose page has a next one, and `$header` is that page's header, for the example.
macro_rules! pages {
    ($($page:ident: $arguments:literal, $header:literal;)*) => {$(
        impl<T> $page<T> {
            /// Converts the page to a response with its JSON and its [`link_header`](Self::link_header).
            ///
            /// ```
            /// use axum::response::IntoResponse;
            ///
            #[doc = concat!("let page = folio::", stringify!($page), "::new(", $arguments, ").with_path(\"/users\");")]
            /// let response = page.with_link_header().into_response();
            #[doc = concat!("assert_eq!(response.headers()[\"link\"], r#\"", $header, "\"#);")]
            /// ```
            pub fn with_link_header(self) -> WithLinkHeader<Self> {
                WithLinkHeader { page: self }
            }
        }

        impl<T: Serialize> Respond for $page<T> {
            fn respond(self, log: Log) -> Response<Vec<u8>> {
                json(StatusCode::OK, JSON, &self, log)
            }
        }

        impl<T: Serialize> Respond for WithLinkHeader<$page<T>> {
            fn respond(self, log: Log) -> Response<Vec<u8>> {
                let link = self.page.link_header();
                with_link(self.page.respond(log), link)
            }
        }

        responses! {
            [T: Serialize] $page<T>;
            [T: Serialize] WithLinkHeader<$page<T>>;
        }
    )*};
}

pages! {
    LengthAwarePaginator: "vec![1, 2], 3, 2, 1",
        r#"</users?page=1>; rel="first", </users?page=2>; rel="next", </users?page=2>; rel="last""#;
    Paginator: "vec![1, 2], 1, 2, true",
        r#"</users?page=1>; rel="first", </users?page=2>; rel="next""#;
    CursorPaginator: "vec![1], 1, Some(\"bmV4dA\".into()), None",
        r#"</users?cursor=bmV4dA>; rel="next""#;
}

impl<T> Around<T> {
    /// Converts to a response with its JSON and the [`link_header`](CursorPaginator::link_header) of its page.
    ///
    /// ```
    /// use axum::response::IntoResponse;
    ///
    /// let page = folio::CursorPaginator::new(vec![1], 1, Some("bmV4dA".into()), None).with_path("/users");
    /// let response = folio::Around { page, index: Some(0) }.with_link_header().into_response();
    /// assert_eq!(response.headers()["link"], r#"</users?cursor=bmV4dA>; rel="next""#);
    /// ```
    pub fn with_link_header(self) -> WithLinkHeader<Self> {
        WithLinkHeader { page: self }
    }
}

impl<T: Serialize> Respond for Around<T> {
    fn respond(self, log: Log) -> Response<Vec<u8>> {
        json(StatusCode::OK, JSON, &self, log)
    }
}

impl<T: Serialize> Respond for WithLinkHeader<Around<T>> {
    fn respond(self, log: Log) -> Response<Vec<u8>> {
        let link = self.page.page.link_header();
        with_link(self.page.respond(log), link)
    }
}

responses! {
    [T: Serialize] Around<T>;
    [T: Serialize] WithLinkHeader<Around<T>>;
}

/// A response with a `Link` header, if there is one.
fn with_link(mut response: Response<Vec<u8>>, link: Option<String>) -> Response<Vec<u8>> {
    // The conversion does not fail, because the header was percent-encoded.
    if let Some(Ok(link)) = link.map(HeaderValue::try_from) {
        response.headers_mut().insert(LINK, link);
    }
    response
}

// Some frameworks lend an error only.
impl Respond for &FrameworkError {
    fn respond(self, log: Log) -> Response<Vec<u8>> {
        json(failed(self, log), JSON, &ErrorBody::from(self), log)
    }
}

error_responses!(FrameworkError, |error| error);

/// Logs an error if it is a 5xx, and returns its status.
pub(super) fn failed(error: &FrameworkError, log: Log) -> StatusCode {
    let status = status(error_body::status(error));
    if status.is_server_error() {
        log(error);
    }
    status
}

/// The status with this number; 500 if there is none.
pub(super) fn status(number: u16) -> StatusCode {
    StatusCode::from_u16(number).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// A response with the JSON of `value` as its body; a 500 if it does not serialize.
pub(super) fn json(status: StatusCode, kind: Kind, value: &impl Serialize, log: Log) -> Response<Vec<u8>> {
    let mut body = Vec::with_capacity(BODY_SIZE);
    match serde_json::to_writer(&mut body, value) {
        Ok(()) => kind.response(status, body),
        Err(error) => {
            log(&error);
            kind.failure()
        }
    }
}
