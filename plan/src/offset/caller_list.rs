//! The rows of a caller's select, as numbered pages read them.

use std::sync::Arc;

use crate::custom::caller::{CallerSelect, Keyed};
use crate::custom::renderer::Renderer;
use crate::dialect::Dialect;
use crate::error::Result;
use crate::order::OrderColumn;
use crate::predicate::{Names, order, united};
use crate::schema::table::Table;
use crate::schema::term::Term;
use crate::statement::select::{Number, Select};
use crate::statement::slice::Slice;
use crate::statement::template::{BoundSql, PageValues};
use crate::value::Variant;

/// The rows of a caller's select.
#[derive(Debug)]
pub struct CallerList {
    select: Arc<CallerSelect>,
    pub(super) renderer: Renderer,
    /// The rows in an order that replaces the select's own.
    ordered: Option<Box<Ordered>>,
}

/// The rows of a caller's select in an order.
#[derive(Debug)]
struct Ordered {
    rows: Select,
    /// The selects whose rows `rows` unites, each in the order, if a page can be read from each of them.
    arms: Vec<Select>,
    sorts: Vec<OrderColumn>,
    /// The columns of an order in which rows may tie; empty if it is total.
    may_tie: Vec<SortedValue>,
}

/// A column of an order, as a row of the result has it.
#[derive(Debug)]
pub struct SortedValue {
    /// Its name in the order.
    pub name: &'static str,
    /// Its name in the result.
    pub output: String,
    pub variant: Variant,
}

impl Ordered {
    fn new(Keyed { base, arms, sorts, terms, table, .. }: Keyed) -> Self {
        let value = |(term, sort): (&Term, &OrderColumn)| SortedValue {
            name: term.key.name,
            output: sort.output.clone(),
            variant: term.key.variant,
        };
        let may_tie = match table {
            Some(_) => Vec::new(),
            None => terms.iter().zip(&sorts).map(value).collect(),
        };
        let ordered = |select: Select| {
            let names = Names::in_select(select.dialect);
            order(select, &sorts, names)
        };
        Self { rows: ordered(base), arms: arms.into_iter().map(ordered).collect(), may_tie, sorts }
    }

    /// A page: of several selects, from the first rows of each.
    fn page(&self, dialect: Dialect, slice: Slice) -> Select {
        let rows = match &*self.arms {
            [] => self.rows.clone(),
            arms => {
                let firsts = arms.iter().map(|arm| arm.clone().limit(Number::Bound(slice.end())));
                united(dialect, &self.sorts, firsts)
            }
        };
        slice.of(rows)
    }
}

impl CallerList {
    /// The rows in the order of these terms, or else in the select's own order, in which the primary key of `table`
    /// breaks ties.
    ///
    /// # Errors
    /// [`Misuse`](crate::error::Misuse) for a select that cannot be paged by number, and for a term whose column it does
    /// not have.
    pub fn new(
        (select, renderer): (Arc<CallerSelect>, Renderer),
        order: Option<(Vec<Term>, usize)>,
        table: Option<&'static Table>,
    ) -> Result<Self> {
        if let Some((terms, given)) = order {
            let ordered = Some(Box::new(Ordered::new(select.keyed(terms, given)?)));
            return Ok(Self { select, renderer, ordered });
        }
        select.check_numbered()?;
        let with_tie_breaker = table.and_then(|table| select.with_tie_breaker(table));
        Ok(Self { select: with_tie_breaker.map_or(select, Arc::new), renderer, ordered: None })
    }

    /// The rows in the select's own order.
    pub fn unordered((select, renderer): (Arc<CallerSelect>, Renderer)) -> Self {
        Self { select, renderer, ordered: None }
    }

    pub(super) fn may_tie(&self) -> &[SortedValue] {
        self.ordered.as_ref().map_or(&[], |ordered| &ordered.may_tie)
    }

    /// The order that replaces the select's own, if there is one.
    pub(super) fn sorts(&self) -> Option<&[OrderColumn]> {
        self.ordered.as_ref().map(|ordered| &*ordered.sorts)
    }

    /// All rows, in no order.
    pub(super) fn all(&self) -> BoundSql {
        self.renderer.statement(&self.select.all(), PageValues::default())
    }

    pub(super) fn count(&self, up_to: Option<u64>) -> BoundSql {
        let page = PageValues { count_limit: up_to, ..PageValues::default() };
        self.renderer.statement(&self.select.count(up_to).sql(), page)
    }

    pub(super) fn page(&self, slice: Slice) -> BoundSql {
        let page = match &self.ordered {
            Some(ordered) => ordered.page(self.select.dialect(), slice).sql(),
            None => self.select.page(slice),
        };
        self.renderer.statement(&page, slice.into())
    }

    /// A page with the count as its last column; `None` if they need a statement each.
    pub(super) fn page_with_total(&self, slice: Slice, up_to: Option<u64>) -> Option<BoundSql> {
        let form = self.select.total_form(self.ordered.is_some())?;
        let page = match &self.ordered {
            Some(ordered) => ordered.page(self.select.dialect(), slice),
            None => self.select.page_in_parts(slice)?,
        };
        let page = self.select.with_total(page, form, up_to);
        Some(self.renderer.statement(&page, PageValues { count_limit: up_to, ..slice.into() }))
    }
}
