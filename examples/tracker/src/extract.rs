//! axum's extractors, with the service's error if they reject a request.

use axum::extract::FromRequestParts;
use serde::{Deserialize, Deserializer, de};

use crate::error::Error;

/// The parameters of the query string.
#[derive(Debug, FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Error))]
pub(crate) struct Query<T>(pub(crate) T);

/// The parameters of the path.
#[derive(Debug, FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(Error))]
pub(crate) struct Path<T>(pub(crate) T);

/// Reads a text parameter. PostgreSQL stores no text with a NUL character, and refuses to compare with one.
pub(crate) fn text<'de, D: Deserializer<'de>>(parameter: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(parameter)?;
    if text.as_ref().is_some_and(|text| text.contains('\0')) {
        return Err(de::Error::custom("a text cannot contain a NUL character"));
    }
    Ok(text)
}
