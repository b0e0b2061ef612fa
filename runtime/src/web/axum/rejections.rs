//! Requests that axum's own extractors reject, as errors of folio.

use axum::extract::path::ErrorKind;
use axum::extract::rejection::{PathRejection, QueryRejection};

use crate::error::FrameworkError;

/// Why a client's value is refused, if the extractor does not say what is allowed.
fn invalid(parameter: &str, why: &str) -> FrameworkError {
    FrameworkError::invalid_parameter(parameter, format!("is not valid: {why}"))
}

/// What a client has to write for a type of Rust.
fn expected(rust_type: &str) -> &'static str {
    match rust_type {
        "i8" | "i16" | "i32" | "i64" | "i128" | "u8" | "u16" | "u32" | "u64" | "u128" => "a whole number",
        "f32" | "f64" => "a number",
        "bool" => "`true` or `false`",
        _ => "a value of its type",
    }
}

impl From<QueryRejection> for FrameworkError {
    /// A parameter that axum's `Query` cannot read is an [`InvalidParameter`](Self::InvalidParameter). If the extractor
    /// does not name it, as for one that is missing, the error is a [`Domain`](Self::Domain), 400, with its text.
    ///
    /// ```
    /// use axum::extract::Query;
    /// use axum::extract::rejection::QueryRejection;
    /// use folio::{ErrorBody, FrameworkError};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Filter {
    ///     author: i64,
    /// }
    ///
    /// // The argument of a handler that returns `folio::Result`.
    /// async fn posts(filter: Result<Query<Filter>, QueryRejection>) -> folio::Result<String> {
    ///     let Query(filter) = filter?;
    ///     Ok(format!("the posts of {}", filter.author))
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let filter = Query::try_from_uri(&"/posts?author=me".parse()?);
    /// let error = posts(filter).await.unwrap_err();
    /// assert_eq!((error.status(), ErrorBody::from(&error).parameter.as_deref()), (400, Some("author")));
    /// # Ok::<(), axum::http::uri::InvalidUri>(()) }).unwrap();
    /// ```
    fn from(rejection: QueryRejection) -> Self {
        let told = rejection.body_text();
        // The text is the extractor's own, then the path to the value, and why it was refused.
        let parts = told.rsplit_once("query string: ").and_then(|(_, cause)| cause.split_once(": "));
        match parts.filter(|(parameter, _)| !parameter.contains(char::is_whitespace)) {
            Some((parameter, why)) => invalid(parameter, why),
            None => Self::bad_request(told),
        }
    }
}

impl From<PathRejection> for FrameworkError {
    /// A part of the path that axum's `Path` cannot read is an [`InvalidParameter`](Self::InvalidParameter). A `Path`
    /// of one value or a tuple does not name its parameters, and the error is a [`Domain`](Self::Domain), 400. A `Path`
    /// that does not fit its route is [`Internal`](Self::Internal).
    ///
    /// ```
    /// use axum::extract::Path;
    /// use axum::extract::rejection::PathRejection;
    ///
    /// // The argument of a handler that returns `folio::Result`.
    /// async fn post(id: Result<Path<i64>, PathRejection>) -> folio::Result<String> {
    ///     let Path(id) = id?;
    ///     Ok(format!("post {id}"))
    /// }
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// assert_eq!(post(Ok(Path(7))).await.unwrap(), "post 7");
    /// # });
    /// ```
    fn from(rejection: PathRejection) -> Self {
        let PathRejection::FailedToDeserializePathParams(rejection) = rejection else {
            return Self::internal(rejection.body_text());
        };
        if rejection.status().is_server_error() {
            return Self::internal(rejection.body_text());
        }
        match rejection.kind() {
            ErrorKind::ParseErrorAtKey { key, expected_type, .. } => {
                Self::invalid_parameter(key, format!("is {}", expected(expected_type)))
            }
            // A single argument does not know its name.
            ErrorKind::ParseError { expected_type, .. } | ErrorKind::ParseErrorAtIndex { expected_type, .. } => {
                Self::bad_request(format!("A part of the path is not {}", expected(expected_type)))
            }
            ErrorKind::DeserializeError { key, message, .. } => invalid(key, message),
            ErrorKind::InvalidUtf8InPathParam { key } => invalid(key, "it is not UTF-8"),
            _ => Self::bad_request(rejection.body_text()),
        }
    }
}
