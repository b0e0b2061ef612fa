//! Several selects as one.

use super::sort::{Names, order};
use crate::dialect::Dialect;
use crate::order::OrderColumn;
use crate::statement::select::Select;

/// How selects are united.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Union {
    All,
    /// Each row once.
    Distinct,
}

/// Selects that have an order and a limit of their own, under one order.
pub fn united(dialect: Dialect, sorts: &[OrderColumn], selects: impl Iterator<Item = Select>) -> Select {
    order(union_of(dialect, selects.enumerate().map(derived), Union::All), sorts, Names::InResult)
}

/// The rows of selects, in no order.
pub fn union_of(dialect: Dialect, mut selects: impl Iterator<Item = Select>, union: Union) -> Select {
    let mut whole = selects.next().unwrap_or_else(|| Select::new(dialect));
    let word = if union == Union::All { " UNION ALL " } else { " UNION " };
    let has_parentheses = dialect.facts().unites_in_parentheses;
    for select in selects {
        let rest = whole.rest.push(word);
        whole.rest = if has_parentheses { rest.enclosed(&select.sql()) } else { rest.append(&select.sql()) };
    }
    whole
}

/// A select as a derived table. One with an order and a limit needs parentheses in a union: SQLite accepts them only
/// around a derived table.
fn derived((at, select): (usize, Select)) -> Select {
    Select::all_of(&select.sql(), &format!("folio_{at}"))
}

/// Selects in parentheses, if the database accepts them in a union. MySQL and MariaDB are slow to materialize many
/// derived tables. The first select of a union has no parentheses.
pub(crate) fn parenthesized(selects: impl Iterator<Item = Select>) -> impl Iterator<Item = Select> {
    selects.enumerate().map(|(at, select)| match select.dialect.facts().unites_in_parentheses && at > 0 {
        true => select,
        false => derived((at, select)),
    })
}
