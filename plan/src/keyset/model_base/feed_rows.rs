//! The statements of a feed's page that is read group by group.

use sea_query::Value;

use super::keys::{as_keys, of_keys};
use crate::boundary::BoundaryValue;
use crate::dialect::Sql;
use crate::feed::{self, Feed, FeedForm, FeedKeys, FeedPlan, FeedShape};
use crate::keyset::text::{RowsForm, TEXTS, TextKey, rounded};
use crate::keyset::{PageOrder, PageRequest};
use crate::order::OrderColumn;
use crate::predicate::{Names, Span};
use crate::statement::filtered::FilteredRows;
use crate::statement::select::{DERIVED, Select};
use crate::statement::template::{BoundSql, PageValues};

/// The rows of a feed's page, which are read group by group.
pub(super) struct FeedRows<'a> {
    pub(super) order: &'a PageOrder<'a>,
    pub(super) page: PageRequest<'a>,
    /// The order in which its rows are read.
    pub(super) sorts: &'a [OrderColumn],
    pub(super) rows: &'a FilteredRows,
    pub(super) feed: &'a Feed,
    pub(super) plan: FeedPlan,
    /// Upper bound of the page in the order's leading columns, if known.
    pub(super) upper: &'a [BoundaryValue],
}

impl FeedRows<'_> {
    /// The statement of the page.
    pub(super) fn statement(&self) -> BoundSql {
        let limit = self.page.limit;
        // The limit of a group, as part of the text.
        let of_group = if self.plan.shape.is_each { limit } else { rounded(limit) };
        let has_literal = self.page.has_template() && self.rows.generic_plan(self.plan.access.generic_plan());
        let literal_limit = self.rows.literal_limit(limit).filter(|_| has_literal).map(|_| of_group);
        self.filled(literal_limit, RowsForm::OfEachGroup, |keys| self.select(keys))
    }

    /// The statement of the groups' nearest heads; `None` without a boundary.
    pub(super) fn heads(&self) -> Option<BoundSql> {
        let (first, _) = self.order.keyset.columns().next()?;
        self.page.start?.values.first()?;
        Some(self.filled(None, RowsForm::Heads, |keys| {
            let start = (keys.span.sorts.first(), keys.span.boundary.and_then(|start| start.values.first()));
            let (Some(sort), Some(bound)) = start else { return Select::new(self.rows.plan.dialect) };
            keys.nearest_heads((sort, bound), first)
        }))
    }

    /// The statement of the n-th row of one group, for a page of n rows.
    pub(super) fn last_row(&self) -> Option<BoundSql> {
        let (first, _) = self.order.keyset.columns().next()?;
        let groups = self.groups();
        let sql = self.with_keys(None, |keys| keys.last_row(first));
        Some(self.rows.statement(&sql, self.values(&groups)).repeated())
    }

    /// The values of the groups, as the statement binds them.
    fn groups(&self) -> Vec<Value> {
        self.plan.shape.source.values(&self.feed.groups)
    }

    fn values<'v>(&'v self, groups: &'v [Value]) -> PageValues<'v> {
        PageValues { groups, upper: self.upper, ..self.page.values() }
    }

    /// The statement of a select of the keys.
    fn filled(
        &self,
        literal_limit: Option<u64>,
        form: impl FnOnce(FeedShape) -> RowsForm,
        select: impl FnOnce(FeedKeys<'_>) -> Select,
    ) -> BoundSql {
        let groups = self.groups();
        let key = TextKey::of(self.order, self.page, literal_limit, form(self.plan.shape.clone()), self.upper);
        TEXTS.statement(self.rows, key, self.values(&groups), || self.with_keys(literal_limit, select)).repeated()
    }

    /// A select of keys, whose columns have the names of keys.
    fn with_keys(&self, literal_limit: Option<u64>, select: impl FnOnce(FeedKeys<'_>) -> Select) -> Sql {
        let sorts = as_keys(self.sorts);
        let span = self.page.span(&self.plan.access, &sorts, literal_limit);
        select(FeedKeys { rows: self.rows, feed: self.feed, plan: &self.plan, span, upper: self.upper }).sql()
    }

    /// The rows, whose keys are found first. They are sorted by the keys' own columns, so that PostgreSQL sees that
    /// they come in order; first by their groups, if each has a page.
    fn select(&self, keys: FeedKeys<'_>) -> Select {
        if self.plan.shape.form == FeedForm::Rows {
            return self.rows_of_each(keys);
        }
        let (span, is_each) = (keys.span, self.plan.shape.is_each);
        let rows = of_keys(self.rows, self.order.keyset, &keys.select());
        let page = self.order.with_marks(span, rows, || keys.list());
        let page = if is_each { feed::with_number(page) } else { page };
        let page = span.sort(page, Names::Of(DERIVED));
        if span.limit.literal_limit.is_some() && !is_each { page.limit(span.limit.rows) } else { page }
    }

    /// The rows of each group, read directly instead of by their keys.
    fn rows_of_each(&self, keys: FeedKeys<'_>) -> Select {
        let span = Span { sorts: self.sorts, ..keys.span };
        let of_group =
            |group| self.order.with_marks(span, self.rows.select().along(span.access).and(group), || keys.list());
        FeedKeys { span, ..keys }.rows_of_each(of_group)
    }
}

#[cfg(test)]
#[cfg(all(feature = "sqlite", feature = "postgres", feature = "mysql"))]
mod tests;
