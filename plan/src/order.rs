//! A column of an ORDER BY clause, and whether an order is total.

use sea_query::{ColumnName, ColumnRef, Expr};

use crate::dialect::Dialect;
use crate::error::{Misuse, Result};
use crate::schema::table::{Direction, Nulls};
use crate::schema::term::Term;

/// One column of an order, with its names inside the select and in its result.
#[derive(Debug, Clone)]
pub struct OrderColumn {
    pub expr: Expr,
    /// Its name in the result; empty if it has none.
    pub output: String,
    pub direction: Direction,
    /// Where its NULLs are; `None` if it has none.
    pub nulls: Option<Nulls>,
    /// Whether it is an expression that the caller named, and not a column.
    pub is_computed: bool,
}

/// Rejects an order in which a proxy would merge the rows of several servers wrongly.
///
/// # Errors
/// [`Misuse`] for NULLs in another place than the database's own, and for an expression without a name.
pub fn check_mergeable(dialect: Dialect, sorts: &[OrderColumn]) -> Result<()> {
    if !dialect.facts().is_plain {
        return Ok(());
    }
    if let Some(sort) = sorts.iter().find(|sort| !sort.is_natural(dialect)) {
        let (place, method) = match dialect.index_nulls(sort.direction) {
            Nulls::First => ("before", "nulls_first"),
            Nulls::Last => ("after", "nulls_last"),
        };
        return Err(Misuse::new(format!(
            "with `Folio::plain_statements`, a proxy expects the rows with NULL in `{}` {place} all others, as the database \
             sorts them by default in this direction: write `{method}()`, or to have them at the other end, sort by a \
             `Column::expr` of `COALESCE` with a value that no row has",
            sort.output
        )));
    }
    match sorts.iter().find(|sort| sort.output.is_empty()) {
        Some(_) => Err(Misuse::new(
            "with `Folio::plain_statements`, a proxy sorts by the columns of the result, and an expression of the order has no \
             name there: write `order_by` with `Column::expr`, which names it",
        )),
        None => Ok(()),
    }
}

/// The alias under which folio selects the key column at this position in the order.
pub fn key_name(at: usize) -> String {
    format!("folio_key_{at}")
}

impl OrderColumn {
    /// A term of an order, with its column inside the select and in its result.
    pub fn of(term: &Term, expr: Expr, output: String) -> Self {
        let is_computed = term.expression().is_some();
        Self { expr, output, direction: term.key.direction, nulls: term.key.nulls, is_computed }
    }

    /// A term of a model's order. Columns keep their names in the result; an expression gets one by its
    /// position in the order.
    pub fn of_table(at: usize, term: &Term) -> Self {
        let output = match term.expression() {
            Some(_) => key_name(at),
            None => term.key.name.to_owned(),
        };
        Self::of(term, term.expr(), output)
    }

    /// An expression that a numbered list is sorted by.
    pub fn by(expr: Expr, direction: Direction) -> Self {
        let output = match &expr {
            Expr::Column(ColumnRef::Column(ColumnName(_, name))) => name.inner().into_owned(),
            _ => String::new(),
        };
        Self { expr, output, direction, nulls: None, is_computed: false }
    }

    /// Whether it is a column, not an expression with values.
    pub fn is_column(&self) -> bool {
        !self.is_computed && matches!(self.expr, Expr::Column(_))
    }

    /// The same column when the list is read backwards.
    pub fn reversed(&self) -> Self {
        Self { direction: self.direction.flip(), nulls: self.nulls.map(Nulls::flip), ..self.clone() }
    }

    /// The same column. If the order does not say where its NULLs are, they are where the database puts them.
    pub fn with_natural_nulls(&self, dialect: Dialect) -> Self {
        Self { nulls: self.nulls.or(Some(dialect.index_nulls(self.direction))), ..self.clone() }
    }

    /// Whether the database sorts NULLs after all values, and the order does not expect any because the column's type
    /// has none. A condition for the values after a boundary then leaves them out.
    pub fn hides_nulls(&self, dialect: Dialect) -> bool {
        self.nulls.is_none() && dialect.index_nulls(self.direction) == Nulls::Last
    }

    /// Whether an index has the NULLs where this order wants them.
    pub fn is_natural(&self, dialect: Dialect) -> bool {
        self.nulls.is_none_or(|nulls| nulls == dialect.index_nulls(self.direction))
    }
}

#[cfg(test)]
mod tests {
    use sea_query::Func;

    use super::*;
    use crate::testing::{by_expression, nullable};

    #[test]
    fn a_column_keeps_its_name_in_the_result_and_an_expression_has_none() {
        let by = |expr: Expr| OrderColumn::by(expr, Direction::Asc);
        let (title, of_table) = (by(Expr::col("title")), by(Expr::col(("posts", "title"))));
        assert_eq!((&*title.output, &*of_table.output), ("title", "title"));
        let lower = by(Func::lower(Expr::col("title")).into());
        assert_eq!(lower.output, "");
        assert!(title.is_column() && of_table.is_column() && !lower.is_column());
    }

    #[test]
    fn a_callers_expression_is_not_a_column() {
        let term = by_expression("title", Expr::col("title"));
        let column = OrderColumn::of_table(3, &term);
        assert_eq!((&*column.output, column.is_computed, column.is_column()), ("folio_key_3", true, false));
    }

    #[test]
    fn reversing_a_column_flips_its_direction_and_its_nulls() {
        let term = nullable("score", Nulls::Last);
        let column = OrderColumn::of_table(0, &term);
        let reversed = column.reversed();
        assert_eq!((reversed.direction, reversed.nulls), (Direction::Desc, Some(Nulls::First)));
        assert!(!column.is_natural(Dialect::MySql) && column.is_natural(Dialect::Postgres));
        assert_eq!(column.with_natural_nulls(Dialect::MySql).nulls, Some(Nulls::Last));
    }

    #[test]
    fn nulls_that_the_order_does_not_expect_are_where_the_database_puts_them() {
        let of = |dialect, direction| {
            let column = OrderColumn::by(Expr::col("score"), direction);
            (column.with_natural_nulls(dialect).nulls, column.hides_nulls(dialect))
        };
        for (dialect, ascending, descending) in [
            (Dialect::Postgres, Nulls::Last, Nulls::First),
            (Dialect::MySql, Nulls::First, Nulls::Last),
            (Dialect::Sqlite, Nulls::First, Nulls::Last),
        ] {
            assert_eq!(of(dialect, Direction::Asc), (Some(ascending), ascending == Nulls::Last), "{dialect:?}");
            assert_eq!(of(dialect, Direction::Desc), (Some(descending), descending == Nulls::Last), "{dialect:?}");
        }
    }
}
