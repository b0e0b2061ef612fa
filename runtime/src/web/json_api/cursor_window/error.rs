//! Errors of cursor windows.

use folio_plan::cursor::CursorDirection;

use super::{AFTER, BEFORE, SIZE};
use crate::error::FrameworkError;
use crate::read::WindowError;

/// An error when a [`CursorWindow`](super::CursorWindow) is parsed or read: an invalid request parameter, or any other
/// error.
///
/// `?` converts it into a [`JsonApiError`](crate::json_api::JsonApiError), whose error object has the members that the
/// cursor pagination profile requires. In a handler that does not respond with JSON:API, `?` converts it into a
/// [`FrameworkError`].
///
/// ```
/// use folio::json_api::{CursorWindow, CursorWindowError, JsonApiError};
/// use serde_json::json;
///
/// let error = CursorWindow::resolve("page[size]=200", 20, 100).unwrap_err();
/// assert!(matches!(error, CursorWindowError::MaxSizeExceeded { max: 100 }));
/// assert_eq!(error.to_string(), "`page[size]` is larger than the maximum, 100");
///
/// let document = serde_json::to_value(JsonApiError::from(error))?;
/// assert_eq!(document["errors"][0]["source"], json!({ "parameter": "page[size]" }));
/// assert_eq!(document["errors"][0]["meta"], json!({ "page": { "maxSize": 100 } }));
/// # serde_json::Result::Ok(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CursorWindowError {
    /// `page[size]` is not a positive integer. Status 400.
    #[error("`{}` is a number from 1", SIZE)]
    InvalidSize,
    /// `page[size]` is larger than the maximum. Status 400.
    #[error("`{}` is larger than the maximum, {max}", SIZE)]
    MaxSizeExceeded {
        /// The maximum.
        max: u64,
    },
    /// `page[after]` or `page[before]` is not a cursor of this list. Status 400.
    #[error("{cause}")]
    InvalidCursor {
        /// The parameter's name.
        parameter: &'static str,
        /// Why it was refused.
        cause: FrameworkError,
    },
    /// Any other error of the query, with its own status.
    #[error(transparent)]
    Other(#[from] FrameworkError),
}

impl CursorWindowError {
    /// The parameter of the request that caused the error.
    ///
    /// ```
    /// use folio::json_api::CursorWindow;
    ///
    /// let error = CursorWindow::resolve("page[size]=0", 20, 100).unwrap_err();
    /// assert_eq!(error.parameter(), Some("page[size]"));
    /// ```
    #[must_use]
    pub fn parameter(&self) -> Option<&'static str> {
        match self {
            Self::InvalidSize | Self::MaxSizeExceeded { .. } => Some(SIZE),
            Self::InvalidCursor { parameter, .. } => Some(parameter),
            Self::Other(_) => None,
        }
    }

    /// The HTTP status to respond with.
    ///
    /// ```
    /// use folio::json_api::CursorWindow;
    ///
    /// assert_eq!(CursorWindow::resolve("page[size]=many", 20, 100).unwrap_err().status(), 400);
    /// ```
    #[must_use]
    pub fn status(&self) -> u16 {
        match self {
            Self::InvalidSize | Self::MaxSizeExceeded { .. } => 400,
            Self::InvalidCursor { cause, .. } | Self::Other(cause) => cause.status(),
        }
    }
}

impl From<WindowError> for CursorWindowError {
    fn from(error: WindowError) -> Self {
        match error {
            WindowError::Cursor { direction, cause } if (400..500).contains(&cause.status()) => {
                let parameter = match direction {
                    CursorDirection::Next => AFTER,
                    CursorDirection::Prev => BEFORE,
                };
                Self::InvalidCursor { parameter, cause }
            }
            // It is not the client's fault.
            error => Self::Other(error.into()),
        }
    }
}

impl From<CursorWindowError> for FrameworkError {
    fn from(error: CursorWindowError) -> Self {
        match error {
            CursorWindowError::InvalidSize => Self::invalid_parameter(SIZE, "is a number from 1"),
            CursorWindowError::MaxSizeExceeded { max } => {
                Self::invalid_parameter(SIZE, format!("is larger than the maximum, {max}"))
            }
            CursorWindowError::InvalidCursor { cause, .. } | CursorWindowError::Other(cause) => cause,
        }
    }
}
