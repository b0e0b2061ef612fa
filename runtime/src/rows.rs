//! What numbered lists and walks are made of alike: a model's rows, found by their keys, and statements that are kept.

use sea_query::{Condition, Expr, ExprTrait as _, SelectStatement, TableRef, Value};

use crate::driver::Driver;
use crate::statement::{Given, Statement};

/// How many statements are kept of a select: many more than one has, as long as its columns keep their types.
pub(crate) const STATEMENTS: usize = 64;

/// The name that a wrapped select has.
pub(crate) const WRAPPED: &str = "folio_rows";

/// A model's rows without filters, their table, and the expressions of their primary key.
#[derive(Debug, Clone)]
pub(crate) struct Rows {
    pub(crate) all: SelectStatement,
    pub(crate) table: TableRef,
    pub(crate) key: Vec<Expr>,
}

impl Rows {
    /// Those whose primary key `keys` selects, each of its columns under a name.
    ///
    /// In a CROSS JOIN SQLite begins with the table on the left. In any other it may begin with all rows, since it does
    /// not know how few keys there are. To the others it means the same.
    pub(crate) fn of_keys<'a>(
        &self,
        keys: SelectStatement,
        names: impl Iterator<Item = (&'a Expr, String)>,
    ) -> SelectStatement {
        let equal = |(key, name): (&Expr, String)| key.clone().eq(Expr::col((WRAPPED, name)));
        let on = names.map(equal).fold(Condition::all(), Condition::add);
        let mut rows = self.all.clone();
        rows.from_clear().from_subquery(keys, WRAPPED).cross_join(self.table.clone()).cond_where(on).take()
    }
}

/// The name that a column of a key has in a select of keys, where it is in nobody's way.
pub(crate) fn key_name(at: usize) -> String {
    format!("folio_key_{at}")
}

/// Whether a page is to be taken out of a few rows, of which so many are needed. Not where the caller has values in it:
/// rows with one of them may be many and those with another a few, which want different plans.
pub(crate) fn is_few<D: Driver>(own: &[Value], rows: u64) -> bool {
    own.is_empty() && D::FEW.is_some_and(|few| rows <= few)
}

/// The statement of a select with marks, whose text is that of such a call.
pub(crate) fn statement<D: Driver>(select: &SelectStatement, given: Given<'_>) -> Statement {
    let (sql, values) = D::build_marked(select);
    let statement = Statement::marked(sql, &values, given.own.len());
    let values = statement.with(given).values;
    statement.map(|sql| D::end(sql, &values.0))
}
