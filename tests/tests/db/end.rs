//! How a transaction ends on a server, whatever folio thinks of it.

/// A way to end a transaction on the server.
#[derive(Debug, Clone, Copy)]
pub(crate) struct End {
    pub(crate) sql: &'static str,
    /// Whether what ran before is kept.
    pub(crate) commits: bool,
    /// Whether the same text begins another transaction.
    pub(crate) begins: bool,
}
