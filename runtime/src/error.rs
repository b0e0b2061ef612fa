//! The error type of the crate.
//!
//! There is a single type, because handlers treat all of folio's errors alike: they respond with the status, and log
//! errors that are not the client's fault. How an error becomes a response body is defined in [`crate::web`].

mod refused;

use std::borrow::Cow;
use std::error::Error;
use std::time::Duration;
use std::{fmt, io};

use folio_plan::error::Misuse;
use sqlx::error::{DatabaseError, ErrorKind};

pub(crate) use self::refused::{Refused, refused};

/// The error type of folio, with the HTTP status to respond with.
///
/// | variant | status | cause |
/// |---|---|---|
/// | [`InvalidParameter`](Self::InvalidParameter) | 400 | a parameter of the request has a value that is not allowed |
/// | [`ParamError`](Self::ParamError) | 400 | `per_page` is 0 |
/// | [`Domain`](Self::Domain) | its own; in folio's errors 400, and 404 for a row by its id | an invalid cursor or value, or a row that a list does not have |
/// | [`TimedOut`](Self::TimedOut) | 503 | a statement took longer than [`Folio::statement_timeout`](crate::Folio::statement_timeout) |
/// | [`Internal`](Self::Internal) | 500 | folio is set up or used incorrectly, or the system provides no random bytes |
/// | [`Database`](Self::Database) | 500 | the database failed, a connection is not registered, or a column cannot be read or paged by |
///
/// If the [`status`](Self::status) is below 500, the text is meant for the client, and so is that of `TimedOut`. The
/// text of any other 5xx is meant for the log: it can contain SQL and table names, so do not send it to a client.
/// [`ErrorBody`](crate::ErrorBody) makes this distinction. With the feature `axum` the error implements `IntoResponse`, and with `actix` `ResponseError`; both log
/// a 5xx through `tracing`, and write the first one of a process without a `tracing` subscriber to stderr.
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
///
/// Its `Debug` is its text, because a `main` that returns the error prints it so:
///
/// ```
/// use folio::Key;
///
/// let error = Key::from_base64("c2hvcnQ=").unwrap_err();
/// assert_eq!(format!("{error:?}"), error.to_string());
/// ```
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum FrameworkError {
    /// A parameter is out of range, and nothing more is known about it: a query was called with a `per_page` of 0.
    /// Status 400.
    #[error("invalid parameter `{param_name}`")]
    ParamError {
        /// The parameter's name.
        param_name: String,
    },
    /// A parameter of the request has a value that is not allowed, such as an unknown sort. Status 400. The message
    /// says what is allowed, and [`ErrorBody`](crate::ErrorBody), JSON:API's error objects and GraphQL's extensions
    /// name the parameter and the values for programs. Applications can create this variant for parameters of their
    /// own.
    ///
    /// ```
    /// use folio::{ErrorBody, FrameworkError};
    ///
    /// let error = FrameworkError::InvalidParameter {
    ///     parameter: "state".into(),
    ///     rule: "is `open` or `closed`".into(),
    ///     allowed: vec!["open".into(), "closed".into()],
    /// };
    /// assert_eq!((error.status(), error.to_string().as_str()), (400, "`state` is `open` or `closed`"));
    /// let body = serde_json::json!({
    ///     "message": "`state` is `open` or `closed`",
    ///     "parameter": "state",
    ///     "allowed": ["open", "closed"],
    /// });
    /// assert_eq!(serde_json::to_value(ErrorBody::from(&error))?, body);
    /// # serde_json::Result::Ok(())
    /// ```
    #[error("`{parameter}` {rule}")]
    InvalidParameter {
        /// The parameter's name.
        parameter: String,
        /// The rest of the message, after the name: what is allowed, such as `is a number from 1 to 100`.
        rule: String,
        /// The allowed values, if they can be listed; otherwise empty.
        allowed: Vec<String>,
    },
    /// The request cannot be answered, for example because its cursor is invalid, or because the database cannot store
    /// a value of a filter, or refuses one of the request's filters. Applications can create this variant for their own errors.
    #[error("{message}")]
    Domain {
        /// The message for the client.
        message: String,
        /// The HTTP status to respond with.
        status_code: u16,
    },
    /// A statement of a page took longer than [`Folio::statement_timeout`](crate::Folio::statement_timeout) allows, and
    /// the database has ended it. The text is meant for clients; the [`source`](std::error::Error::source) is the
    /// database's error. Status 503.
    #[error(
        "reading this list took longer than {limit:?}, which is the limit: narrow the filter, or ask for fewer rows or a \
         page nearer to the beginning"
    )]
    TimedOut {
        /// The limit.
        limit: Duration,
        /// The database's error.
        #[source]
        cause: sqlx::Error,
    },
    /// folio is set up or used incorrectly, for example without a keyring. The message says what to do. Status 500.
    #[error("{message}")]
    Internal {
        /// The message for the log.
        message: String,
    },
    /// The database failed or is unreachable, a connection is not registered, or a column cannot be read or used in a
    /// cursor key. The text and the [`source`](std::error::Error::source) are those of the sqlx error. If the database
    /// refused a statement of folio's, the text also names the row type and the table, and for a table or column that
    /// does not exist, the attribute that names another one. In a `sqlx::Error::ColumnNotFound`, which holds nothing
    /// but a text, this follows the column's name in parentheses. Status 500.
    #[error(transparent)]
    Database(sqlx::Error),
}

impl fmt::Debug for FrameworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why folio refuses what a client has sent. It becomes a [`FrameworkError::Domain`] with the status 400.
///
/// The messages are for clients, which need not know which database there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    /// A cursor that does not belong to the list. The message is always the same, so it does not tell an attacker which
    /// part of a forged cursor was wrong.
    #[error("Invalid pagination cursor")]
    InvalidCursor,
    /// An authentic cursor that is older than the application's cursor lifetime.
    #[error("Pagination cursor has expired")]
    ExpiredCursor,
    /// A sealed value that is not a cursor, and does not open.
    #[error("Invalid sealed value")]
    InvalidSealedValue,
    /// A value that the column of a cursor key refuses, such as one that an enum does not have.
    #[error("The list cannot begin at this value")]
    InvalidStart,
    /// A value of a query that the database cannot store, such as a text with a NUL character on PostgreSQL. Clients
    /// choose the values of filters. Where values are bound, this is the cause of a [`sqlx::Error::Encode`].
    #[error("the database cannot store {0}")]
    Unstorable(&'static str),
    #[error("the search text is too long")]
    LongPattern,
    #[error("a text has a character that is not in the character set of its column")]
    ForeignCharacter,
}

impl Refusal {
    /// The refusal behind an error of the driver or the database, if there is one.
    fn behind(error: &sqlx::Error) -> Option<Self> {
        match error {
            sqlx::Error::Encode(cause) => cause.downcast_ref().copied(),
            sqlx::Error::Database(cause) if cause.message() == LONG_PATTERN => Some(Self::LongPattern),
            error => (refused(error) == Some(Refused::Character)).then_some(Self::ForeignCharacter),
        }
    }
}

/// A statement that the database has ended, because it took longer than the application's limit. sqlx has no error for
/// it, so it passes through sqlx's functions as the cause of an I/O error.
#[derive(Debug, thiserror::Error)]
#[error("a statement took longer than {limit:?}: {cause}")]
pub(crate) struct OutOfTime {
    limit: Duration,
    cause: sqlx::Error,
}

impl OutOfTime {
    pub(crate) fn error(limit: Duration, cause: sqlx::Error) -> sqlx::Error {
        sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, Self { limit, cause }))
    }

    /// The one behind an error of the driver; any other error is returned.
    fn behind(error: sqlx::Error) -> Result<Self, sqlx::Error> {
        match error {
            sqlx::Error::Io(error) => error.downcast().map_err(sqlx::Error::Io),
            error => Err(error),
        }
    }
}

impl From<Misuse> for FrameworkError {
    fn from(misuse: Misuse) -> Self {
        Self::internal(misuse.to_string())
    }
}

impl From<Refusal> for FrameworkError {
    fn from(refusal: Refusal) -> Self {
        Self::bad_request(refusal.to_string())
    }
}

/// A kind of text that PostgreSQL cannot store, for error messages.
#[cfg(feature = "postgres")]
pub(crate) const NUL: &str = "a text with a NUL character";

/// SQLite's error for a LIKE pattern of more than 50,000 bytes, which clients may send. Its error code is the same as
/// for any SQL error.
const LONG_PATTERN: &str = "LIKE or GLOB pattern too complex";

/// Whether the database cannot tell a caller's column from one of folio's, because both have the same name.
fn is_namesake(error: &dyn DatabaseError) -> bool {
    let message = error.message().to_lowercase();
    let is_of_folio = message.contains("folio_key_") || message.contains("folio_total");
    is_of_folio && (message.contains("ambiguous") || message.contains("duplicate column"))
}

impl From<sqlx::Error> for FrameworkError {
    fn from(error: sqlx::Error) -> Self {
        if let Some(refusal) = Refusal::behind(&error) {
            return refusal.into();
        }
        let error = match OutOfTime::behind(error) {
            Ok(OutOfTime { limit, cause }) => return Self::TimedOut { limit, cause },
            Err(error) => error,
        };
        match &error {
            sqlx::Error::Database(cause) if is_namesake(cause.as_ref()) => Self::internal(format!(
                "a column has a name under which folio selects one of its own: rename it ({})",
                cause.message()
            )),
            _ => Self::Database(reworded(error)),
        }
    }
}

/// Gives an error of the database the text for the log: without the line of PostgreSQL's source code that sqlx adds,
/// and with what to do, where the database does not say it. It stays the database's error otherwise.
fn reworded(error: sqlx::Error) -> sqlx::Error {
    let sqlx::Error::Database(cause) = error else { return error };
    let advised = advice(cause.as_ref()).map(|advice| format!("{} ({advice})", cause.message()));
    match advised.or_else(|| message_of_postgres(cause.as_ref())) {
        Some(text) => sqlx::Error::Database(Box::new(Reworded { text, cause })),
        None => sqlx::Error::Database(cause),
    }
}

/// What to do about an error whose message does not say it.
fn advice(error: &dyn DatabaseError) -> Option<&'static str> {
    // SQLITE_BUSY and its variants.
    if error.message() == "database is locked" {
        return Some(
            "to wait for the write lock, begin a transaction that reads first and then writes with `Begin::Immediate`",
        );
    }
    match number_of_mysql(error)? {
        // OceanBase: "maximum open cursors exceeded".
        5930 => Some(
            "each prepared statement is a cursor: set `statement-cache-capacity` in the pool's URL below the server's \
             `open_cursors`, which is 50 by default, or raise that",
        ),
        // ER_CHECK_NOT_IMPLEMENTED. Spider has no savepoints.
        1178 if error.message().contains("SAVEPOINT") => Some(
            "a transaction inside another one needs a savepoint, which this table's storage engine does not have: do all \
             the work in the outer transaction",
        ),
        // ER_BEFORE_DML_VALIDATION_ERROR. The server writes the cause into its log only.
        3098 => Some(
            "Group Replication needs InnoDB tables with a primary key; with several primaries, it also refuses \
             transactions at the level `Serializable` and foreign keys that cascade",
        ),
        _ => None,
    }
}

#[cfg(feature = "mysql")]
fn number_of_mysql(error: &dyn DatabaseError) -> Option<u16> {
    error.try_downcast_ref::<sqlx::mysql::MySqlDatabaseError>().map(sqlx::mysql::MySqlDatabaseError::number)
}

#[cfg(not(feature = "mysql"))]
fn number_of_mysql(_: &dyn DatabaseError) -> Option<u16> {
    None
}

/// PostgreSQL's message with its hint.
#[cfg(feature = "postgres")]
fn message_of_postgres(error: &dyn DatabaseError) -> Option<String> {
    let error = error.try_downcast_ref::<sqlx::postgres::PgDatabaseError>()?;
    let hint = error.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
    Some(format!("{}{hint}", error.message()))
}

#[cfg(not(feature = "postgres"))]
fn message_of_postgres(_: &dyn DatabaseError) -> Option<String> {
    None
}

/// An error of the database with another text. For code that matches on it, it is the database's own error.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
struct Reworded {
    text: String,
    cause: Box<dyn DatabaseError>,
}

impl DatabaseError for Reworded {
    fn message(&self) -> &str {
        self.cause.message()
    }

    fn code(&self) -> Option<Cow<'_, str>> {
        self.cause.code()
    }

    fn as_error(&self) -> &(dyn Error + Send + Sync + 'static) {
        self.cause.as_error()
    }

    fn as_error_mut(&mut self) -> &mut (dyn Error + Send + Sync + 'static) {
        self.cause.as_error_mut()
    }

    fn into_error(self: Box<Self>) -> Box<dyn Error + Send + Sync + 'static> {
        self.cause.into_error()
    }

    fn constraint(&self) -> Option<&str> {
        self.cause.constraint()
    }

    fn table(&self) -> Option<&str> {
        self.cause.table()
    }

    fn kind(&self) -> ErrorKind {
        self.cause.kind()
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
            Self::ParamError { .. } | Self::InvalidParameter { .. } => 400,
            Self::Domain { status_code, .. } => *status_code,
            Self::TimedOut { .. } => 503,
            Self::Internal { .. } | Self::Database(_) => 500,
        }
    }

    /// An [`Internal`](Self::Internal) error.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::Internal { message: message.into() }
    }

    /// A [`Database`](Self::Database) error about the configuration of connections.
    pub(crate) fn configuration(message: impl Into<String>) -> Self {
        let cause: Box<dyn Error + Send + Sync> = message.into().into();
        Self::Database(sqlx::Error::Configuration(cause))
    }

    /// Adds a note to the text of an error that the database returned, or about a column that a row does not have.
    pub(crate) fn with_note(self, note: &str) -> Self {
        Self::Database(match self {
            Self::Database(sqlx::Error::Database(cause)) => {
                sqlx::Error::Database(Box::new(Reworded { text: format!("{cause} ({note})"), cause }))
            }
            Self::Database(sqlx::Error::ColumnNotFound(column)) => {
                sqlx::Error::ColumnNotFound(format!("{column} ({note})"))
            }
            error => return error,
        })
    }

    /// The error for a parameter whose allowed values cannot be listed.
    pub(crate) fn invalid_parameter(parameter: impl Into<String>, rule: impl Into<String>) -> Self {
        Self::InvalidParameter { parameter: parameter.into(), rule: rule.into(), allowed: Vec::new() }
    }

    /// Whether it is the answer to this refusal.
    pub(crate) fn is_of(&self, refusal: Refusal) -> bool {
        matches!(self, Self::Domain { message, .. } if *message == refusal.to_string())
    }

    /// The parameter of the request that caused the error, and its allowed values if they can be listed.
    pub(crate) fn parameter(&self) -> Option<(&str, &[String])> {
        match self {
            Self::ParamError { param_name } => Some((param_name, &[])),
            Self::InvalidParameter { parameter, allowed, .. } => Some((parameter, allowed)),
            _ => None,
        }
    }

    /// A [`Domain`](Self::Domain) error with the status 400.
    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::Domain { message: message.into(), status_code: 400 }
    }
}

/// An error of a transaction's closure, for [`DB::transaction_retrying`](crate::DB::transaction_retrying).
///
/// For an error type of your own, ask the error that it wraps:
///
/// ```
/// use folio::{FrameworkError, Retryable};
///
/// enum Error {
///     Pages(FrameworkError),
///     Closed,
/// }
///
/// impl Retryable for Error {
///     fn is_retryable(&self) -> bool {
///         match self {
///             Self::Pages(error) => error.is_retryable(),
///             Self::Closed => false,
///         }
///     }
/// }
/// assert!(!Error::Closed.is_retryable());
/// ```
#[diagnostic::on_unimplemented(
    message = "it is not known after which errors `{Self}` a transaction can be run again",
    label = "implement `folio::Retryable` for it"
)]
pub trait Retryable {
    /// Whether the transaction failed because of another one, and may succeed if it is run again: after a
    /// serialization failure (40001 on PostgreSQL, 6235 on OceanBase), a deadlock (40P01, or 1213 on MySQL and MariaDB), a
    /// lock that was held for too long (1205), a row that has changed since the snapshot (1020 on MariaDB), a conflict with
    /// another member of a MySQL group (3101, or 1180 with the cause 149), or SQLite's `SQLITE_BUSY`.
    fn is_retryable(&self) -> bool;
}

impl Retryable for FrameworkError {
    fn is_retryable(&self) -> bool {
        matches!(self, Self::Database(error) if error.is_retryable())
    }
}

/// What is wrong with a parameter whose allowed values are not known, for [`FrameworkError::invalid_parameter`].
pub(crate) const NOT_ALLOWED: &str = "has a value that is not allowed";

pub(crate) fn listed(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// A `Result` with [`FrameworkError`] as its default error type.
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
