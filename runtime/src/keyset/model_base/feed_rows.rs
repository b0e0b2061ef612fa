//! The statements of a feed's page that is read group by group.

use sea_query::{Expr, SelectStatement, Value};

use super::page::{Page, as_keys, of_keys, rounded, statement};
use crate::feed::{self, Feed, FeedKeys, FeedPlan, FeedShape};
use crate::keyset::PageRows;
use crate::keyset::form::{Form, GroupsForm, page_values, with_values};
use crate::order::OrderColumn;
use crate::predicate::Span;
use crate::statement::deferred_join::{DERIVED, ModelRows};
use crate::statement::template::{BoundSql, PageValues};
use crate::value::Variant;

/// The rows of a feed's page, which are read group by group.
pub(super) struct FeedRows<'a> {
    pub(super) page: Page<'a>,
    /// The order in which its rows are read.
    pub(super) sorts: &'a [OrderColumn],
    pub(super) rows: &'a ModelRows,
    pub(super) feed: &'a Feed,
    pub(super) plan: FeedPlan,
}

impl FeedRows<'_> {
    pub(super) fn statement(&self) -> BoundSql {
        self.filled(self.inner_limit(), GroupsForm::Feed, |span, page| self.select(span, page))
    }

    /// The statement of the groups' nearest heads.
    pub(super) fn heads(&self) -> BoundSql {
        self.filled(None, GroupsForm::Heads, |span, page| self.keys(span, page).nearest_heads(self.first_type()))
    }

    /// The statement of the n-th row of one group, for a page of n rows.
    pub(super) fn last_row(&self) -> BoundSql {
        let groups = self.groups();
        let page = PageValues { groups: &groups, ..page_values(self.page.rows, None) };
        let select = self.with_keys(None, page, |span, page| self.keys(span, page).last_row(self.first_type()));
        BoundSql::of(self.plan.access.dialect(), &select).repeated()
    }

    /// The values of the groups, as the statement binds them.
    fn groups(&self) -> Vec<Value> {
        self.plan.shape.source.values(&self.feed.groups)
    }

    /// The type of the order's first column.
    fn first_type(&self) -> Variant {
        self.page.order.list.first_type()
    }

    /// The statement of a select, which is built from a span with its values and from these values.
    fn filled(
        &self,
        inner_limit: Option<u64>,
        form: impl FnOnce(FeedShape) -> GroupsForm,
        select: impl Fn(Span<'_>, PageValues<'_>) -> SelectStatement,
    ) -> BoundSql {
        let groups = self.groups();
        let page = PageValues { groups: &groups, ..self.feed.text.values(page_values(self.page.rows, inner_limit)) };
        let form = self.form(inner_limit, &groups, form);
        statement(&self.feed.text, form, page, &|page| self.with_keys(inner_limit, page, &select)).repeated()
    }

    /// A select that is built from a span with these values, whose columns have the names of keys.
    fn with_keys(
        &self,
        inner_limit: Option<u64>,
        page: PageValues<'_>,
        select: impl Fn(Span<'_>, PageValues<'_>) -> SelectStatement,
    ) -> SelectStatement {
        let sorts = as_keys(self.sorts);
        let span = self.page.rows.span(&self.plan.access, &sorts, inner_limit);
        select(with_values(span, page), page)
    }

    /// The limit of a group, as part of the text.
    fn inner_limit(&self) -> Option<u64> {
        let PageRows { limit, .. } = self.page.rows;
        let inner = if self.plan.shape.is_each { limit } else { rounded(limit) };
        let has_inner = self.page.rows.has_template() && self.feed.text.has_one_plan(self.plan.access.generic_plan());
        self.feed.text.inner_limit(limit).filter(|_| has_inner).map(|_| inner)
    }

    /// What the text of the page depends on; `None` if its statement has no template.
    fn form(
        &self,
        inner_limit: Option<u64>,
        groups: &[Value],
        form: impl FnOnce(FeedShape) -> GroupsForm,
    ) -> Option<Form> {
        Feed::has_template(groups).then(|| self.page.form(inner_limit, form(self.plan.shape.clone())))?
    }

    /// The rows, whose keys are found first. They are sorted by the keys' own columns, so that PostgreSQL sees that they
    /// come in order; first by their groups, if each has a page.
    fn select(&self, span: Span<'_>, values: PageValues<'_>) -> SelectStatement {
        let is_each = self.plan.shape.is_each;
        let mut page = self.of_keys(span, values);
        if is_each {
            feed::with_number(&mut page, span.access.dialect());
        }
        span.sort(&mut page, |sort| Expr::col((DERIVED, sort.output.clone())));
        if span.limit.inner.is_some() && !is_each {
            page.limit(span.limit.rows);
        }
        page
    }

    /// The rows of a span, by their keys.
    fn of_keys(&self, span: Span<'_>, values: PageValues<'_>) -> SelectStatement {
        let (order, keys) = (self.page.order, self.keys(span, values));
        let repeated = self.feed.text.repeated(&self.feed.filters, values);
        order.with_marks(span, of_keys(self.rows, order.list, keys.select(), repeated), || keys.list())
    }

    /// The keys of a span, whose columns have the names of keys.
    fn keys<'k>(&'k self, span: Span<'k>, PageValues { groups, last, .. }: PageValues<'k>) -> FeedKeys<'k> {
        let Self { rows, feed, plan, .. } = self;
        FeedKeys { rows, feed, plan, span, values: groups, last }
    }
}

#[cfg(test)]
#[cfg(all(feature = "sqlite", feature = "postgres", feature = "mysql"))]
mod tests;
