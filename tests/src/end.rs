//! Ways to end a transaction on a server without folio.

/// A way to end a transaction on the server.
#[derive(Debug, Clone, Copy)]
pub struct End {
    pub sql: &'static str,
    /// Whether earlier changes are kept.
    pub commits: bool,
    /// Whether the same text begins another transaction.
    pub begins: bool,
}
