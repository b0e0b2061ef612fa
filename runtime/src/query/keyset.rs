//! Cursor pages: the order of a list, its rows, and the statement of each page.
//!
//! [`KeysetQuery`] is the list. [`KeysetOrder`] is what is known before any page is read, and is cached for a model's
//! queries. [`PageOrder`] adds what the catalog of the database says. The condition itself is in
//! [`crate::query::predicate`].

mod form;

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sea_query::{Expr, SelectStatement};

use self::form::{Form, page_values, with_values};
use crate::crypt::Keyring;
use crate::cursor::{Cursor, CursorBinding, CursorDirection, Part, PartType};
use crate::dialect::Dialect;
use crate::dialect::catalog::TableInfo;
use crate::error::{FrameworkError, Result};
use crate::model::table::Table;
use crate::model::term::Term;
use crate::query::access::{Access, Fixed};
use crate::query::deferred_join::ModelRows;
use crate::query::order_column::{OrderColumn, key_name};
use crate::query::predicate::{self, Boundary, Limit, Span};
use crate::query::template::{BoundSql, QueryText, Renderer, Templates};
use crate::value::Variant;

/// The order of a list that is paged by cursor, and what its cursors are bound to. It contains no values.
#[derive(Debug)]
pub(crate) struct KeysetOrder {
    /// Identifies this order in the keys of templates.
    id: u64,
    pub(crate) terms: Vec<Term>,
    pub(crate) sorts: Vec<OrderColumn>,
    pub(crate) binding: CursorBinding,
    /// The table of all columns, if its primary key is among them, so that no two rows tie.
    pub(crate) table: Option<&'static Table>,
}

impl KeysetOrder {
    pub(crate) fn new(
        terms: Vec<Term>,
        sorts: Vec<OrderColumn>,
        binding: CursorBinding,
        table: Option<&'static Table>,
    ) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self { id: NEXT.fetch_add(1, Ordering::Relaxed), terms, sorts, binding, table }
    }

    /// The order of a model's rows, whose columns include the key under its own names.
    pub(crate) fn of_model(table: &'static Table, terms: Vec<Term>) -> Self {
        let binding = CursorBinding::of_model(table, &terms);
        let sorts = terms.iter().enumerate().map(|(at, term)| OrderColumn::of_table(at, term)).collect();
        Self::new(terms, sorts, binding, Some(table))
    }

    /// The order on a database where some columns may be NULL although their types cannot. A row with NULL comes where
    /// the database puts it, and is read or refused, but never left out.
    pub(crate) fn for_page(&self, dialect: Dialect, undeclared: Vec<bool>) -> PageOrder<'_> {
        if !undeclared.contains(&true) {
            return PageOrder { sorts: Cow::Borrowed(&self.sorts), undeclared, info: None };
        }
        PageOrder { sorts: Cow::Owned(self.with_nulls(dialect, &undeclared)), undeclared, info: None }
    }

    /// The order with NULLs in undeclared columns.
    fn with_nulls(&self, dialect: Dialect, undeclared: &[bool]) -> Vec<OrderColumn> {
        let sort = |(sort, undeclared): (&OrderColumn, &bool)| match undeclared {
            true => sort.with_natural_nulls(dialect),
            false => sort.clone(),
        };
        self.sorts.iter().zip(undeclared).map(sort).collect()
    }

    /// The order on a database whose catalog says this about the table.
    pub(crate) fn for_page_of(&self, dialect: Dialect, info: Option<Arc<TableInfo>>) -> PageOrder<'_> {
        let undeclared = |term: &Term| term.key.nulls.is_none() && !is_not_null(term, info.as_deref());
        let undeclared = self.terms.iter().map(undeclared).collect();
        PageOrder { info, ..self.for_page(dialect, undeclared) }
    }

    /// The expressions that the order sorts by, which a page has to select.
    pub(crate) fn expressions(&self) -> impl Iterator<Item = &OrderColumn> {
        self.sorts.iter().filter(|sort| sort.is_computed)
    }

    /// About how much memory it takes, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.terms.len().saturating_add(1).saturating_mul(512)
    }

    /// Whether an index has all columns' NULLs where this order wants them.
    pub(crate) fn matches_index(&self, dialect: Dialect) -> bool {
        self.sorts.iter().all(|sort| sort.is_natural(dialect))
    }

    /// The names of the columns, for errors.
    pub(crate) fn names(&self) -> String {
        let names: Vec<&str> = self.terms.iter().map(|term| term.key.name).collect();
        names.join(", ")
    }

    fn types(&self) -> Vec<PartType> {
        self.terms.iter().map(Term::kind).collect()
    }

    /// Whether the columns' types have these values.
    fn has_values(&self, boundary: &[Part]) -> bool {
        self.terms.iter().zip(boundary).all(is_value)
    }

    /// A select with the facts about the key's columns, and the mark of the rows before the page's end.
    fn with_marks(&self, span: Span<'_>, mut select: SelectStatement) -> SelectStatement {
        span.access.dialect.select_key_facts(&mut select, self.columns());
        span.mark(&mut select);
        select
    }

    /// The types and expressions of the key's columns.
    fn columns(&self) -> impl Iterator<Item = (Variant, &Expr)> {
        self.terms.iter().zip(&self.sorts).map(|(term, sort)| (term.key.variant, &sort.expr))
    }
}

/// Whether the caller states that an expression is never NULL, or the catalog that a column is not.
fn is_not_null(term: &Term, info: Option<&TableInfo>) -> bool {
    match term.expression() {
        Some(expression) => expression.is_not_null(),
        None => info.is_some_and(|info| info.is_not_null(term.key.name)),
    }
}

/// The order of one page.
#[derive(Debug)]
pub(crate) struct PageOrder<'a> {
    sorts: Cow<'a, [OrderColumn]>,
    /// Which columns may be NULL although their types cannot.
    undeclared: Vec<bool>,
    /// What the catalog says about the table, if it was asked.
    info: Option<Arc<TableInfo>>,
}

impl PageOrder<'_> {
    /// The order in which a page's rows are read.
    fn sorts(&self, direction: CursorDirection) -> Cow<'_, [OrderColumn]> {
        match direction {
            CursorDirection::Next => Cow::Borrowed(&self.sorts),
            CursorDirection::Prev => self.sorts.iter().map(OrderColumn::reversed).collect(),
        }
    }

    /// The same order for a page that does not name an index.
    pub(crate) fn without_index(self) -> Self {
        Self { info: None, ..self }
    }
}

/// Rows, and the order in which they are paged through.
#[derive(Debug)]
pub(crate) struct KeysetQuery {
    pub(crate) order: Arc<KeysetOrder>,
    pub(crate) base: Base,
    /// What the cursors are bound to beside the order.
    pub(crate) binding: BindingOptions,
}

/// What the cursors of a list are bound to beside its order.
#[derive(Debug, Clone, Default)]
pub(crate) struct BindingOptions {
    /// A name that the caller chose.
    pub(crate) scope: Option<String>,
    /// Whether they are bound to the filters' text and values.
    pub(crate) filters: bool,
}

impl KeysetQuery {
    /// What the cursors are bound to.
    pub(crate) fn scope(&self) -> Cow<'_, CursorBinding> {
        let BindingOptions { scope, filters } = &self.binding;
        let mut bound = Cow::Borrowed(&self.order.binding);
        if let Some(scope) = scope {
            bound = Cow::Owned(bound.into_owned().bound_to("scope", scope.as_bytes()));
        }
        if *filters {
            bound = Cow::Owned(bound.into_owned().bound_to("filters", self.base.filters().as_bytes()));
        }
        bound
    }

    /// Opens a cursor over the list.
    ///
    /// # Errors
    /// Same as [`Cursor::open`], and [`FrameworkError::Domain`], 400, for a value that the column's type does not have.
    pub(crate) fn open(&self, keyring: &Keyring, token: &str) -> Result<Cursor> {
        let types = self.order.types();
        let cursor = Cursor::open(keyring, &self.scope(), &types, token)?;
        if self.order.has_values(&cursor.boundary) { Ok(cursor) } else { Err(FrameworkError::invalid_cursor()) }
    }
}

/// Whether the column's type has this value. An enum may have lost the variant since the cursor was sealed.
fn is_value((term, part): (&Term, &Part)) -> bool {
    term.key.canonical.of_value(&part.value).is_some()
}

/// The rows of a list, without order and limit.
#[derive(Debug)]
pub(crate) enum Base {
    /// The rows of a model's query.
    Model(ModelRows, QueryText),
    /// The rows of a caller's select.
    Caller(Box<CallerRows>),
}

/// The rows of a caller's select, with the key among its columns.
#[derive(Debug)]
pub(crate) struct CallerRows {
    pub(crate) select: SelectStatement,
    /// The selects whose rows it unites, if a page can be read from each of them.
    pub(crate) arms: Vec<SelectStatement>,
    pub(crate) renderer: Renderer,
}

impl CallerRows {
    /// The rows of a span: of several selects, those of each.
    fn page(&self, order: &KeysetOrder, span: Span<'_>) -> SelectStatement {
        let base = |select: &SelectStatement| order.with_marks(span, select.clone());
        if self.arms.is_empty() {
            return span.of(&base(&self.select));
        }
        span.of_all(self.arms.iter().map(base))
    }

    /// The select as its conditions are searched for columns. The columns of SQL text are its own to name.
    fn searched(&self) -> BoundSql {
        let mut conditions = self.select.clone();
        if self.renderer.source.is_none() {
            conditions.clear_selects();
        }
        self.renderer.statement(&conditions)
    }
}

/// Which rows a page has, and in which direction they are read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageRows<'a> {
    pub(crate) direction: CursorDirection,
    /// Where reading begins; at the first row of the direction if there is none.
    pub(crate) start: Option<Boundary<'a>>,
    /// Where the page ends. The rows after it are read, but not marked as [`WITHIN`](predicate::WITHIN) it.
    pub(crate) end: Option<Boundary<'a>>,
    /// How many rows to pass over first.
    pub(crate) skip: u64,
    pub(crate) limit: u64,
}

impl PageRows<'_> {
    /// Whether the page's statement has a template, as those that clients ask for most.
    fn has_template(&self) -> bool {
        self.end.is_none() && self.skip == 0
    }
}

static TEMPLATES: Templates<Form> = Templates::new();

impl Base {
    pub(crate) fn dialect(&self) -> Dialect {
        match self {
            Self::Model(_, text) => text.dialect(),
            Self::Caller(rows) => rows.renderer.dialect,
        }
    }

    /// The conditions as text, with their values: a caller's select as a whole.
    fn filters(&self) -> String {
        match self {
            Self::Model(_, text) => text.to_key(),
            Self::Caller(rows) => match &rows.renderer.source {
                Some(source) => source.to_key(),
                None => format!("{:?}", rows.renderer.dialect.render(&rows.select, |_| None)),
            },
        }
    }

    /// The columns that the conditions fix. A caller's conditions are only known as text.
    pub(crate) fn fixed(&self) -> Fixed<'_> {
        match self {
            Self::Model(rows, _) => Fixed::by(&rows.filters),
            Self::Caller(rows) => Fixed::by_raw(rows.searched().sql.to_string()),
        }
    }

    pub(crate) fn select(&self) -> SelectStatement {
        match self {
            Self::Model(rows, _) => rows.filtered(),
            Self::Caller(rows) => rows.select.clone(),
        }
    }

    /// The statement of a select of these rows that is not worth a template.
    pub(crate) fn statement(&self, select: &SelectStatement) -> BoundSql {
        match self {
            Self::Model(_, text) => BoundSql::of(text.dialect(), select),
            Self::Caller(rows) => rows.renderer.statement(select),
        }
    }

    /// The rows of a page.
    pub(crate) fn page(&self, order: &KeysetOrder, page_order: &PageOrder<'_>, rows: PageRows<'_>) -> BoundSql {
        let PageRows { direction, start, end, skip, limit } = rows;
        let sorts = page_order.sorts(direction);
        let access = self.access(page_order, &sorts);
        let limit = Limit { rows: limit, skip, inner: self.inner_limit(limit).filter(|_| rows.has_template()) };
        let span = Span { access: &access, sorts: &sorts, boundary: start, end, limit };
        match self {
            Self::Model(_, text) if rows.has_template() => {
                let form = Form::of(order.id, &page_order.undeclared, direction, span);
                TEMPLATES
                    .statement(text, form, page_values(span), |values| self.after(order, with_values(span, values)))
            }
            _ => self.statement(&self.after(order, span)),
        }
    }

    /// The limit of an inner select. A caller's select has none.
    fn inner_limit(&self, limit: u64) -> Option<u64> {
        match self {
            Self::Model(_, text) => text.inner_limit(limit),
            Self::Caller(_) => None,
        }
    }

    /// How a page's rows are read.
    fn access(&self, order: &PageOrder<'_>, sorts: &[OrderColumn]) -> Access {
        match (self, &order.info) {
            (Self::Model(rows, _), Some(info)) => Access::new(self.dialect(), info, &Fixed::by(&rows.filters), sorts),
            _ => Access::unknown(self.dialect()),
        }
    }

    /// The rows of a span, whose order is the list's or its reverse.
    ///
    /// On MySQL and MariaDB, the keys of a filtered list are found first. Otherwise these servers may look up the
    /// filter's value and skip each of its rows before the boundary. For keys, which the index contains, they do not;
    /// nor does MySQL read thousands of rows ahead, or sort whole rows.
    fn after(&self, order: &KeysetOrder, span: Span<'_>) -> SelectStatement {
        match self {
            Self::Model(rows, _) if finds_keys_first(rows, span) => deferred(rows, order, span),
            Self::Caller(rows) => rows.page(order, span),
            Self::Model(rows, _) => at_once(rows, order, span),
        }
    }
}

/// Whether the keys of a page are found before its rows.
fn finds_keys_first(rows: &ModelRows, Span { access, sorts, .. }: Span<'_>) -> bool {
    let is_out_of_order = access.index.is_some() && !access.is_in_order(sorts);
    access.dialect.finds_keys_first() && (!rows.filters.is_empty() || is_out_of_order)
}

/// A page of a model's rows without another search for their keys.
fn at_once(rows: &ModelRows, order: &KeysetOrder, span: Span<'_>) -> SelectStatement {
    let base = order.with_marks(span, rows.filtered());
    span.of(&span.access.with_hint(base))
}

/// A page of a model's rows, whose keys are found first.
fn deferred(rows: &ModelRows, order: &KeysetOrder, span: Span<'_>) -> SelectStatement {
    let sorts: Vec<OrderColumn> = span.sorts.iter().enumerate().map(as_key).collect();
    let keys = select_keys(rows, Span { sorts: &sorts, ..span });
    let mut page = order.with_marks(span, of_keys(rows, order, keys));
    predicate::order(span.access.dialect, &mut page, &sorts, |sort| sort.expr.clone());
    page
}

/// The rows of these keys. They are joined by name, because the order may qualify its columns or not. A model's order
/// contains its whole primary key.
fn of_keys(rows: &ModelRows, order: &KeysetOrder, keys: SelectStatement) -> SelectStatement {
    let place = |name: &&str| order.terms.iter().position(|term| term.is_named(name));
    let names = rows.table.primary_key.iter().filter_map(place).map(key_name);
    rows.of_keys(keys, rows.primary_key().iter().zip(names))
}

/// A column of the order under the name that it has among the keys.
fn as_key((at, sort): (usize, &OrderColumn)) -> OrderColumn {
    OrderColumn { output: key_name(at), ..sort.clone() }
}

/// The keys of a span's rows.
fn select_keys(rows: &ModelRows, span: Span<'_>) -> SelectStatement {
    let mut keys = rows.filtered();
    keys.clear_selects();
    for sort in span.sorts {
        keys.expr_as(sort.expr.clone(), sort.output.clone());
    }
    span.of(&span.access.with_hint(keys))
}
