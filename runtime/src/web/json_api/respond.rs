//! Documents and errors as responses.

use http::header::VARY;
use http::{HeaderValue, Response, StatusCode};
use serde::Serialize;

use super::cursor_window::CursorWindow;
use super::{CursorDocument, JsonApi, JsonApiError, JsonResource, Paginated};
use crate::web::respond::{Kind, Log, Respond, failed, json};

/// The document if another one does not serialize.
const FAILURE: &str = r#"{"errors":[{"status":"500","title":"Internal Server Error"}]}"#;

/// A document without a profile.
const JSON_API: Kind = Kind { media_type: HeaderValue::from_static("application/vnd.api+json"), failure: FAILURE };

impl<T: JsonResource, P: Paginated<T>> Respond for JsonApi<T, P> {
    fn respond(self, log: Log) -> Response<Vec<u8>> {
        json(StatusCode::OK, JSON_API, &self, log)
    }
}

impl<T: JsonResource> Respond for CursorDocument<T> {
    fn respond(self, log: Log) -> Response<Vec<u8>> {
        profiled(StatusCode::OK, &self, log)
    }
}

impl Respond for &JsonApiError {
    fn respond(self, log: Log) -> Response<Vec<u8>> {
        let status = failed(self.cause(), log);
        if self.is_profiled() { profiled(status, self, log) } else { json(status, JSON_API, self, log) }
    }
}

responses! {
    [T: JsonResource, P: Paginated<T>] JsonApi<T, P>;
    [T: JsonResource] CursorDocument<T>;
}
error_responses!(JsonApiError, JsonApiError::cause);

/// A response of the cursor pagination profile, which its media type has to name. JSON:API asks for `Vary` from servers
/// with profiles, because a client names those that it wants in `Accept`.
fn profiled(status: StatusCode, document: &impl Serialize, log: Log) -> Response<Vec<u8>> {
    let kind = Kind { media_type: HeaderValue::from_static(CursorWindow::MEDIA_TYPE), failure: FAILURE };
    let mut response = json(status, kind, document, log);
    response.headers_mut().insert(VARY, HeaderValue::from_static("accept"));
    response
}
