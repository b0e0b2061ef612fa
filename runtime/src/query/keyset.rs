//! Cursor pages: the order of a list, its rows, and the statement of each page.
//!
//! [`KeysetQuery`] is the list. [`KeysetOrder`] is what is known before any page is read, and is cached for a model's
//! queries. [`PageOrder`] adds what the catalog of the database says. The condition itself is in
//! [`crate::query::predicate`].

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sea_query::{Expr, SelectStatement};

use crate::crypt::Keyring;
use crate::cursor::{Cursor, CursorDirection, Part, Scope};
use crate::dialect::Dialect;
use crate::dialect::catalog::TableInfo;
use crate::error::{FrameworkError, Result};
use crate::model::order::Term;
use crate::model::table::Table;
use crate::query::access::{Access, Fixed};
use crate::query::deferred_join::{ModelRows, key_name};
use crate::query::order_column::OrderColumn;
use crate::query::predicate::{self, Bound, Boundary, Limit};
use crate::query::template::{BoundSql, PageValues, QueryText, Templates};
use crate::value::{self, Variant};

/// The order of a list that is paged by cursor, and what its cursors are bound to. It contains no values.
#[derive(Debug)]
pub(crate) struct KeysetOrder {
    /// Identifies this order in the keys of templates.
    id: u64,
    pub(crate) terms: Vec<Term>,
    pub(crate) sorts: Vec<OrderColumn>,
    pub(crate) scope: Scope,
    /// The table of all columns, if its primary key is among them, so that no two rows tie.
    pub(crate) table: Option<&'static Table>,
}

impl KeysetOrder {
    pub(crate) fn new(terms: Vec<Term>, sorts: Vec<OrderColumn>, scope: Scope, table: Option<&'static Table>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self { id: NEXT.fetch_add(1, Ordering::Relaxed), terms, sorts, scope, table }
    }

    /// The order of a model's rows, whose columns include the key under its own names.
    pub(crate) fn of_model(table: &'static Table, terms: Vec<Term>) -> Self {
        let scope = Scope::of_model(table, &terms);
        let sorts = terms.iter().map(OrderColumn::of_table).collect();
        Self::new(terms, sorts, scope, Some(table))
    }

    /// The order on a database where some columns may be NULL although their types cannot. A row with NULL comes where
    /// the database puts it, and is read or refused, but never left out.
    pub(crate) fn for_page(&self, dialect: Dialect, undeclared: Vec<bool>) -> PageOrder<'_> {
        if !undeclared.contains(&true) {
            return PageOrder { sorts: Cow::Borrowed(&self.sorts), undeclared, info: None };
        }
        let sort = |(sort, undeclared): (&OrderColumn, &bool)| {
            if *undeclared { sort.with_natural_nulls(dialect) } else { sort.clone() }
        };
        PageOrder { sorts: self.sorts.iter().zip(&undeclared).map(sort).collect(), undeclared, info: None }
    }

    /// The order on a database whose catalog says this about the table.
    pub(crate) fn for_page_of(&self, dialect: Dialect, info: Option<Arc<TableInfo>>) -> PageOrder<'_> {
        let is_declared = |name: &str| info.as_ref().is_some_and(|info| info.is_not_null(name));
        let undeclared = |term: &Term| term.key.nulls.is_none() && !is_declared(term.key.name);
        PageOrder { info: info.clone(), ..self.for_page(dialect, self.terms.iter().map(undeclared).collect()) }
    }

    /// About how much memory it takes, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.terms.len().saturating_add(1).saturating_mul(512)
    }

    /// Whether an index has all columns' NULLs where this order wants them.
    pub(crate) fn matches_index(&self, dialect: Dialect) -> bool {
        self.sorts.iter().all(|sort| sort.is_natural(dialect))
    }

    /// The types and expressions of the key's columns.
    fn columns(&self) -> impl Iterator<Item = (Variant, &Expr)> {
        self.terms.iter().zip(&self.sorts).map(|(term, sort)| (term.key.variant, &sort.expr))
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
    pub(crate) binding: CursorBinding,
}

/// What the cursors of a list are bound to beside its order.
#[derive(Debug, Clone, Default)]
pub(crate) struct CursorBinding {
    /// A name that the caller chose.
    pub(crate) scope: Option<String>,
    /// Whether they are bound to the filters' text and values.
    pub(crate) filters: bool,
}

impl KeysetQuery {
    /// What the cursors are bound to.
    pub(crate) fn scope(&self) -> Cow<'_, Scope> {
        let CursorBinding { scope, filters } = &self.binding;
        let mut bound = Cow::Borrowed(&self.order.scope);
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
        let types: Vec<_> = self.order.terms.iter().map(Term::kind).collect();
        let cursor = Cursor::open(keyring, &self.scope(), &types, token)?;
        // An enum may have lost the variant since.
        let is_value = |(term, part): (&Term, &Part)| term.key.canonical.of_value(&part.value).is_some();
        if self.order.terms.iter().zip(&cursor.boundary).all(is_value) {
            Ok(cursor)
        } else {
            Err(FrameworkError::invalid_cursor())
        }
    }
}

/// The rows of a list, without order and limit.
#[derive(Debug)]
pub(crate) enum Base {
    /// The rows of a model's query.
    Model(ModelRows, QueryText),
    /// The rows of a caller's select, with the key among its columns.
    Caller(Box<SelectStatement>, Dialect),
}

/// What the text of a page depends on, beside the query.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Form {
    order: u64,
    direction: CursorDirection,
    undeclared: Vec<bool>,
    /// Whether the boundary is part of the page, and how each of its values is bound.
    boundary: Option<(bool, Vec<BoundForm>)>,
    inner_limit: Option<u64>,
    access: Access,
}

/// Whether a value is NULL, its type, and what it is cast to.
type BoundForm = (bool, Option<Variant>, Option<String>);

static TEMPLATES: Templates<Form> = Templates::new();

impl Base {
    pub(crate) fn dialect(&self) -> Dialect {
        match self {
            Self::Model(_, text) => text.dialect(),
            Self::Caller(_, dialect) => *dialect,
        }
    }

    /// The conditions as text, with their values: a caller's select as a whole.
    fn filters(&self) -> String {
        match self {
            Self::Model(_, text) => text.to_key(),
            Self::Caller(select, dialect) => format!("{:?}", dialect.render(select, |_| None)),
        }
    }

    /// The columns that the conditions fix. A caller's conditions are only known as text.
    pub(crate) fn fixed(&self) -> Fixed<'_> {
        match self {
            Self::Model(rows, _) => Fixed::by(&rows.filters),
            Self::Caller(select, dialect) => {
                let conditions = (**select).clone().clear_selects().take();
                Fixed::by_raw(dialect.render(&conditions, |_| None).0)
            }
        }
    }

    pub(crate) fn select(&self) -> SelectStatement {
        match self {
            Self::Model(rows, _) => rows.filtered(),
            Self::Caller(select, _) => (**select).clone(),
        }
    }

    /// The first `limit` rows after `boundary`, or the first of all, in a direction.
    pub(crate) fn page(
        &self,
        order: &KeysetOrder,
        page_order: &PageOrder<'_>,
        direction: CursorDirection,
        boundary: Option<Boundary<'_>>,
        limit: u64,
    ) -> BoundSql {
        let sorts = page_order.sorts(direction);
        let access = self.access(page_order, &sorts);
        let values = boundary.map_or(&[][..], |boundary| boundary.values);
        let inclusive = boundary.map(|boundary| boundary.inclusive);
        let select = |page: PageValues<'_>| {
            let boundary = inclusive.map(|inclusive| Boundary { values: page.boundary, inclusive });
            self.after(&access, order, &sorts, boundary, Limit { rows: page.limit, inner: page.inner_limit })
        };
        let page = PageValues { boundary: values, limit, ..PageValues::default() };
        let Self::Model(_, text) = self else { return BoundSql::of(access.dialect, &select(page)) };
        let page = PageValues { inner_limit: text.inner_limit(limit), ..page };
        let form = Form {
            order: order.id,
            direction,
            undeclared: page_order.undeclared.clone(),
            boundary: inclusive.map(|inclusive| (inclusive, values.iter().map(form).collect())),
            inner_limit: page.inner_limit,
            access: access.clone(),
        };
        TEMPLATES.statement(text, form, page, select)
    }

    /// How a page's rows are read.
    fn access(&self, order: &PageOrder<'_>, sorts: &[OrderColumn]) -> Access {
        match (self, &order.info) {
            (Self::Model(rows, _), Some(info)) => Access::new(self.dialect(), info, &Fixed::by(&rows.filters), sorts),
            _ => Access::unknown(self.dialect()),
        }
    }

    /// The first rows after `boundary` in the order of `sorts`, which is the list's order or its reverse.
    ///
    /// On MySQL and MariaDB, the keys of a filtered list are found first. Otherwise these servers may look up the
    /// filter's value and skip each of its rows before the boundary. For keys, which the index contains, they do not;
    /// nor does MySQL read thousands of rows ahead, or sort whole rows.
    fn after(
        &self,
        access: &Access,
        order: &KeysetOrder,
        sorts: &[OrderColumn],
        boundary: Option<Boundary<'_>>,
        limit: Limit,
    ) -> SelectStatement {
        match self {
            Self::Model(rows, _)
                if access.dialect.finds_keys_first()
                    && (!rows.filters.is_empty() || access.index.is_some() && !access.is_in_order(sorts)) =>
            {
                deferred(access, rows, order, sorts, boundary, limit)
            }
            _ => {
                let mut base = self.select();
                access.dialect.select_key_facts(&mut base, order.columns());
                predicate::page(access, &access.with_hint(base), sorts, boundary, limit)
            }
        }
    }
}

/// A page of a model's rows, whose keys are found first.
fn deferred(
    access: &Access,
    rows: &ModelRows,
    order: &KeysetOrder,
    sorts: &[OrderColumn],
    boundary: Option<Boundary<'_>>,
    limit: Limit,
) -> SelectStatement {
    let named = |(at, sort): (usize, &OrderColumn)| OrderColumn { output: key_name(at), ..sort.clone() };
    let sorts: Vec<OrderColumn> = sorts.iter().enumerate().map(named).collect();
    let mut keys = rows.filtered();
    keys.clear_selects();
    for sort in &sorts {
        keys.expr_as(sort.expr.clone(), sort.output.clone());
    }
    let keys = predicate::page(access, &access.with_hint(keys), &sorts, boundary, limit);
    // By name, because the order may qualify its columns or not. A model's order contains its whole primary key.
    let place = |name: &&str| order.terms.iter().position(|term| term.key.name == *name);
    let names = rows.table.primary_key.iter().filter_map(place).map(key_name);
    let mut page = rows.of_keys(keys, rows.primary_key().iter().zip(names));
    access.dialect.select_key_facts(&mut page, order.columns());
    predicate::order(access.dialect, &mut page, &sorts, |sort| sort.expr.clone());
    page
}

fn form(bound: &Bound<'_>) -> BoundForm {
    (value::is_null(bound.value), value::variant(bound.value), bound.cast.map(str::to_owned))
}
