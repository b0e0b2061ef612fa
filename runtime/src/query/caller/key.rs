//! The columns of a key, and where a caller's select has them.

use sea_query::Expr;

use crate::model::table::Table;
use crate::model::term::Term;
use crate::query::deferred_join::DERIVED;
use crate::query::order_column::OrderColumn;
use crate::query::shape::From;

/// Where a term's column is found.
pub(super) enum Place {
    /// Among the columns of the FROM clause, as this expression.
    From(Expr),
    /// In the select's result, under this name.
    Result(String),
}

/// A term, and where its column is found.
pub(super) type Placed = (Term, Place);

/// A column of the key.
pub(super) struct KeyColumn {
    pub(super) term: Term,
    pub(super) place: Place,
    /// Its name in the result.
    pub(super) name: String,
}

impl KeyColumn {
    /// A column, which is named by the next of the free names if folio selects it.
    pub(super) fn new((term, place): Placed, mut free: impl Iterator<Item = String>) -> Self {
        let name = match &place {
            Place::From(_) => free.next().unwrap_or_default(),
            Place::Result(name) => name.clone(),
        };
        Self { term, place, name }
    }

    /// The column of the order.
    pub(super) fn sort(&self, in_place: bool) -> OrderColumn {
        let expr = match &self.place {
            Place::From(column) if in_place => column.clone(),
            _ => Expr::col((DERIVED, self.name.clone())),
        };
        OrderColumn::of(&self.term, expr, self.name.clone())
    }

    /// Whether it is among the columns of the FROM clause.
    pub(super) fn is_from(&self) -> bool {
        matches!(self.place, Place::From(_))
    }

    /// Whether it belongs to the only table in the FROM clause.
    fn is_of(&self, from: &From) -> bool {
        let name = from.alias.as_ref().unwrap_or(&from.name);
        self.is_from() && self.term.qualifier().is_none_or(|qualifier| qualifier == name)
    }
}

/// The table in a FROM clause, if all columns of the key are its own.
pub(super) fn table_of(key: &[KeyColumn], from: &From) -> Option<&'static Table> {
    let is_own = key.iter().all(|column| column.is_of(from));
    let mut tables = key.iter().filter_map(|column| column.term.table);
    tables.find(|table| is_own && is_table(from, table))
}

/// Whether the key has the whole primary key of a table that all of its columns belong to.
pub(super) fn has_primary_key(key: &[KeyColumn], table: &Table) -> bool {
    let has = |name: &&str| key.iter().any(|column| column.term.is_named(name));
    table.primary_key.iter().all(has)
}

/// Whether this is the table in a FROM clause. Either may leave out the schema.
fn is_table(from: &From, table: &Table) -> bool {
    let schemas = from.schema.as_deref().zip(table.schema);
    from.name == table.name && schemas.is_none_or(|(one, other)| one == other)
}
