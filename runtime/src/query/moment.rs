//! The moment at which a model's table is read.

use std::time::SystemTime;

use folio_core::schema::group::{Groups, Link};
use folio_core::value::AsOf;

use crate::error::{FrameworkError, Result};

/// The moment that a query reads its table at, among those that it was given.
///
/// # Errors
/// [`FrameworkError::Internal`] for several moments, and for one that no walk can be stable at.
pub(super) fn moment_of(given: &[SystemTime]) -> Result<Option<AsOf>> {
    let Some((moment, others)) = given.split_first() else { return Ok(None) };
    if others.iter().any(|other| other != moment) {
        return Err(FrameworkError::internal("`as_of` is given two different moments: leave one of them out"));
    }
    if *moment > SystemTime::now() {
        return Err(FrameworkError::internal(
            "`as_of` got a moment in the future, before which rows can still change: pass one that is past by some seconds",
        ));
    }
    let as_of = AsOf::new(*moment).ok_or_else(|| {
        FrameworkError::internal("`as_of` got a moment before 1970, which the server's timestamps do not have")
    })?;
    Ok(Some(as_of))
}

/// Rejects groups that another table links rows to, because only a model's own table is read at a moment.
pub(super) fn refuse_link(groups: &Groups) -> Result<()> {
    let Some(Link { table, .. }) = &groups.link else { return Ok(()) };
    Err(FrameworkError::internal(format!(
        "`as_of` cannot read the table `{}`, which links the rows to their groups, at a moment: filter by a subquery that \
         has `FOR SYSTEM_TIME`",
        table.1.inner()
    )))
}
