//! The columns of SQL text, looked up before its first page.
//!
//! A page is ordered by the names of these columns, so a missing or ambiguous name is an error that lists them. The
//! check runs before the page's statement, which would fail with a less specific error and, on PostgreSQL, abort the
//! transaction.

use std::sync::Arc;

use folio_plan::cache::BoundedCache;
use folio_plan::custom::raw_sql::SqlSource;
use folio_plan::custom::renderer::Renderer;
use folio_plan::dialect::Dialect;
use folio_plan::order::OrderColumn;
use folio_plan::statement::select::{DERIVED, Number, Select};
use folio_plan::statement::template::PageValues;
use sqlx::{Column as _, Row as _};

use super::checks::equal_name;
use crate::driver::{Driver, Failure};
use crate::error::{FrameworkError, Result};
use crate::source::Lease;

/// The columns of a text by their names.
type Names = Vec<String>;

/// The columns of the texts that pages were read from.
static KNOWN: BoundedCache<(Dialect, Arc<str>), Names> = BoundedCache::new();

/// Rejects SQL text in which several columns have the same name, or which lacks a column of the order.
pub(super) async fn check<D: Driver>(
    connection: &mut Lease<'_, D>,
    renderer: &Renderer,
    sorts: &[OrderColumn],
) -> Result<()> {
    let Some(source) = &renderer.source else { return Ok(()) };
    let key = (D::DIALECT, source.text.clone());
    // A column may be missing only because a migration has added it since, so they are looked up again.
    if KNOWN.find(&key).is_some_and(|names| check_order(D::DIALECT, &names, sorts).is_ok()) {
        return Ok(());
    }
    let names = Box::pin(names(connection, renderer, source)).await?;
    check_order(D::DIALECT, &names, sorts)?;
    remember(key, names);
    Ok(())
}

fn remember(key: (Dialect, Arc<str>), names: Names) {
    let size = names.iter().map(String::len).sum::<usize>().saturating_add(key.1.len());
    KNOWN.insert(key, names, size);
}

/// Rejects an order with a column that a text lacks.
fn check_order(dialect: Dialect, names: &Names, sorts: &[OrderColumn]) -> Result<()> {
    // The statement writes the names in quotes.
    let ignores_case = dialect.facts().ignores_case_of_names;
    let is_same = |own: &str, name: &str| own == name || ignores_case && own.eq_ignore_ascii_case(name);
    let is_missing = |sort: &&OrderColumn| !names.iter().any(|own| is_same(own, &sort.output));
    let Some(missing) = sorts.iter().find(is_missing) else { return Ok(()) };
    Err(FrameworkError::internal(format!(
        "the order has `{}`, which is not a column of the SQL text: select it. The text's columns are `{}`",
        missing.output,
        names.join("`, `")
    )))
}

/// The names of the columns, without reading rows. All texts of a list have the same names.
async fn names<D: Driver>(connection: &mut Lease<'_, D>, renderer: &Renderer, source: &SqlSource) -> Result<Names> {
    let mut found: Option<Names> = None;
    for text in source.arms() {
        let names = names_of(connection, renderer, text).await?;
        match &found {
            Some(first) if *first != names => return Err(unequal(first, &names)),
            _ => found = Some(names),
        }
    }
    Ok(found.unwrap_or_default())
}

async fn names_of<D: Driver>(connection: &mut Lease<'_, D>, renderer: &Renderer, rows: Select) -> Result<Names> {
    let statement = renderer.statement(&no_row(rows).sql(), PageValues::default());
    let row = match connection.fetch_once(statement).await {
        Err(error) if D::classify(&error) == Some(Failure::EqualColumn) => return Err(equal(&error.to_string())),
        row => row?.ok_or(sqlx::Error::RowNotFound)?,
    };
    let names: Names = row.columns().iter().map(|column| column.name().to_owned()).collect();
    // Names that differ only in case are refused too, because most databases find a column in either case.
    let folded: Names = names.iter().map(|name| name.to_lowercase()).collect();
    match equal_name(folded.iter().map(String::as_str)) {
        Some(name) => Err(equal(&format!("`{name}`"))),
        None => Ok(names),
    }
}

/// One row of NULLs that has the columns of a select.
fn no_row(rows: Select) -> Select {
    let one = Select::new(rows.dialect).column_as(|sql| sql.push("1"), "folio_one");
    let rows = rows.limit(Number::Bound(0)).sql();
    Select::from_derived(&one.sql(), "folio_first")
        .column(|sql| sql.name(DERIVED).push(".*"))
        .join(|from| from.push(" LEFT JOIN ").enclosed(&rows).push(" AS ").name(DERIVED).push(" ON 1 = 0"))
}

fn equal(which: &str) -> FrameworkError {
    FrameworkError::internal(format!(
        "several columns of the SQL text, or of a subquery in it, have the same name ({which}): give each one an alias of \
         its own"
    ))
}

/// UNION ALL matches columns by position, but a page's order and condition use their names.
fn unequal(first: &Names, other: &Names) -> FrameworkError {
    FrameworkError::internal(format!(
        "the texts of a `union_all` have different columns: `{}`, and `{}`: give them the same names in the same order",
        first.join("`, `"),
        other.join("`, `")
    ))
}

#[cfg(test)]
mod tests;
