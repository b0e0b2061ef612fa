//! The terms of an order: each is a column or an expression, and knows its type as data.
//!
//! folio makes them from what a caller writes, and [`close_with_primary_key`] appends the tie-breaker. The SQL of an
//! order is written in [`crate::predicate`].

use std::fmt;
use std::sync::Arc;

use sea_query::{ColumnName, Expr, IntoIden as _, SchemaName, TableName};

use crate::error::{Misuse, Result};
use crate::schema::key_expression::KeyExpression;
use crate::schema::table::{Direction, KeyColumn, Nulls, Table};
use crate::value::{self, Kind, Value};

/// Writes one part of an order, as its `Debug` shows it.
pub fn sorted(f: &mut fmt::Formatter<'_>, name: &str, direction: Direction, nulls: Option<Nulls>) -> fmt::Result {
    write!(f, "{name} {direction:?}")?;
    nulls.map_or(Ok(()), |nulls| write!(f, " nulls {nulls:?}"))
}

/// One column of an order, with its type as data.
#[derive(Clone)]
pub struct Term {
    pub table: Option<&'static Table>,
    alias: Option<&'static str>,
    pub key: KeyColumn,
    /// What the term sorts by, if it is not a column. The key's name is then the expression's.
    expression: Option<KeyExpression>,
    /// Whether a row may have NULL in all columns of the table, which is joined by LEFT JOIN.
    is_outer: bool,
    /// Why no page can be in this order, if that was known only at run time.
    refusal: Option<Arc<str>>,
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        sorted(f, self.key.name, self.key.direction, self.key.nulls)
    }
}

/// See [`Term::identity`].
pub type TermIdentity = (Option<usize>, Option<&'static str>, KeyColumn);

impl Term {
    pub fn of_table(table: &'static Table, key: KeyColumn) -> Self {
        Self::of_column(Some(table), None, key)
    }

    pub fn of_column(table: Option<&'static Table>, alias: Option<&'static str>, key: KeyColumn) -> Self {
        Self { table, alias, key, expression: None, is_outer: false, refusal: None }
    }

    pub fn of_expression(key: KeyColumn, expression: KeyExpression) -> Self {
        Self { expression: Some(expression), ..Self::of_column(None, None, key) }
    }

    /// A term that no page can be sorted by.
    pub fn refused(table: &'static Table, key: KeyColumn, reason: String) -> Self {
        Self { refusal: Some(reason.into()), ..Self::of_table(table, key) }
    }

    /// The same term, whose table is joined by LEFT JOIN: its primary key has NULLs where this column has them.
    pub fn of_outer_join(self) -> Self {
        Self { is_outer: true, ..self }
    }

    /// What the term sorts by, if it is not a column.
    pub fn expression(&self) -> Option<&KeyExpression> {
        self.expression.as_ref()
    }

    /// Rejects an expression that sorts nothing.
    ///
    /// # Errors
    /// Same as [`KeyExpression::check`].
    pub fn check(&self) -> Result<()> {
        self.expression.as_ref().map_or(Ok(()), |expression| expression.check(self.key.name))
    }

    /// Whether the term is a column of this name.
    pub fn is_named(&self, name: &str) -> bool {
        self.expression.is_none() && self.key.name == name
    }

    /// The column as an expression, qualified by its alias or table; or the expression itself.
    pub fn expr(&self) -> Expr {
        if let Some(expression) = &self.expression {
            return expression.expr().clone();
        }
        Expr::Column(ColumnName(table_name(self.table, self.alias), self.key.name.into_iden()).into())
    }

    /// A value that identifies the term, for use in a cache key; `None` for an expression, which may contain values of
    /// the caller's. Tables are static, so an address identifies one.
    pub fn identity(&self) -> Option<TermIdentity> {
        let table = self.table.map(|table| std::ptr::from_ref(table).addr());
        self.expression.is_none().then_some((table, self.alias, self.key))
    }

    /// The name that qualifies the column: the alias, else the table.
    pub fn qualifier(&self) -> Option<&'static str> {
        self.alias.or(self.table.map(|table| table.name))
    }

    /// The column's name after that of its table, as an error names it.
    pub fn qualified_name(&self) -> String {
        let name = self.key.name;
        self.qualifier().map_or_else(|| name.to_owned(), |table| format!("{table}.{name}"))
    }

    /// The column's type.
    pub fn kind(&self) -> Kind {
        let KeyColumn { variant, nulls, canonical, .. } = self.key;
        Kind { variant, nullable: nulls.is_some(), canonical }
    }

    /// Why a row's value cannot be part of a cursor key: pages that continue from it would lose rows.
    pub fn refusal(&self, value: &Value) -> Option<&'static str> {
        if self.key.nulls.is_none() && value::is_null(value) {
            Some("NULL in a cursor key column whose type cannot hold it: make it an `Option`")
        } else if value::is_nan(value) {
            Some("NaN cannot be used in a cursor key")
        } else {
            None
        }
    }

    /// The same column in the other direction. Its NULL position does not change.
    pub fn reversed(mut self) -> Self {
        self.key.direction = self.key.direction.flip();
        self
    }

    /// Whether it sorts by what another term sorts by: the same column of the same table, or an equal expression of the
    /// same name.
    pub fn repeats(&self, other: &Self) -> bool {
        // An alias replaces the table's name.
        let table = |term: &Self| term.table.filter(|_| term.alias.is_none()).map(|table| (table.schema, table.name));
        let expression = |term: &Self| term.expression.as_ref().map(|expression| expression.expr().clone());
        self.key.name == other.key.name
            && self.alias == other.alias
            && table(self) == table(other)
            && expression(self) == expression(other)
    }

    fn owner(&self) -> Option<Owner> {
        self.table.map(|table| (table, self.alias))
    }
}

/// The name that qualifies a column: the alias, else the table with its schema.
pub fn table_name(table: Option<&'static Table>, alias: Option<&'static str>) -> Option<TableName> {
    match (alias, table) {
        (Some(alias), _) => Some(TableName(None, alias.into_iden())),
        (None, Some(table)) => {
            let schema = table.schema.map(|schema| SchemaName(None, schema.into_iden()));
            Some(TableName(schema, table.name.into_iden()))
        }
        (None, None) => None,
    }
}

/// Rejects an order with a refused term, or with two expressions of one name, by which cursors tell them apart.
///
/// # Errors
/// [`Misuse`]
pub fn check_terms(terms: &[Term]) -> Result<()> {
    if let Some(reason) = terms.iter().find_map(|term| term.refusal.as_deref()) {
        return Err(Misuse::new(reason.to_owned()));
    }
    match same_names(terms) {
        None => Ok(()),
        Some((name, [first, second])) => Err(Misuse::new(format!(
            "the terms {first} and {second} of the order are both expressions with the name `{name}`, to which cursors are \
             bound: give each a name of its own in `Column::expr`"
        ))),
    }
}

/// The name that two expressions among these terms have, and their places, counted from 1.
pub fn same_names(terms: &[Term]) -> Option<(&'static str, [usize; 2])> {
    let expressions = || terms.iter().zip(1_usize..).filter(|(term, _)| term.expression.is_some());
    expressions().find_map(|(term, second)| {
        let (_, first) = expressions().find(|(other, _)| other.key.name == term.key.name)?;
        (first != second).then_some((term.key.name, [first, second]))
    })
}

/// Appends the tie-breaker: the missing primary key columns of each table in the terms, and of the model's.
///
/// Only a total order loses no rows. The columns are appended in the direction of the last term, so that one index
/// serves both directions.
pub fn close_with_primary_key(model: Option<&'static Table>, mut terms: Vec<Term>) -> Vec<Term> {
    let direction = terms.last().map_or(Direction::Asc, |term| term.key.direction);
    for (table, alias) in owners(model, &terms) {
        let is_own = |term: &Term| term.qualifier() == Some(alias.unwrap_or(table.name));
        let outer = terms.iter().find(|term| is_own(term) && term.is_outer);
        let nulls = outer.and_then(|term| term.key.nulls);
        let is_key = |term: &Term, name| term.is_named(name) && (term.qualifier().is_none() || is_own(term));
        let missing = table.primary_key().filter(|key| !terms.iter().any(|term| is_key(term, key.name)));
        let missing = missing.map(|key| Term::of_column(Some(table), alias, KeyColumn { direction, nulls, ..key }));
        terms.extend(missing.collect::<Vec<_>>());
    }
    terms
}

/// A table, and its alias in the FROM clause.
type Owner = (&'static Table, Option<&'static str>);

/// The tables whose rows an order sorts: those of its terms, and the model's, because unqualified columns may be its
/// own. A table that is joined to itself is there under each of its names.
fn owners(model: Option<&'static Table>, terms: &[Term]) -> Vec<Owner> {
    let mut owners: Vec<Owner> = terms.iter().filter_map(Term::owner).collect();
    if let Some(model) = model
        && owners.iter().all(|(table, alias)| alias.unwrap_or(table.name) != model.name)
    {
        owners.push((model, None));
    }
    owners
}
