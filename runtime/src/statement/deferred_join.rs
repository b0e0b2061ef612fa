//! Selects of a model's rows: those that match a query's filters, and those whose keys were found first.
//!
//! A deferred join finds the keys of a page in an index alone, and reads its rows by these keys. The rows before the
//! page are never read.

use sea_query::{Asterisk, Condition, Expr, ExprTrait as _, Query, SelectStatement};

use crate::access::AccessPath;
use crate::order::OrderColumn;
use crate::schema::table::{Columns, Table};
use crate::schema::term::Term;

/// The alias of derived tables.
pub(crate) const DERIVED: &str = "folio_rows";

/// The rows of a model that match a query's filters.
#[derive(Debug, Clone)]
pub(crate) struct ModelRows {
    pub(crate) table: &'static Table,
    pub(crate) filters: Vec<Expr>,
    /// Expressions that are selected after the table's columns, each under a name.
    pub(crate) expressions: Vec<(Expr, String)>,
}

impl ModelRows {
    pub(crate) fn filtered(&self) -> SelectStatement {
        filtered_by(self.unfiltered(), self.filters.iter().cloned())
    }

    /// The order's columns of the rows that match these filters, each under its name.
    pub(crate) fn keys(&self, filters: &[Expr], sorts: &[OrderColumn]) -> SelectStatement {
        let mut keys = Query::select();
        for sort in sorts {
            keys.expr_as(sort.expr.clone(), sort.output.clone());
        }
        filtered_by(keys.from(self.table.source()).take(), filters.iter().cloned())
    }

    /// The same rows, with the filters in the form that lets the database keep a generic plan, if this access path has
    /// one.
    pub(crate) fn planned_for(&self, access: &AccessPath) -> Self {
        let mut rows = self.clone();
        access.keep_plan(&mut rows.filters);
        rows
    }

    /// All rows of the table.
    pub(crate) fn unfiltered(&self) -> SelectStatement {
        let mut select = select_columns(self.table);
        for (expression, name) in &self.expressions {
            select.expr_as(expression.clone(), name.clone());
        }
        select.from(self.table.source()).take()
    }

    pub(crate) fn primary_key(&self) -> Vec<Expr> {
        self.table.primary_key().map(|key| Term::of_table(self.table, key).expr()).collect()
    }

    /// The rows, with or without filters, whose primary key `keys` selects, each of its columns under a name.
    ///
    /// The conditions in `repeated` are met by the rows of these keys anyway.
    ///
    /// It is a LEFT JOIN so that a key with NULL, which equals no row's, leads to an error and not to a page without the row.
    /// All databases then start with the keys; in an inner join, SQLite may start with all rows, because it does not know how
    /// few keys there are.
    pub(crate) fn of_keys<'a>(
        &self,
        keys: SelectStatement,
        names: impl Iterator<Item = (&'a Expr, String)>,
        repeated: Vec<Expr>,
    ) -> SelectStatement {
        let on = names.map(equals_key).chain(repeated).fold(Condition::all(), Condition::add);
        self.unfiltered().from_clear().from_subquery(keys, DERIVED).left_join(self.table.source(), on).take()
    }
}

/// Whether a statement of a model's page finds the rows by their keys.
pub(crate) fn finds_keys_first(sql: &str) -> bool {
    let mut joins = sql.match_indices(" LEFT JOIN ").filter_map(|(at, _)| sql.get(..at));
    joins.any(|before| before.trim_end_matches(['"', '`']).ends_with(DERIVED))
}

pub(crate) fn filtered_by(mut select: SelectStatement, conditions: impl Iterator<Item = Expr>) -> SelectStatement {
    for condition in conditions {
        select.and_where(condition);
    }
    select
}

/// A select of a table's columns, still without a FROM clause.
fn select_columns(table: &Table) -> SelectStatement {
    let mut select = Query::select();
    match &table.columns {
        Columns::All(_) => select.column((table.name, Asterisk)),
        Columns::Named(fields) => select.columns(fields.iter().map(|field| field.column)),
    };
    select
}

/// The condition that a column equals the key that was found under a name.
fn equals_key((column, name): (&Expr, String)) -> Expr {
    column.clone().eq(Expr::col((DERIVED, name)))
}

pub(crate) fn derived(select: SelectStatement) -> SelectStatement {
    Query::select().column(Asterisk).from_subquery(select, DERIVED).take()
}
