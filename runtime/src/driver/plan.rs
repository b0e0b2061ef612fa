//! The plans of statements, for tests that a page is read along an index.

use folio_plan::statement::template::BoundSql;

use super::{Driver, RowOf, Session, rows};

/// How a database would run a statement.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) sql: String,
    /// The plan as the database writes it.
    pub(crate) lines: Vec<String>,
    pub(crate) sorts: Sorts,
}

/// What a plan sorts, besides the rows that a page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sorts {
    Nothing,
    /// Rows that tie in the first columns of the order, or rows of a table that is too small to say.
    Ties,
    /// The rows of a table.
    Rows,
}

/// The answer to a statement's text behind `explain`.
pub(super) async fn explained<D: Driver>(
    session: Session<'_, D>,
    explain: &str,
    select: &BoundSql,
) -> sqlx::Result<Vec<RowOf<D>>> {
    let select = BoundSql { sql: format!("{explain} {}", select.sql).into(), ..select.clone() };
    rows::<D>(session, select, false).await
}
