//! The error type of the crate.
//!
//! There is a single type, because a handler treats all of folio's errors alike: it responds with the status, and logs
//! what is not the client's fault. How an error becomes a response body is defined in [`crate::response`].

/// An error of any of folio's operations, with the HTTP status to respond with.
///
/// | variant | status | cause |
/// |---|---|---|
/// | [`ParamError`](Self::ParamError) | 400 | a request parameter is outside its range |
/// | [`Domain`](Self::Domain) | its own, usually 400 | an invalid cursor or value, or a request without an answer |
/// | [`Internal`](Self::Internal) | 500 | folio is set up or used incorrectly |
/// | [`Database`](Self::Database) | 500 | the database failed |
///
/// If the [`status`](Self::status) is below 500, the text is meant for the client. The text of a 5xx is for the log and
/// can contain SQL and names of tables; do not send it to a client. [`ErrorBody`](crate::ErrorBody) makes this
/// distinction. With the feature `axum` the error implements `IntoResponse`, and with `actix` `ResponseError`; a 5xx
/// is logged through `tracing`.
///
/// A `sqlx::Error` converts into it, so `?` works in [`DB::transaction`](crate::DB::transaction).
///
/// ```
/// use folio::FrameworkError;
///
/// let error = FrameworkError::ParamError { param_name: "per_page".into() };
/// assert_eq!(error.status(), 400);
/// assert_eq!(error.to_string(), "invalid parameter `per_page`");
///
/// let error = FrameworkError::from(sqlx::Error::PoolTimedOut);
/// assert_eq!(error.status(), 500);
/// assert!(matches!(error, FrameworkError::Database(sqlx::Error::PoolTimedOut)));
/// ```
///
/// In an application with its own error type, keep the status and hide the text of a 5xx:
///
/// ```
/// use folio::FrameworkError;
///
/// struct AppError {
///     status: u16,
///     message: String,
/// }
///
/// impl From<FrameworkError> for AppError {
///     fn from(error: FrameworkError) -> Self {
///         let status = error.status();
///         let message = if status < 500 { error.to_string() } else { "Internal Server Error".to_owned() };
///         Self { status, message }
///     }
/// }
///
/// let error = AppError::from(FrameworkError::Internal { message: "no keyring is set".into() });
/// assert_eq!((error.status, error.message.as_str()), (500, "Internal Server Error"));
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
    /// The request cannot be answered, for example because its cursor was altered, or because the database cannot store
    /// a value of its filters. Applications can create it for their own errors.
    #[error("{message}")]
    Domain {
        /// What to tell the client.
        message: String,
        /// The HTTP status to respond with.
        status_code: u16,
    },
    /// folio is set up or used incorrectly, for example without a keyring. The message says what to do. Status 500.
    #[error("{message}")]
    Internal {
        /// What to log.
        message: String,
    },
    /// The database failed or is unreachable, or a connection is not registered. [`source`](std::error::Error::source)
    /// and the text are those of sqlx's error. Status 500.
    #[error(transparent)]
    Database(sqlx::Error),
}

/// A value of a query that the database has no form for, such as a text with a NUL character on PostgreSQL. It is the
/// cause of a [`sqlx::Error::Encode`], and becomes a [`FrameworkError::Domain`] with the status 400: clients choose the
/// values of filters.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Unstorable(pub(crate) String);

/// What every invalid cursor is answered with.
const INVALID_CURSOR: &str = "Invalid pagination cursor";

/// What a cursor that is older than the application's lifetime for cursors is answered with.
const EXPIRED_CURSOR: &str = "Pagination cursor has expired";

/// What PostgreSQL cannot store in a text.
#[cfg(feature = "postgres")]
pub(crate) const NUL: &str = "a text with a NUL character";

/// What SQLite says of a pattern of LIKE with more than 50,000 bytes, which clients may send. Its error code is that of any
/// mistake in SQL.
const LONG_PATTERN: &str = "LIKE or GLOB pattern too complex";

impl From<sqlx::Error> for FrameworkError {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::Encode(cause) if cause.is::<Unstorable>() => Self::bad_request(cause.to_string()),
            sqlx::Error::Database(cause) if cause.message() == LONG_PATTERN => {
                Self::bad_request("the text to look for is too long")
            }
            _ => Self::Database(error),
        }
    }
}

impl FrameworkError {
    /// The HTTP status to respond with.
    ///
    /// ```
    /// use folio::FrameworkError;
    ///
    /// let error = FrameworkError::Internal { message: "no keyring".into() };
    /// assert_eq!(error.status(), 500);
    /// let error = FrameworkError::Domain { message: "this list is closed".into(), status_code: 410 };
    /// assert_eq!(error.status(), 410);
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

    /// A [`Database`](Self::Database) error about the configuration of connections.
    pub(crate) fn configuration(message: impl Into<String>) -> Self {
        let cause: Box<dyn std::error::Error + Send + Sync> = message.into().into();
        Self::Database(sqlx::Error::Configuration(cause))
    }

    /// The error for a request that cannot be answered, with the status 400.
    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::Domain { message: message.into(), status_code: 400 }
    }

    /// The error for a cursor that was sealed too long ago. Only an authentic cursor gets this answer.
    pub(crate) fn expired_cursor() -> Self {
        Self::bad_request(EXPIRED_CURSOR)
    }

    /// The error for every cursor that is not one of this list. It is always the same, so it does not tell an attacker
    /// which part of a forged cursor was wrong.
    pub(crate) fn invalid_cursor() -> Self {
        Self::bad_request(INVALID_CURSOR)
    }

    /// Whether it is the error for a cursor that is not one of this list.
    pub(crate) fn is_invalid_cursor(&self) -> bool {
        matches!(self, Self::Domain { message, status_code: 400 } if message == INVALID_CURSOR)
    }
}

/// A `Result` whose error is [`FrameworkError`] unless another one is named.
///
/// ```
/// use folio::FrameworkError;
///
/// fn page_size(requested: u64) -> folio::Result<u64> {
///     if requested > 100 {
///         return Err(FrameworkError::ParamError { param_name: "per_page".into() });
///     }
///     Ok(requested)
/// }
/// assert_eq!(page_size(50)?, 50);
/// assert_eq!(page_size(500).unwrap_err().status(), 400);
/// # Ok::<(), folio::FrameworkError>(())
/// ```
pub type Result<T, E = FrameworkError> = std::result::Result<T, E>;
