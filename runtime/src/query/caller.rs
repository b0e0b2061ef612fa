//! A select that a caller wrote: how it is counted, paged by offset, and prepared for cursor pages.

use sea_query::{Expr, SelectStatement, Value};

use crate::dialect::Dialect;
use crate::error::{FrameworkError, Result};
use crate::model::order::Term;
use crate::model::table::Table;
use crate::query::deferred_join::{DERIVED, derived, key_name};
use crate::query::order_column::OrderColumn;
use crate::query::shape::{From, Kind, Lookup, Shape};
use crate::query::slice::Slice;
use crate::query::slice::counted;
use crate::query::slice::sliced;

/// The largest limit and offset that every database takes.
const UNLIMITED: u64 = i64::MAX as u64;

/// A select that a caller wrote, and what can be done with it.
#[derive(Debug)]
pub(crate) struct CallerSelect {
    statement: SelectStatement,
    shape: Shape,
    dialect: Dialect,
    /// The caller's own limit and offset. The list consists of the rows that remain.
    limit: Option<u64>,
    offset: u64,
}

/// A select with its key among its columns.
#[derive(Debug)]
pub(crate) struct Keyed {
    pub(crate) base: SelectStatement,
    pub(crate) terms: Vec<Term>,
    pub(crate) sorts: Vec<OrderColumn>,
    /// The table that all rows come from, if its primary key is part of the key, so that no two rows tie.
    pub(crate) table: Option<&'static Table>,
}

/// Where a term's column is found.
enum Place {
    /// Among the columns of the FROM clause, as this expression.
    From(Expr),
    /// In the select's result, under this name.
    Result(String),
}

impl CallerSelect {
    /// Analyzes a select through its SQL text.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] for a select that cannot be paged, such as one that locks rows.
    pub(crate) fn new(mut statement: SelectStatement, dialect: Dialect) -> Result<Self> {
        let (limit, offset) = window(&statement, dialect);
        if limit.is_some() || offset.is_some() {
            // Some databases have no OFFSET without LIMIT.
            statement.limit(limit.unwrap_or(UNLIMITED).min(UNLIMITED));
            statement.offset(offset.unwrap_or(0).min(UNLIMITED));
        }
        let bare = unordered(&statement);
        let text = |select: &SelectStatement| dialect.render(select, |_| None).0;
        let shape = Shape::of(&text(&bare), &text(bare.clone().clear_selects()))?;
        Ok(Self { statement, shape, dialect, limit, offset: offset.unwrap_or(0) })
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// All rows of the list.
    pub(crate) fn all(&self) -> SelectStatement {
        if self.is_limited() {
            self.statement.clone()
        } else if self.shape.order_selects_rows {
            self.statement.clone().reset_limit().reset_offset().take()
        } else {
            unordered(&self.statement)
        }
    }

    /// The count of all rows: over the same FROM and WHERE if the result is the same, else over a derived table.
    pub(crate) fn count(&self) -> SelectStatement {
        if matches!(self.shape.kind, Kind::Whole | Kind::Computed) || self.is_limited() {
            counted(derived(self.all()))
        } else {
            counted(unordered(&self.statement))
        }
    }

    /// Rejects a select that cannot be paged by number.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] for an order or a limit in raw SQL.
    pub(crate) fn check_numbered(&self) -> Result<()> {
        if self.shape.raw_tail {
            return Err(FrameworkError::internal(
                "the select has ORDER BY, LIMIT or OFFSET in raw SQL, where no page can be cut from it: write them with \
                 sea-query's `order_by`, `limit` and `offset`",
            ));
        }
        Ok(())
    }

    /// A page in the select's own order.
    pub(crate) fn page(&self, slice: Slice) -> SelectStatement {
        let offset = self.offset.saturating_add(slice.offset).min(UNLIMITED);
        let limit = self.limit.map_or(slice.limit, |limit| limit.saturating_sub(slice.offset).min(slice.limit));
        let select = self.statement.clone();
        // sea-query writes nothing after a WINDOW clause, so such a select has no order that could be lost.
        let select = if self.shape.ends_in_window { derived(select) } else { select };
        sliced(select, (offset > 0).then_some(offset), limit)
    }

    /// The select with the columns of `terms` among its own. Those from `given` on only break ties.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] for a term whose column the select does not have.
    pub(crate) fn keyed(&self, terms: Vec<Term>, given: usize) -> Result<Keyed> {
        let placed = self.place_all(terms, given)?;
        let table = self.only_table(&placed);
        let in_place = self.shape.kind == Kind::Plain
            && !self.is_limited()
            && placed.iter().all(|(_, place)| matches!(place, Place::From(_)));
        let mut base = self.all();
        let mut sorts = Vec::with_capacity(placed.len());
        let mut names = (0..).map(key_name).filter(|name| !self.shape.has_output(name));
        for (term, place) in &placed {
            let (column, output) = match place {
                Place::From(column) => (Some(column), names.next().unwrap_or_default()),
                Place::Result(name) => (None, name.clone()),
            };
            if let Some(column) = column {
                base.expr_as(column.clone(), output.clone());
            }
            let inside = column.filter(|_| in_place).cloned();
            let expr = inside.unwrap_or_else(|| Expr::col((DERIVED, output.clone())));
            sorts.push(OrderColumn::of(term, expr, output));
        }
        let base = if in_place { base } else { derived(base) };
        Ok(Keyed { base, terms: placed.into_iter().map(|(term, _)| term).collect(), sorts, table })
    }

    /// The terms, each with the place of its column. Tie-breakers that the select does not have are dropped.
    fn place_all(&self, terms: Vec<Term>, given: usize) -> Result<Vec<(Term, Place)>> {
        let mut placed = Vec::with_capacity(terms.len());
        for (at, term) in terms.into_iter().enumerate() {
            match self.place(&term) {
                Ok(place) => placed.push((term, place)),
                // Rows that are grouped or deduplicated need not have the primary key that would break ties.
                Err(_) if at >= given => {}
                Err(error) => return Err(error),
            }
        }
        Ok(placed)
    }

    /// Where a term's column is. As in ORDER BY, an unqualified name refers to a column of the result first, and then
    /// to a table's.
    fn place(&self, term: &Term) -> Result<Place> {
        let name = term.key.name;
        let found = match term.qualifier() {
            None if self.shape.kind == Kind::Whole || self.shape.is_of_result(name) => self.shape.output(name),
            Some(qualifier) if self.shape.kind == Kind::Whole => self.shape.output_of(qualifier, name),
            _ => return Ok(Place::From(self.column(term))),
        };
        let column = term.qualifier().map_or_else(|| format!("`{name}`"), |table| format!("`{table}.{name}`"));
        match found {
            Lookup::Found(output) => Ok(Place::Result(output)),
            Lookup::Ambiguous(output) => Err(FrameworkError::internal(format!(
                "the order has {column}, but several columns of the select are named `{output}`: give them aliases, and \
                 order by `Column::new(\"…\")` with one of these"
            ))),
            Lookup::Missing => Err(FrameworkError::internal(format!(
                "the order has {column}, which is not among the columns of the select's result: select it, or order by \
                 `Column::new(\"…\")` with a column that is"
            ))),
        }
    }

    /// A term's column in the FROM clause. Several tables may have a column of an unqualified name; the select list
    /// then decides.
    fn column(&self, term: &Term) -> Expr {
        let name = term.key.name;
        match (term.qualifier(), self.shape.qualifier_of(name)) {
            (None, Some(qualifier)) => Expr::col((qualifier.to_owned(), name)),
            (None, None) => self.dialect.unqualified(name),
            _ => term.expr(),
        }
    }

    /// The only table that the rows come from, if all columns of the order are its own and its primary key is among
    /// them.
    fn only_table(&self, placed: &[(Term, Place)]) -> Option<&'static Table> {
        let repeats_no_row = matches!(self.shape.kind, Kind::Plain | Kind::Disjunction);
        let from = self.shape.table.as_ref().filter(|_| repeats_no_row)?;
        let table = placed.iter().filter_map(|(term, _)| term.table).find(|table| {
            let same_schema = from.schema.as_deref().zip(table.schema).is_none_or(|(one, other)| one == other);
            from.name == table.name && same_schema
        });
        let has = |name: &&str| {
            let is_column = |term: &Term| term.key.name == *name && is_of(term, from);
            placed.iter().any(|(term, place)| matches!(place, Place::From(_)) && is_column(term))
        };
        let own = placed.iter().all(|(term, place)| matches!(place, Place::From(_)) && is_of(term, from));
        table.filter(|table| own && table.primary_key.iter().all(has))
    }

    fn is_limited(&self) -> bool {
        self.limit.is_some() || self.offset > 0
    }
}

/// Whether a term's column belongs to the only table in the FROM clause.
fn is_of(term: &Term, from: &From) -> bool {
    term.qualifier().is_none_or(|qualifier| qualifier == from.alias.as_ref().unwrap_or(&from.name))
}

/// The select without ORDER BY, LIMIT and OFFSET.
fn unordered(statement: &SelectStatement) -> SelectStatement {
    statement.clone().clear_order_by().reset_limit().reset_offset().take()
}

/// The limit and the offset that a select has.
fn window(statement: &SelectStatement, dialect: Dialect) -> (Option<u64>, Option<u64>) {
    let unlimited = statement.clone().reset_limit().take();
    let unshifted = statement.clone().reset_offset().take();
    let limit = (unlimited != *statement).then(|| replaced(statement, dialect, |select, mark| select.limit(mark)));
    let offset = (unshifted != *statement).then(|| replaced(statement, dialect, |select, mark| select.offset(mark)));
    (limit.flatten(), offset.flatten())
}

/// The number that `replace` overwrites. sea-query has no getter for it, so it is found among the bound values, by
/// comparing them before and after.
fn replaced(
    statement: &SelectStatement,
    dialect: Dialect,
    replace: impl Fn(&mut SelectStatement, u64) -> &mut SelectStatement,
) -> Option<u64> {
    let values = |select: &SelectStatement| dialect.render(select, |_| None).1.0;
    let before = values(statement);
    let other = (0..u64::MAX).find(|number| !before.contains(&Value::from(*number)))?;
    let after = values(&replace(&mut statement.clone(), other).take());
    let at = after.iter().position(|value| *value == Value::from(other))?;
    match before.get(at)? {
        Value::BigUnsigned(number) => *number,
        _ => None,
    }
}
