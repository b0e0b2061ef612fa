//! Cursor pages: the order of a list, its rows, and the statement of each page.
//!
//! [`KeysetQuery`] is the list. [`KeysetOrder`] is the part of its order that is known before a page is read; it is
//! cached for a model's queries. [`PageOrder`] adds what the database's catalog says. The condition itself is in
//! [`crate::predicate`].

mod caller_rows;
mod model_base;
mod page_order;
mod text;

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sea_query::{Expr, Value};

pub use self::caller_rows::{CallerRows, ListName};
pub use self::model_base::ModelBase;
pub use self::page_order::PageOrder;
use crate::access::{AccessPath, EqualityColumns};
use crate::boundary::{Boundary, BoundaryValue};
use crate::cursor::{CursorBinding, CursorDirection, push_part};
use crate::custom::volatile;
use crate::dialect::catalog::SharedInfo;
use crate::dialect::{Dialect, Param, Sql};
use crate::error::Result;
use crate::feed::{Feed, MAX_NEAREST};
use crate::order::{OrderColumn, check_mergeable};
use crate::predicate::{Limit, Span, ValueSource};
use crate::schema::column_check;
use crate::schema::table::Table;
use crate::schema::term::{Term, check_terms};
use crate::statement::filtered::FilteredRows;
use crate::statement::select::{Number, Select};
use crate::statement::template::{BoundSql, PageValues};
use crate::value::{self, Kind, Variant};

/// The order of a list that is paged by cursor, and what its cursors are bound to. Only an expression contains values.
///
/// It is made once for all pages of a list, so it has everything that follows from the columns and the dialect alone.
#[derive(Debug)]
pub struct KeysetOrder {
    /// Identifies this order in the keys of templates.
    pub id: u64,
    pub dialect: Dialect,
    pub terms: Vec<Term>,
    pub sorts: Vec<OrderColumn>,
    /// The types of the columns, with which a cursor is read.
    pub types: Vec<Kind>,
    pub binding: CursorBinding,
    /// The table of all columns, if its primary key is among them, so that no two rows tie. Otherwise the rows of each
    /// page are checked: a page that began between two that tie would lose one.
    pub table: Option<&'static Table>,
    /// The expressions among the columns.
    pub expressions: Vec<OrderColumn>,
    /// Whether an index has all columns' NULLs where this order wants them.
    pub matches_index: bool,
    forwards: DirectedOrder,
    backwards: DirectedOrder,
}

/// An order as it is read in one direction.
#[derive(Debug)]
struct DirectedOrder {
    /// The columns, with NULLs in those that may have them although their types do not: a row with NULL has the place
    /// where the database puts it, and is read or refused, but never left out.
    ///
    /// In a model's own columns, none are expected. Whether there are any is [verified](Span::left_out) instead, because
    /// the conditions for them would make a page slower.
    sorts: Vec<OrderColumn>,
    /// For each column, whether a condition for the values after a boundary leaves out rows with NULL.
    hides_nulls: Vec<bool>,
}

impl DirectedOrder {
    fn new(dialect: Dialect, sorts: Vec<OrderColumn>) -> Self {
        let hides_nulls = sorts.iter().map(|sort| sort.hides_nulls(dialect)).collect();
        Self { sorts, hides_nulls }
    }
}

impl KeysetOrder {
    pub fn new(
        dialect: Dialect,
        terms: Vec<Term>,
        sorts: Vec<OrderColumn>,
        binding: CursorBinding,
        table: Option<&'static Table>,
    ) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let may_be_null = |term: &Term| match term.expression() {
            Some(expression) => !expression.is_not_null(),
            None => table.is_none(),
        };
        let read = |(sort, term): (&OrderColumn, &Term)| match may_be_null(term) {
            true => sort.with_natural_nulls(dialect),
            false => sort.clone(),
        };
        let forwards: Vec<OrderColumn> = sorts.iter().zip(&terms).map(read).collect();
        let backwards = forwards.iter().map(OrderColumn::reversed).collect();
        let binding = match values(dialect, &terms) {
            Some(values) => binding.bound_to("values", &values),
            None => binding,
        };
        Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            dialect,
            types: terms.iter().map(Term::kind).collect(),
            expressions: sorts.iter().filter(|sort| sort.is_computed).cloned().collect(),
            matches_index: sorts.iter().all(|sort| sort.is_natural(dialect)),
            forwards: DirectedOrder::new(dialect, forwards),
            backwards: DirectedOrder::new(dialect, backwards),
            terms,
            sorts,
            binding,
            table,
        }
    }

    /// The order of a model's rows, whose columns include the key under its own names.
    ///
    /// # Errors
    /// [`Misuse`](crate::error::Misuse) for a column of another table, a column that is named twice, an expression that
    /// sorts nothing or whose value changes between pages, and an order in which a proxy would merge the rows of several
    /// servers wrongly.
    pub fn of_model(dialect: Dialect, table: &'static Table, terms: Vec<Term>) -> Result<Self> {
        terms.iter().try_for_each(Term::check)?;
        check_terms(&terms)?;
        terms.iter().try_for_each(|term| column_check::check(table, &term.expr()))?;
        volatile::check_terms(dialect, &terms)?;
        let sorts: Vec<_> = terms.iter().enumerate().map(|(at, term)| OrderColumn::of_table(at, term)).collect();
        check_mergeable(dialect, &sorts)?;
        let binding = CursorBinding::of_model(table, &terms);
        Ok(Self::new(dialect, terms, sorts, binding, Some(table)))
    }

    /// The order of a page, with what the catalog says about the table, if that is known. Behind a proxy, it is the
    /// catalog of one of several servers, and not used.
    pub fn for_page(&self, info: Option<SharedInfo>) -> PageOrder<'_> {
        let info = info.filter(|_| !self.dialect.facts().is_plain);
        // Citus, in front of several shards, refuses the subquery. With one, MariaDB's Spider reads only the first of a
        // page's ranges. About MySQL, see [`Server::verifies_pages`](crate::dialect::Server::verifies_pages).
        let verifies = match &info {
            Some(info) => !info.is_sharded && !info.is_spider && info.server.verifies_pages,
            None => self.dialect.facts().unknown_server.verifies_pages,
        };
        PageOrder { keyset: self, info, verifies }
    }

    /// About how much memory it takes, in bytes.
    pub fn size(&self) -> usize {
        self.terms.len().saturating_add(1).saturating_mul(1_024)
    }

    /// The names of the columns, for errors.
    pub fn names(&self) -> String {
        let names: Vec<&str> = self.terms.iter().map(|term| term.key.name).collect();
        names.join(", ")
    }

    /// NULL in the key's first column. A key has at least one.
    pub fn null(&self) -> Value {
        self.terms.first().map_or(Variant::BigInt, |term| term.key.variant).null()
    }

    fn columns(&self) -> impl Iterator<Item = (Variant, &Expr)> {
        self.terms.iter().zip(&self.sorts).map(|(term, sort)| (term.key.variant, &sort.expr))
    }
}

/// The values in an order's expressions, as cursors are bound to them: a list by the distance to one price is in another
/// order than that by the distance to another. `None` if there are none.
fn values(dialect: Dialect, terms: &[Term]) -> Option<Vec<u8>> {
    let mut words = Vec::new();
    let mut has_any = false;
    for expression in terms.iter().filter_map(Term::expression) {
        let sql = Sql::of(dialect, expression.expr());
        let values = sql.params().filter_map(|param| match param {
            Param::Constant(value) => Some(value),
            _ => None,
        });
        let values = value::identity(values);
        has_any |= !values.is_empty();
        push_part(&mut words, &[&values]);
    }
    has_any.then_some(words)
}

/// Rows, and the order in which they are paged through.
#[derive(Debug)]
pub struct KeysetQuery {
    pub order: Arc<KeysetOrder>,
    pub base: Base,
    /// What the cursors are bound to in addition to the order.
    pub binding: BindingOptions,
}

/// What the cursors of a list are bound to in addition to its order.
#[derive(Debug, Clone, Default)]
pub struct BindingOptions {
    /// The tenant whose rows are listed, as a cursor would contain its value.
    pub tenant: Option<Vec<u8>>,
    /// A name that the caller chose.
    pub scope: Option<String>,
    /// Whether they are bound to the filters' text and values.
    pub filters: bool,
}

impl KeysetQuery {
    /// The table, if the plan of a page depends on what the catalog says about it. With `is_cached`, the catalog is
    /// asked once for many pages; otherwise a question for each page would take longer than planning.
    ///
    /// A first page in an index's own order has only one plan. With filters, the catalog tells whether PostgreSQL and
    /// SQLite may keep a generic plan. On PostgreSQL, it also tells whether Citus distributes the table: each server would
    /// send as many rows as the literal limit.
    pub fn table_to_learn(&self, has_boundary: bool, is_cached: bool) -> Option<&'static Table> {
        let facts = self.order.dialect.facts();
        let (is_feed, has_filters) = match &self.base {
            Base::Model(model) => (model.feed.is_some(), !model.rows.plan.equality.filters.is_empty()),
            Base::Caller(_) => (false, false),
        };
        let has_one_plan = !is_feed && !facts.needs_index_hints && self.order.matches_index;
        let gains_by_cache = facts.has_generic_plans && has_filters || facts.literal_limit.is_some();
        self.order.table.filter(|_| has_boundary || !has_one_plan || is_cached && gains_by_cache)
    }

    /// Whether the columns of the order have to be checked before a page is read. SQL text names its columns itself, and
    /// the rows of several selects have types of their own.
    pub fn has_columns_to_check(&self) -> bool {
        matches!(self.base, Base::Caller(_)) || !self.order.matches_index
    }

    pub fn cursor_binding(&self) -> Cow<'_, CursorBinding> {
        self.bound_to(|| self.base.filters())
    }

    /// What the cursors of one group's rows are bound to: the same as those of a query that filters by the group.
    pub fn cursor_binding_of_group(&self, model: &ModelBase, feed: &Feed, at: usize) -> Cow<'_, CursorBinding> {
        self.bound_to(|| feed.rows_of_group(&model.rows, at).to_key())
    }

    /// The order's binding, with the tenant, the name that the caller chose and the filters, if they are bound.
    fn bound_to(&self, to_key: impl FnOnce() -> String) -> Cow<'_, CursorBinding> {
        let BindingOptions { tenant, scope, filters } = &self.binding;
        let mut bound = Cow::Borrowed(&self.order.binding);
        if let Some(tenant) = tenant {
            bound = Cow::Owned(bound.into_owned().bound_to("tenant", tenant));
        }
        if let Some(scope) = scope {
            bound = Cow::Owned(bound.into_owned().bound_to("scope", scope.as_bytes()));
        }
        if *filters {
            bound = Cow::Owned(bound.into_owned().bound_to("filters", to_key().as_bytes()));
        }
        bound
    }
}

/// The rows of a list, without order and limit.
#[derive(Debug)]
pub enum Base {
    Model(Box<ModelBase>),
    Caller(Box<CallerRows>),
}

/// The rows that a page asks for, and the direction in which they are read.
#[derive(Debug, Clone, Copy)]
pub struct PageRequest<'a> {
    pub direction: CursorDirection,
    /// Where reading begins; `None` for the first row in the direction of reading.
    pub start: Option<Boundary<'a>>,
    /// Where the page ends. Rows after it are read, but not marked as [`WITHIN`](crate::predicate::WITHIN).
    pub end: Option<Boundary<'a>>,
    pub skip: u64,
    pub limit: u64,
    /// What a lookup found out about a feed's page.
    pub candidates: Option<Candidates<'a>>,
}

/// The part of a feed that a page can have rows of.
#[derive(Debug, Clone, Copy)]
pub struct Candidates<'a> {
    /// The places of the groups among those of the feed.
    pub groups: &'a [usize],
    /// Upper bound of the page in the order's leading columns, if known.
    pub upper: &'a [BoundaryValue],
}

impl<'a> Candidates<'a> {
    /// The candidates that a page is read from. If there are none, or more than [`MAX_NEAREST`], it filters by all
    /// groups, which is faster for that many.
    pub fn new(groups: &'a [usize], upper: &'a [BoundaryValue]) -> Option<Self> {
        (1..=MAX_NEAREST).contains(&groups.len()).then_some(Self { groups, upper })
    }
}

impl<'a> PageRequest<'a> {
    /// The rows that have NULL in the order's first column, of which `null` is the value.
    pub fn among_nulls(self, null: &'a [BoundaryValue]) -> Self {
        Self { start: Some(Boundary { values: null, inclusive: true }), candidates: None, ..self }
    }

    /// How many rows are read for the page.
    pub fn read(self) -> u64 {
        self.limit(None).read().get()
    }

    /// The values that its statement binds.
    fn values(self) -> PageValues<'a> {
        PageValues {
            boundary: self.start.map_or(&[], |start| start.values),
            upper: self.candidates.map_or(&[], |candidates| candidates.upper),
            limit: self.limit,
            ..PageValues::default()
        }
    }

    /// Whether the page's statement has a template. The pages that clients request most often do.
    fn has_template(self) -> bool {
        self.end.is_none() && self.skip == 0
    }

    fn limit(self, literal_limit: Option<u64>) -> Limit {
        let literal_limit = literal_limit.filter(|_| self.has_template());
        Limit { skip: self.skip, literal_limit, ..Limit::of(Number::Page(self.limit)) }
    }

    /// The span that the rows are read from. A page of a model's query may have a literal limit.
    fn span(self, access: &'a AccessPath, sorts: &'a [OrderColumn], literal_limit: Option<u64>) -> Span<'a> {
        let limit = self.limit(literal_limit);
        Span { access, sorts, boundary: self.start, source: ValueSource::Start, end: self.end, limit }
    }
}

impl Base {
    pub fn dialect(&self) -> Dialect {
        match self {
            Self::Model(model) => model.rows.plan.dialect,
            Self::Caller(rows) => rows.renderer.dialect,
        }
    }

    /// A text that identifies the conditions and their values; for a caller's select, the whole select.
    fn filters(&self) -> String {
        match self {
            Self::Model(model) => model.filtered().to_key(),
            Self::Caller(rows) => rows.to_key(),
        }
    }

    /// The equality columns. A caller's conditions are only known as text.
    pub fn equality_columns(&self) -> Cow<'_, EqualityColumns> {
        match self {
            Self::Model(model) => model.equality_columns(),
            Self::Caller(rows) => Cow::Owned(EqualityColumns::of_raw(rows.searched())),
        }
    }

    pub fn select(&self) -> Select {
        match self {
            Self::Model(model) => model.filtered().select(),
            Self::Caller(rows) => rows.all(),
        }
    }

    /// The statement of a select of these rows, without a template because it is rarely needed.
    pub fn statement(&self, select: &Select) -> BoundSql {
        match self {
            Self::Model(model) => model.filtered().statement(&select.sql(), PageValues::default()),
            Self::Caller(rows) => rows.renderer.statement(&select.sql(), PageValues::default()),
        }
    }

    pub fn feed(&self) -> Option<&Feed> {
        self.groups().map(|(_, feed)| feed)
    }

    /// The rows of a model's query, of any group.
    pub fn rows(&self) -> Option<&FilteredRows> {
        match self {
            Self::Model(model) => Some(&model.rows),
            Self::Caller(_) => None,
        }
    }

    /// Whether values of the filters came from the request.
    pub fn has_request_filters(&self) -> bool {
        self.rows().is_some_and(|rows| !rows.request_parameters.is_empty())
    }

    /// The rows of a model's query with their groups, if it is a feed.
    pub fn groups(&self) -> Option<(&ModelBase, &Feed)> {
        match self {
            Self::Model(model) => Some((model, model.feed.as_ref()?)),
            Self::Caller(_) => None,
        }
    }

    /// The statement that finds a row that a page leaves out.
    pub fn left_out(&self, order: &PageOrder<'_>, page: PageRequest<'_>) -> Option<BoundSql> {
        let (access, sorts) = (AccessPath::unknown(self.dialect()), order.sorts(page.direction));
        let span = Span { source: ValueSource::Constant, ..page.span(&access, sorts, None) };
        let left_out = span.left_out();
        let found = || self.statement(&self.select().and_all(left_out.iter().cloned()).limit(Number::Bound(1)));
        (!left_out.is_empty()).then(found)
    }

    pub fn page(&self, order: &PageOrder<'_>, page: PageRequest<'_>) -> BoundSql {
        match self {
            Self::Model(model) => model.page(order, page),
            Self::Caller(rows) => rows.page(order, page),
        }
    }
}

#[cfg(test)]
mod tests;
