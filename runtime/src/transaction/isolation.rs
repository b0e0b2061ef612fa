//! How far a transaction is isolated from others.

/// The isolation level of a transaction: at least this, and more if the database has nothing in between.
///
/// PostgreSQL and MySQL have each level. A transaction without one begins at the level that the server, the database or
/// the connection is set to. SQLite has one level only, which is serializable.
///
/// For an example see [`DB::transaction_with`](crate::DB::transaction_with).
///
/// ```
/// assert_ne!(folio::Isolation::ReadCommitted, folio::Isolation::Serializable);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Isolation {
    /// Each statement sees what was committed before it began.
    ReadCommitted,
    /// Every statement sees what was committed before the first of them.
    RepeatableRead,
    /// As if each transaction ran alone. A transaction for which that is impossible fails with an error, and can be
    /// tried again.
    Serializable,
}
