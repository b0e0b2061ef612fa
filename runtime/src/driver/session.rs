//! [`Session`]: what runs folio's statements.

#[cfg(feature = "_sea-orm")]
use super::sea_orm::Connection;

/// A connection of sqlx's, or one of sea-orm's.
pub(crate) enum Session<'a, D: sqlx::Database> {
    Connection(&'a mut D::Connection),
    /// One whose sqlx connection cannot be reached.
    #[cfg(feature = "_sea-orm")]
    SeaOrm(Connection<'a>),
}

impl<'a, D: sqlx::Database> Session<'a, D> {
    /// The connection of sqlx's, if it can be reached.
    pub(crate) fn connection(self) -> Option<&'a mut D::Connection> {
        match self {
            Self::Connection(connection) => Some(connection),
            #[cfg(feature = "_sea-orm")]
            Self::SeaOrm(_) => None,
        }
    }

    /// The same session, for one of several statements.
    pub(crate) fn reborrow(&mut self) -> Session<'_, D> {
        match self {
            Self::Connection(connection) => Session::<D>::Connection(connection),
            #[cfg(feature = "_sea-orm")]
            Self::SeaOrm(connection) => Session::SeaOrm(*connection),
        }
    }
}
