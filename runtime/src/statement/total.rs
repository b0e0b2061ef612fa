//! The count of a list: a separate statement, or an additional column of a page's rows.

use sea_query::{Asterisk, CommonTableExpression, Expr, Func, SelectStatement};

use crate::dialect::Dialect;
use crate::statement::deferred_join::{DERIVED, derived};

/// The column with the total, which is the last one.
pub(crate) const TOTAL: &str = "folio_total";

/// The name of a select that a statement reads twice.
const SOURCE: &str = "folio_source";

/// The count of a select's rows, over the same FROM and WHERE. With `up_to`, no more rows than that are read.
pub(crate) fn counted(mut select: SelectStatement, up_to: Option<u64>) -> SelectStatement {
    select.clear_selects();
    match up_to {
        None => select.expr(Func::count(Expr::col(Asterisk))).take(),
        Some(limit) => counted(derived(select.expr(Expr::cust("1")).limit(limit).take()), None),
    }
}

/// A page with the total as its last column. The count is not correlated with the rows, so the database evaluates it
/// once, and reads the page in the same way as without it.
///
/// `limit` is the page's. If it is `None`, PostgreSQL may reuse a plan.
pub(crate) fn beside(
    mut page: SelectStatement,
    count: SelectStatement,
    dialect: Dialect,
    limit: Option<u64>,
) -> SelectStatement {
    let count = Expr::from(count);
    let count = match limit {
        Some(limit) => dialect.count_planned_each_time(count, limit),
        None => count,
    };
    page.expr_as(count, TOTAL).take()
}

/// A page of a derived table that has to be computed as a whole, with the total as its last column. The table is
/// computed once for both. `page` selects from `rows` and nothing else.
pub(crate) fn beside_whole(mut page: SelectStatement, rows: SelectStatement, dialect: Dialect) -> SelectStatement {
    if !dialect.facts().shares_common_tables {
        return page.expr_as(Expr::cust("COUNT(*) OVER ()"), TOTAL).take();
    }
    page.from_clear().from_as(SOURCE, DERIVED).expr_as(source_count(), TOTAL);
    page.with_cte(source(rows)).take()
}

/// The count of the select that is computed once.
fn source_count() -> Expr {
    counted(SelectStatement::new().from(SOURCE).take(), None).into()
}

/// A select that is computed once.
fn source(rows: SelectStatement) -> CommonTableExpression {
    let mut source = CommonTableExpression::new();
    source.table_name(SOURCE).query(rows).materialized(true);
    source
}

#[cfg(test)]
mod tests {
    use sea_query::Query;

    use super::*;

    #[test]
    fn rows_are_computed_once_for_a_page_and_its_total() {
        let text = |dialect: Dialect| {
            let rows = Query::select().column("author").from("posts").distinct().take();
            let page = Query::select().column(Asterisk).from_subquery(rows.clone(), DERIVED).limit(9).take();
            dialect.render(&beside_whole(page, rows, dialect), &|_| None).0.replace(['"', '`'], "")
        };
        let distinct = "SELECT DISTINCT author FROM posts";
        for dialect in [Dialect::Sqlite, Dialect::Postgres] {
            let sql = text(dialect);
            assert!(
                sql.starts_with("WITH folio_source AS ") && sql.contains(" MATERIALIZED (SELECT DISTINCT "),
                "{sql}"
            );
            assert!(sql.contains("(SELECT COUNT(*) FROM folio_source) AS folio_total"), "{sql}");
            assert_eq!(sql.matches(distinct).count(), 1, "{sql}");
        }
        // MySQL and MariaDB share a dialect, and MariaDB would compute a common table twice.
        let sql = text(Dialect::MySql);
        assert!(sql.starts_with("SELECT *, COUNT(*) OVER () AS folio_total FROM (SELECT DISTINCT"), "{sql}");
        assert_eq!(sql.matches(distinct).count(), 1, "{sql}");
    }
}
