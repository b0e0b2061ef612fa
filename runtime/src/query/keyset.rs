//! The order in which a select is walked, and the pages of that walk.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sea_query::{Expr, SelectStatement, Value};

use crate::cache::BoundedCache;
use crate::crypt::Keyring;
use crate::cursor::{Cursor, CursorDirection, Scope};
use crate::dialect::Dialect;
use crate::dialect::catalog::TableInfo;
use crate::driver::{Driver, Reader};
use crate::error::Result;
use crate::model::order::Term;
use crate::model::table::Table;
use crate::query::access::{Access, Fixed};
use crate::query::bound_sql::{BoundSql, FEW};
use crate::query::deferred_join::{ModelRows, key_name};
use crate::query::facts;
use crate::query::offset::is_few;
use crate::query::order_column::OrderColumn;
use crate::query::predicate::{self, Bound, Boundary, Limit};
use crate::query::template::{self, BindArgs, Key, Statement, Written};
use crate::value::{self, Variant};

/// The order of a walk, and what its cursors are bound to. It holds no values.
#[derive(Debug)]
pub(crate) struct Walk {
    /// Tells this walk's statements from those of others.
    id: u64,
    pub(crate) terms: Vec<Term>,
    pub(crate) sorts: Vec<OrderColumn>,
    pub(crate) scope: Scope,
    /// The table that all columns are of, if its primary key is among them, and so tells every two rows apart.
    pub(crate) table: Option<&'static Table>,
}

impl Walk {
    pub(crate) fn new(terms: Vec<Term>, sorts: Vec<OrderColumn>, scope: Scope, table: Option<&'static Table>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self { id: NEXT.fetch_add(1, Ordering::Relaxed), terms, sorts, scope, table }
    }

    /// The walk of a model's rows, which have the key among their columns, under their own names.
    pub(crate) fn of_model(table: &'static Table, terms: Vec<Term>) -> Self {
        let scope = Scope::of_model(table, &terms);
        let sorts = terms.iter().map(|term| OrderColumn::of(term, term.expr(), term.key.name.to_owned())).collect();
        Self::new(terms, sorts, scope, Some(table))
    }

    /// The order on a database on which some of its columns may be NULL though their types cannot: a row with NULL
    /// comes where the database puts it, and is read or refused, but never left out.
    pub(crate) fn order(&self, dialect: Dialect, undeclared: Vec<bool>) -> Order<'_> {
        if !undeclared.contains(&true) {
            return Order { sorts: Cow::Borrowed(&self.sorts), undeclared, info: None };
        }
        let sort = |(sort, undeclared): (&OrderColumn, &bool)| {
            if *undeclared { sort.with_natural_nulls(dialect) } else { sort.clone() }
        };
        Order { sorts: self.sorts.iter().zip(&undeclared).map(sort).collect(), undeclared, info: None }
    }

    /// The order on a database whose catalog says this about the table.
    pub(crate) fn order_by(&self, dialect: Dialect, info: Option<Arc<TableInfo>>) -> Order<'_> {
        let is_declared = |name: &str| info.as_ref().is_some_and(|info| info.is_not_null(name));
        let undeclared = |term: &Term| term.key.nulls.is_none() && !is_declared(term.key.name);
        Order { info: info.clone(), ..self.order(dialect, self.terms.iter().map(undeclared).collect()) }
    }

    /// About how much memory it takes, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.terms.len().saturating_add(1).saturating_mul(512)
    }

    /// The types and expressions of the key's columns.
    fn columns(&self) -> impl Iterator<Item = (Variant, &Expr)> {
        self.terms.iter().zip(&self.sorts).map(|(term, sort)| (term.key.variant, &sort.expr))
    }

    /// Opens a cursor over the walk.
    pub(crate) fn open(&self, keyring: &Keyring, token: &str) -> Result<Cursor> {
        let types: Vec<_> = self.terms.iter().map(Term::kind).collect();
        Cursor::open(keyring, &self.scope, &types, token)
    }
}

/// The order of one page.
#[derive(Debug)]
pub(crate) struct Order<'a> {
    sorts: Cow<'a, [OrderColumn]>,
    /// Which columns may be NULL though their types cannot.
    undeclared: Vec<bool>,
    /// What the catalog says about the table, if it was asked.
    info: Option<Arc<TableInfo>>,
}

impl Order<'_> {
    /// The order in which a page's rows are read.
    fn sorts(&self, direction: CursorDirection) -> Cow<'_, [OrderColumn]> {
        match direction {
            CursorDirection::Next => Cow::Borrowed(&self.sorts),
            CursorDirection::Prev => self.sorts.iter().map(OrderColumn::reversed).collect(),
        }
    }

    /// The same order in pages that name no index.
    pub(crate) fn without_index(self) -> Self {
        Self { info: None, ..self }
    }
}

/// A select with its walk.
pub(crate) struct KeysetQuery<T> {
    pub(crate) reader: Reader<T>,
    pub(crate) walk: Arc<Walk>,
    pub(crate) base: Base,
}

/// The rows that are walked, without order and limit.
#[derive(Debug)]
pub(crate) enum Base {
    /// Those of a model's query, and what its statements are found by, if they can be kept.
    Model(ModelRows, Option<Written>),
    /// Those of a caller's select, with the key among its columns.
    Caller(Box<SelectStatement>),
}

/// What the text of a walk's page depends on: its direction; which of its columns may be NULL; whether it has a
/// boundary, whether that is part of the page, and how each of its values is bound; whether its rows are few; and how
/// they are read.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Form {
    direction: CursorDirection,
    undeclared: Vec<bool>,
    boundary: Option<(bool, Vec<BoundForm>)>,
    few: bool,
    access: Access,
}

/// Whether a value is NULL, its type, and what it is cast to.
type BoundForm = (bool, Option<Variant>, Option<String>);

static TEXTS: BoundedCache<(Key, u64, Form), Statement> = BoundedCache::new();

impl Base {
    pub(crate) fn select(&self) -> SelectStatement {
        match self {
            Self::Model(rows, _) => rows.filtered(),
            Self::Caller(select) => (**select).clone(),
        }
    }

    /// The first `limit` rows after `boundary`, or the first of all, in a direction.
    pub(crate) fn page<D: Driver>(
        &self,
        walk: &Walk,
        order: &Order<'_>,
        direction: CursorDirection,
        boundary: Option<Boundary<'_>>,
        limit: u64,
    ) -> BoundSql {
        let sorts = order.sorts(direction);
        let access = self.access(D::DIALECT, order, &sorts);
        let Self::Model(_, Some(Written { key, own })) = self else {
            let limit = Limit { rows: limit, few: None };
            return D::prepare(&self.after(&access, walk, &sorts, boundary, limit));
        };
        let few = is_few::<D>(own, limit);
        let bounds = boundary.map_or(&[][..], |boundary| boundary.values);
        let given = BindArgs { own, boundary: bounds, limit, offset: 0 };
        let make = || {
            let marks: Vec<Value> = bounds.iter().enumerate().map(mark).collect();
            let marked: Vec<_> = bounds.iter().zip(&marks).map(|(bound, value)| Bound { value, ..*bound }).collect();
            let boundary = boundary.map(|boundary| Boundary { values: &marked, ..boundary });
            let limit = Limit { rows: template::LIMIT, few: few.then_some(FEW) };
            let statement = Statement::of::<D>(&self.after(&access, walk, &sorts, boundary, limit), given);
            let size = statement.size().saturating_add(key.size());
            (statement, size)
        };
        let boundary = boundary.map(|boundary| (boundary.inclusive, boundary.values.iter().map(form).collect()));
        let form = Form { direction, undeclared: order.undeclared.clone(), boundary, few, access: access.clone() };
        TEXTS.get((key.clone(), walk.id, form), make).with(given)
    }

    /// How a page's rows are read.
    fn access(&self, dialect: Dialect, order: &Order<'_>, sorts: &[OrderColumn]) -> Access {
        match (self, &order.info) {
            (Self::Model(rows, _), Some(info)) => Access::new(dialect, info, &Fixed::by(&rows.filters), sorts),
            _ => Access::unknown(dialect),
        }
    }

    /// The first rows after `boundary`, in the order of `sorts`: the walk's own, or its reverse.
    ///
    /// On MySQL and MariaDB, the keys of a filtered list are found first. Otherwise these servers may look up the
    /// filter's value and skip each of its rows before the boundary. For keys, which the index contains, they do not;
    /// nor does MySQL read thousands of rows ahead, or sort whole rows.
    fn after(
        &self,
        access: &Access,
        walk: &Walk,
        sorts: &[OrderColumn],
        boundary: Option<Boundary<'_>>,
        limit: Limit,
    ) -> SelectStatement {
        match self {
            Self::Model(rows, _)
                if access.dialect == Dialect::MySql
                    && (!rows.filters.is_empty() || access.index.is_some() && !access.is_in_order(sorts)) =>
            {
                deferred(access, rows, walk, sorts, boundary, limit)
            }
            _ => {
                let mut base = self.select();
                facts::select(access.dialect, &mut base, walk.columns());
                predicate::page(access, &access.with_hint(base), sorts, boundary, limit)
            }
        }
    }
}

/// A page of a model's rows on MySQL and MariaDB, whose keys are found first.
fn deferred(
    access: &Access,
    rows: &ModelRows,
    walk: &Walk,
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
    // By name: the order may write its columns with the table or without it. A walk of a model has its whole primary
    // key.
    let place = |name: &&str| walk.terms.iter().position(|term| term.key.name == *name);
    let names = rows.table.primary_key.iter().filter_map(place).map(key_name);
    let mut page = rows.of_keys(keys, rows.primary_key().iter().zip(names));
    facts::select(Dialect::MySql, &mut page, walk.columns());
    predicate::order(Dialect::MySql, &mut page, &sorts, |sort| sort.expr.clone());
    page
}

/// The mark of a boundary's value. NULL has none: it is part of the text.
fn mark((at, bound): (usize, &Bound<'_>)) -> Value {
    if value::is_null(bound.value) { bound.value.clone() } else { template::mark(at) }
}

fn form(bound: &Bound<'_>) -> BoundForm {
    (value::is_null(bound.value), value::variant(bound.value), bound.cast.map(str::to_owned))
}
