//! The one error of the crate, with the HTTP status that each case answers with.

/// What can go wrong while a page is made.
///
/// [`status`](Self::status) is the HTTP status to answer with. The text of a status below 500 is meant for the
/// client; that of a 5xx is for the log.
///
/// ```
/// use folio::FrameworkError;
///
/// let error = FrameworkError::ParamError { param_name: "per_page".into() };
/// assert_eq!(error.status(), 400);
/// assert_eq!(error.to_string(), "invalid parameter `per_page`");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FrameworkError {
    /// A parameter is outside its range, such as a `per_page` of 0. Status 400.
    #[error("invalid parameter `{param_name}`")]
    ParamError {
        /// The parameter's name.
        param_name: String,
    },
    /// The request cannot be met as it stands, such as one with an altered cursor.
    #[error("{message}")]
    Domain {
        /// What to tell the client.
        message: String,
        /// The HTTP status to answer with.
        status_code: u16,
    },
    /// The application is at fault, such as one without a keyring. Status 500.
    #[error("{message}")]
    Internal {
        /// What to write into the log.
        message: String,
    },
    /// The database failed, or could not be reached. Status 500.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

impl FrameworkError {
    /// The HTTP status of this error.
    ///
    /// ```
    /// let error = folio::FrameworkError::Internal { message: "no keyring".into() };
    /// assert_eq!(error.status(), 500);
    /// ```
    #[must_use]
    pub fn status(&self) -> u16 {
        match self {
            Self::ParamError { .. } => 400,
            Self::Domain { status_code, .. } => *status_code,
            Self::Internal { .. } | Self::Database(_) => 500,
        }
    }

    /// An [`Internal`](Self::Internal) error.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::Internal { message: message.into() }
    }

    /// A [`Database`](Self::Database) error about how connections were set up or named.
    pub(crate) fn configuration(message: impl Into<String>) -> Self {
        let cause: Box<dyn std::error::Error + Send + Sync> = message.into().into();
        Self::Database(sqlx::Error::Configuration(cause))
    }

    /// The one answer to every cursor that is not exactly one that was given out for this list.
    pub(crate) fn invalid_cursor() -> Self {
        Self::Domain { message: "Invalid pagination cursor".into(), status_code: 400 }
    }
}

/// A result whose error is a [`FrameworkError`].
///
/// ```
/// fn page_size(asked: u64) -> folio::Result<u64> {
///     Ok(asked.clamp(1, 100))
/// }
/// assert_eq!(page_size(500)?, 100);
/// # Ok::<(), folio::FrameworkError>(())
/// ```
pub type Result<T, E = FrameworkError> = std::result::Result<T, E>;
