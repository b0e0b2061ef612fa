//! `json_response!`, for values that do not implement `IntoResponse`.

use axum::body::Body;
use axum::http::StatusCode;
use axum::response::{IntoResponse, IntoResponseParts, Response};
use serde::Serialize;

use super::log;
use crate::web::respond::{JSON, json, status};

/// A status as [`json_response!`](crate::json_response) takes it: a number or a [`StatusCode`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an HTTP status",
    label = "write a number such as `201`, or a `StatusCode`"
)]
pub trait Status {
    #[doc(hidden)]
    fn code(self) -> StatusCode;
}

impl Status for u16 {
    fn code(self) -> StatusCode {
        status(self)
    }
}

impl Status for StatusCode {
    fn code(self) -> StatusCode {
        self
    }
}

/// The function behind [`json_response!`](crate::json_response).
pub fn json_response<T: Serialize>(value: T, status: impl Status, headers: impl IntoResponseParts) -> Response {
    (headers, json(status.code(), JSON, &value, log).map(Body::from)).into_response()
}

/// Creates a JSON response from any serializable value, such as a page or your own struct.
///
/// `json_response!(value)` has status 200. `json_response!(value, status)` takes a number or a `StatusCode`.
/// `json_response!(value, status, headers)` takes headers in any form that implements axum's `IntoResponseParts`. If
/// the value does not serialize, the response is a 500, and the reason is logged through `tracing`.
///
/// It needs the feature `axum`.
///
/// ```
/// use axum::http::StatusCode;
/// use folio::{Paginator, json_response};
///
/// let page = Paginator::new(vec![1, 2], 1, 2, false);
/// assert_eq!(json_response!(page).headers()["content-type"], "application/json");
///
/// let created = json_response!(serde_json::json!({ "id": 7 }), 201, [("location", "/posts/7")]);
/// assert_eq!(created.status(), StatusCode::CREATED);
/// assert_eq!(created.headers()["location"], "/posts/7");
/// ```
#[macro_export]
macro_rules! json_response {
    ($value:expr $(,)?) => {
        $crate::__private::json_response($value, 200, ())
    };
    ($value:expr, $status:expr $(,)?) => {
        $crate::__private::json_response($value, $status, ())
    };
    ($value:expr, $status:expr, $headers:expr $(,)?) => {
        $crate::__private::json_response($value, $status, $headers)
    };
}
