//! [`AnyLease`]: a lease of any driver.

use crate::error::Result;
use crate::pool::dispatch;
use crate::source::lease::{Held, Lease};

/// A lease of any driver, for the statements of one call.
#[derive(Debug)]
pub(crate) enum AnyLease<'c> {
    #[cfg(feature = "sqlite")]
    Sqlite(Lease<'c, sqlx::Sqlite>),
    #[cfg(feature = "postgres")]
    Postgres(Lease<'c, sqlx::Postgres>),
    #[cfg(feature = "mysql")]
    MySql(Lease<'c, sqlx::MySql>),
}

impl AnyLease<'_> {
    /// Ends what folio began for the page: the transaction on a connection of the caller's.
    pub(crate) async fn end(self) -> Result<()> {
        dispatch!(AnyLease, self, lease => match lease.held {
            Held::BorrowedForPage(transaction) => Ok(transaction.commit().await?),
            _ => Ok(()),
        })
    }
}
