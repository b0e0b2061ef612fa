//! The count of a list: a separate statement, or an additional column of a page's rows.

use sea_query::{Expr, Func};

use super::select::{DERIVED, Number, Select};
use crate::dialect::{Dialect, Param, Sql};
use crate::value::Variant;

/// The column with the total, which is the last one.
pub const TOTAL: &str = "folio_total";

/// The column with a value whose rows are counted.
pub const VALUE: &str = "folio_value";

/// The name of a select that a statement reads twice.
const SOURCE: &str = "folio_source";

/// The count of a select's rows, over the same FROM and WHERE. With `up_to`, no more rows than that are read, unless a
/// proxy adds up the counts of several servers.
pub fn counted(select: Select, up_to: Option<u64>) -> Select {
    let select = select.without_columns();
    match up_to.filter(|_| !select.dialect.facts().is_plain) {
        None => select.column(|sql| sql.push("COUNT(*)")),
        Some(limit) => {
            let rows = select.column(|sql| sql.push("1")).limit(Number::Count(limit));
            counted(Select::from_derived(&rows.sql(), DERIVED), None)
        }
    }
}

/// The sum of the counts of several selects with different rows, each of which has an access path of its own.
pub fn sum(counts: impl IntoIterator<Item = Select>, dialect: Dialect) -> Sql {
    let counts = counts.into_iter().map(|count| Sql::new(dialect).enclosed(&count.sql()));
    Sql::new(dialect).push("SELECT ").joined(counts, " + ")
}

/// The most frequent values of a column among a select's rows, each as [`VALUE`], and the number of its rows: the most
/// frequent first, and equally frequent ones in the column's order.
pub(crate) fn by_value(select: Select, column: &Expr, variant: Variant, limit: u64) -> Select {
    let group = select.dialect.value_of_group(column, variant);
    // Of several texts of one value, any will do.
    let shown = if group == *column { column.clone() } else { Func::min(column.clone()).into() };
    let groups = select.without_columns().expr_as(&shown, VALUE);
    let mut groups = groups.column_as(|sql| sql.push("COUNT(*)"), TOTAL);
    groups.rest = groups.rest.push(" GROUP BY ").expr(&group);
    let by_count = groups.order_by(|sql| sql.push("COUNT(*) DESC"));
    by_count.order_by(|sql| sql.expr(&shown)).limit(Number::Bound(limit))
}

/// A page with the total as its last column. The count is not correlated with the rows, so the database evaluates it
/// once, and reads the page in the same way as without it.
///
/// With `generic_plan`, PostgreSQL may keep one.
pub fn beside(page: Select, count: &Select, generic_plan: bool) -> Select {
    let dialect = page.dialect;
    let count = Sql::new(dialect).enclosed(&count.sql());
    let limit = Sql::new(dialect).param(Param::Limit);
    let count = if generic_plan { count } else { dialect.count_planned_each_time(count, &limit) };
    page.column_as(|sql| sql.append(&count), TOTAL)
}

/// A page of a derived table that has to be computed as a whole, with the total as its last column. The table is
/// computed once for both. `page` selects from `rows` and nothing else.
pub fn beside_whole(page: Select, rows: &Sql) -> Sql {
    let dialect = page.dialect;
    if !dialect.facts().shares_common_tables {
        return page.column_as(|sql| sql.push("COUNT(*) OVER ()"), TOTAL).sql();
    }
    let source = || Sql::new(dialect).name(SOURCE);
    let count = counted(Select::from(source()), None).sql();
    let page = page.with_from(source().push(" AS ").name(DERIVED)).column_as(|sql| sql.enclosed(&count), TOTAL);
    let with = Sql::new(dialect).push("WITH ").append(&source()).push(" AS  MATERIALIZED ").enclosed(rows);
    with.push(" ").append(&page.sql())
}

#[cfg(test)]
mod tests {
    use sea_query::Query;

    use super::*;

    #[test]
    fn rows_are_computed_once_for_a_page_and_its_total() {
        let text = |dialect: Dialect| {
            let rows = Query::select().column("author").from("posts").distinct().take();
            let rows = Sql::of_select(dialect, &rows);
            let page = Select::all_of(&rows, DERIVED).limit(Number::Page(9));
            beside_whole(page, &rows).text().replace(['"', '`'], "")
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
