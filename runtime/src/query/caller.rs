//! A select that a caller wrote: how it is counted, paged by offset, and prepared for cursor pages.

use std::sync::Arc;

use sea_query::{Expr, SelectStatement, Value};

use crate::dialect::Dialect;
use crate::error::{FrameworkError, Result};
use crate::model::table::Table;
use crate::model::term::Term;
use crate::query::deferred_join::{DERIVED, derived};
use crate::query::order_column::{OrderColumn, key_name};
use crate::query::raw_sql::{RawSql, SqlSource};
use crate::query::shape::{From, Kind, Lookup, Shape};
use crate::query::slice::{Slice, sliced};
use crate::query::template::Renderer;
use crate::query::total::counted;

/// The largest limit and offset that every database takes.
const UNLIMITED: u64 = i64::MAX as u64;

/// A list as a caller wrote it.
#[derive(Debug, Clone)]
pub(crate) enum Listing {
    Select(Box<SelectStatement>),
    Text(RawSql),
    /// A select with this method, which is for SQL text.
    Misused(&'static str),
}

/// A select that a caller wrote, and what can be done with it.
#[derive(Debug)]
pub(crate) struct CallerSelect {
    statement: SelectStatement,
    shape: Shape,
    renderer: Renderer,
    /// The caller's own limit and offset. The list consists of the rows that remain.
    limit: Option<u64>,
    offset: u64,
}

/// A select with its key among its columns.
#[derive(Debug)]
pub(crate) struct Keyed {
    pub(crate) base: SelectStatement,
    /// The selects whose rows `base` unites, if a page can be read from each of them.
    pub(crate) arms: Vec<SelectStatement>,
    pub(crate) terms: Vec<Term>,
    pub(crate) sorts: Vec<OrderColumn>,
    /// The table that all rows come from, if its primary key is part of the key, so that no two rows tie.
    pub(crate) table: Option<&'static Table>,
}

/// How a page and its total are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TotalForm {
    /// With the count as a column of the page.
    Beside,
    /// With rows that are computed once, for the page and for the count.
    Whole,
    /// By two statements.
    Separate,
}

/// Where a term's column is found.
enum Place {
    /// Among the columns of the FROM clause, as this expression.
    From(Expr),
    /// In the select's result, under this name.
    Result(String),
}

impl Place {
    /// A column of the order, which has this name in the result.
    fn sort(&self, term: &Term, name: String, in_place: bool) -> OrderColumn {
        let expr = match self {
            Self::From(column) if in_place => column.clone(),
            _ => Expr::col((DERIVED, name.clone())),
        };
        OrderColumn::of(term, expr, name)
    }
}

impl CallerSelect {
    /// Analyzes a list through its SQL text.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] for a select that cannot be paged, such as one that locks rows.
    pub(crate) fn new(listing: Listing, dialect: Dialect) -> Result<Self> {
        match listing {
            Listing::Select(statement) => Self::of_select(*statement, dialect),
            Listing::Misused(method) => Err(FrameworkError::internal(format!(
                "`{method}` is for SQL text, and this select was built with sea-query, which has values and UNION of its \
                 own: create it with `Select::sql`, or leave `{method}` out"
            ))),
            Listing::Text(raw) => {
                let (source, shape) = SqlSource::new(&raw, dialect)?;
                let renderer = Renderer { dialect, source: Some(Arc::new(source)) };
                let statement = renderer.source.as_ref().map(|source| source.all()).unwrap_or_default();
                Ok(Self { statement, shape, renderer, limit: None, offset: 0 })
            }
        }
    }

    fn of_select(mut statement: SelectStatement, dialect: Dialect) -> Result<Self> {
        let (limit, offset) = window(&statement, dialect);
        if limit.is_some() || offset.is_some() {
            // Some databases have no OFFSET without LIMIT.
            statement.limit(limit.unwrap_or(UNLIMITED).min(UNLIMITED));
            statement.offset(offset.unwrap_or(0).min(UNLIMITED));
        }
        let bare = unordered(&statement);
        let text = |select: &SelectStatement| dialect.render(select, |_| None).0;
        let shape = Shape::of(&text(&bare), &text(bare.clone().clear_selects()))?;
        let renderer = Renderer { dialect, source: None };
        Ok(Self { statement, shape, renderer, limit, offset: offset.unwrap_or(0) })
    }

    pub(crate) fn renderer(&self) -> &Renderer {
        &self.renderer
    }

    /// Whether only the select as a whole can be used.
    fn is_whole(&self) -> bool {
        self.shape.kind == Kind::Whole || self.renderer.source.is_some()
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

    /// The count of all rows: over the same FROM and WHERE if the result is the same, else over a derived table. With
    /// `up_to`, no more rows than that are counted.
    pub(crate) fn count(&self, up_to: Option<u64>) -> SelectStatement {
        // Without the list, SQLite would take an alias in the WHERE for a text.
        let needs_list = self.renderer.dialect.reads_unknown_names_as_texts() && self.shape.has_aliases();
        if self.is_whole() || self.shape.kind == Kind::Computed || self.is_limited() || needs_list {
            counted(derived(self.all()), up_to)
        } else {
            counted(unordered(&self.statement), up_to)
        }
    }

    /// How a page and its total are read. `is_keyed` says whether the page is of the select with its key, in an order
    /// that replaces its own.
    pub(crate) fn total_form(&self, is_keyed: bool) -> TotalForm {
        let is_text = self.renderer.source.is_some();
        let takes_columns = self.shape.is_regular || self.shape.ends_in_window || is_text;
        if self.shape.counts_apart || !takes_columns {
            TotalForm::Separate
        } else if is_keyed && self.shape.is_computed && (self.shape.is_regular || is_text) {
            TotalForm::Whole
        } else {
            TotalForm::Beside
        }
    }

    /// Rejects a select that cannot be paged by number.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] for an order or a limit in raw SQL.
    pub(crate) fn check_numbered(&self) -> Result<()> {
        if self.renderer.source.is_some() {
            return Err(FrameworkError::internal(
                "a page of SQL text needs an order: add `order_by` with columns that end in a unique one, such as \
                 `.order_by(Column::<i64>::new(\"id\"))`",
            ));
        }
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
        let in_place = self.takes_conditions(&placed);
        let names = self.names(&placed);
        let mut base = self.all();
        for ((_, place), name) in placed.iter().zip(&names) {
            if let Place::From(column) = place {
                base.expr_as(column.clone(), name.clone());
            }
        }
        let sort = |((term, place), name): (&(Term, Place), String)| place.sort(term, name, in_place);
        let sorts = placed.iter().zip(names).map(sort).collect();
        let base = if in_place { base } else { derived(base) };
        let terms = placed.into_iter().map(|(term, _)| term).collect();
        Ok(Keyed { base, arms: self.arms(), terms, sorts, table })
    }

    /// Whether conditions on the key can be added to the select itself.
    fn takes_conditions(&self, placed: &[(Term, Place)]) -> bool {
        self.shape.kind == Kind::Plain
            && !self.is_whole()
            && !self.is_limited()
            && placed.iter().all(|(term, place)| matches!(place, Place::From(_)) && !self.may_be_alias(term))
    }

    /// The names that the key's columns have in the result. Those that folio selects get names that are free.
    fn names(&self, placed: &[(Term, Place)]) -> Vec<String> {
        let mut free = (0..).map(key_name).filter(|name| !self.shape.has_output(name));
        let mut name = |place: &Place| match place {
            Place::From(_) => free.next().unwrap_or_default(),
            Place::Result(name) => name.clone(),
        };
        placed.iter().map(|(_, place)| name(place)).collect()
    }

    /// The selects from which a page can be read by itself, if there are several.
    fn arms(&self) -> Vec<SelectStatement> {
        let united = self.renderer.source.as_ref().filter(|source| source.has_arms());
        united.map(|source| source.arms().collect()).unwrap_or_default()
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
        if term.expression().is_some() {
            return self.place_of_expression(term);
        }
        let found = match term.qualifier() {
            None if self.is_whole() || self.shape.is_of_result(name) => self.shape.output(name),
            Some(qualifier) if self.is_whole() => self.shape.output_of(qualifier, name),
            _ => return Ok(Place::From(self.column(term))),
        };
        match found {
            Lookup::Found(output) => Ok(Place::Result(output)),
            Lookup::Ambiguous(output) => Err(ambiguous(term, &output)),
            // Before the first page of SQL text, its columns are looked up.
            Lookup::Missing if term.qualifier().is_none() && self.renderer.source.is_some() => {
                Ok(Place::Result(name.to_owned()))
            }
            Lookup::Missing => Err(missing(term)),
        }
    }

    /// An expression of the order is evaluated inside the select, where its columns are.
    fn place_of_expression(&self, term: &Term) -> Result<Place> {
        if self.is_whole() {
            return Err(FrameworkError::internal(format!(
                "the order has the expression `{0}`, which cannot be evaluated inside SQL text, or inside a select that \
                 groups, unites or deduplicates rows: select it as `{0}`, and order by `Column::new(\"{0}\")`",
                term.key.name
            )));
        }
        term.check()?;
        Ok(Place::From(term.expr()))
    }

    /// Whether ORDER BY may take a column of an expression for a column of the result.
    fn may_be_alias(&self, term: &Term) -> bool {
        term.expression().is_some() && self.shape.has_aliases()
    }

    /// A term's column in the FROM clause. Several tables may have a column of an unqualified name; the select list
    /// then decides.
    fn column(&self, term: &Term) -> Expr {
        let name = term.key.name;
        match (term.qualifier(), self.shape.qualifier_of(name)) {
            (None, Some(qualifier)) => Expr::col((qualifier.to_owned(), name)),
            (None, None) => self.renderer.dialect.unqualified(name),
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
            let is_column = |term: &Term| term.is_named(name) && is_of(term, from);
            placed.iter().any(|(term, place)| matches!(place, Place::From(_)) && is_column(term))
        };
        let own = placed.iter().all(|(term, place)| matches!(place, Place::From(_)) && is_of(term, from));
        table.filter(|table| own && table.primary_key.iter().all(has))
    }

    fn is_limited(&self) -> bool {
        self.limit.is_some() || self.offset > 0
    }
}

/// The error for a term whose column several columns of the result may be.
fn ambiguous(term: &Term, output: &str) -> FrameworkError {
    FrameworkError::internal(format!(
        "the order has {}, but several columns of the select are named `{output}`: give them aliases, and order by \
         `Column::new(\"…\")` with one of these",
        written(term)
    ))
}

/// The error for a term whose column is not in the result.
fn missing(term: &Term) -> FrameworkError {
    FrameworkError::internal(format!(
        "the order has {}, which is not among the columns of the select's result: select it, or order by \
         `Column::new(\"…\")` with a column that is",
        written(term)
    ))
}

/// A term's column as an error names it.
fn written(term: &Term) -> String {
    let name = term.key.name;
    term.qualifier().map_or_else(|| format!("`{name}`"), |table| format!("`{table}.{name}`"))
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
