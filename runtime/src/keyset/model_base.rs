//! The rows of a model's query, as cursor pages read them.

mod feed_rows;
mod index_range;
mod page;

use std::sync::OnceLock;

use sea_query::SelectStatement;

use self::feed_rows::FeedRows;
use self::index_range::IndexRange;
use self::page::{Page, as_keys, of_keys, statement};
use super::form::{GroupsForm, page_values, with_values};
use super::{KeysetOrder, PageOrder, PageRows};
use crate::access::{AccessPath, EqualityColumns};
use crate::dialect::Dialect;
use crate::feed::{self, Feed, FeedPage, FeedPlan, HeadKey};
use crate::order::{OrderColumn, key_name};
use crate::predicate::Span;
use crate::schema::group::Groups;
use crate::schema::table::Table;
use crate::schema::term::Term;
use crate::statement::deferred_join::ModelRows;
use crate::statement::template::{BoundSql, PageValues, QueryText};

/// The rows of a model's query, without order and limit.
#[derive(Debug)]
pub(crate) struct ModelBase {
    rows: FilteredRows,
    /// The groups of the rows, if the query is a feed.
    feed: Option<Feed>,
    /// The rows of all groups, by a filter. Built lazily: most pages of a feed do not need it, and it is slow for many
    /// groups.
    in_groups: OnceLock<FilteredRows>,
    expressions: Vec<OrderColumn>,
}

/// Rows that match filters, and the filters as text.
#[derive(Debug, Clone)]
pub(crate) struct FilteredRows {
    pub(crate) rows: ModelRows,
    pub(crate) text: QueryText,
}

impl ModelBase {
    /// The rows that match the filters and, if there are groups, belong to one of them.
    pub(crate) fn new(rows: FilteredRows, groups: Option<Groups>, expressions: Vec<OrderColumn>) -> Self {
        let feed = groups.map(|groups| Feed { groups, filters: rows.rows.filters.clone(), text: rows.text.clone() });
        Self { rows, feed, in_groups: OnceLock::new(), expressions }
    }

    pub(crate) fn table(&self) -> &'static Table {
        self.rows.rows.table
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.rows.text.dialect()
    }

    /// Whether the query has filters, apart from its groups.
    pub(super) fn has_filters(&self) -> bool {
        !self.rows.rows.filters.is_empty()
    }

    pub(super) fn feed(&self) -> Option<&Feed> {
        self.feed.as_ref()
    }

    /// The rows that match all conditions, one of which is that they belong to the feed's groups.
    pub(crate) fn filtered(&self) -> &FilteredRows {
        let Some(feed) = &self.feed else { return &self.rows };
        self.in_groups.get_or_init(|| {
            let mut rows = self.rows.rows.clone();
            rows.filters.push(feed::filter(&feed.groups, self.dialect()));
            let text = QueryText::new(self.dialect(), rows.table, &rows.filters, &self.expressions);
            FilteredRows { rows, text }
        })
    }

    /// The equality columns, and the columns of a feed's groups.
    pub(super) fn equality_columns(&self) -> EqualityColumns<'_> {
        let columns = EqualityColumns::of(&self.rows.rows.filters);
        match &self.feed {
            Some(feed) => columns.with_groups(&feed.groups),
            None => columns,
        }
    }

    pub(super) fn page(&self, order: &PageOrder<'_>, rows: PageRows<'_>) -> BoundSql {
        let page = Page { order, rows };
        self.feed_page(page).unwrap_or_else(|| self.filtered_page(page))
    }

    /// The rows of a page that is read group by group; `None` if it is not.
    fn feed_page(&self, page: Page<'_>) -> Option<BoundSql> {
        let feed = self.feed.as_ref()?;
        let found = page.rows.nearest.map(|nearest| feed.only(nearest));
        let feed = found.as_ref().unwrap_or(feed);
        let sorts = page.sorts();
        let plan = feed.plan(page.of_feed(&sorts)?)?;
        Some(FeedRows { page, sorts: &sorts, rows: &self.rows.rows, feed, plan }.statement())
    }

    /// The rows of a page that is not read group by group.
    ///
    /// The access path is only chosen if the statement has no template yet.
    fn filtered_page(&self, page: Page<'_>) -> BoundSql {
        let text = &self.filtered().text;
        let inner_limit = page.inner_limit(text);
        let form = page.form(inner_limit, self.filtered_form());
        let values = text.values(page_values(page.rows, inner_limit));
        statement(text, form, values, &|values| self.select(page, values))
    }

    /// How a page's text depends on the groups, if it is not read group by group.
    fn filtered_form(&self) -> GroupsForm {
        if self.feed.is_some() { GroupsForm::Filter } else { GroupsForm::None }
    }

    /// The select of a page that is not read group by group.
    fn select(&self, page: Page<'_>, values: PageValues<'_>) -> SelectStatement {
        let FilteredRows { rows, text } = self.filtered();
        let sorts = page.sorts();
        let access = self.access(page, &sorts);
        let range = IndexRange::new(rows, &access, &sorts);
        let suits_all_values = access.generic_plan() || range.as_ref().is_some_and(IndexRange::suits_all_values);
        let inner_limit = values.inner_limit.filter(|_| text.has_one_plan(suits_all_values));
        let span = with_values(page.rows.span(&access, &sorts, inner_limit), PageValues { inner_limit, ..values });
        let select = range.and_then(|range| range.select(page.order, span, values.filters));
        select.unwrap_or_else(|| after(&rows.planned_for(&access), page.order, span))
    }

    /// The statement that looks up the groups that can have rows on a feed's page, if one does.
    pub(super) fn heads(&self, order: &PageOrder<'_>, rows: PageRows<'_>) -> Option<BoundSql> {
        let feed = self.feed.as_ref().filter(|feed| feed.may_find_heads())?;
        let heads = self.select_heads(feed, Page { order, rows })?;
        Some(BoundSql::of(self.dialect(), &heads).repeated())
    }

    fn select_heads(&self, feed: &Feed, page: Page<'_>) -> Option<SelectStatement> {
        let sorts = page.sorts();
        let (access, keys) = (AccessPath::unknown(self.dialect()), as_keys(&sorts));
        let span = page.rows.span(&access, &keys, None);
        feed.heads(&self.rows.rows, page.of_feed(&sorts)?, span, &self.head_key(page.order.list)?)
    }

    /// The statement that finds the nearest heads of a block of a feed's groups.
    pub(super) fn heads_of_block(&self, order: &PageOrder<'_>, rows: PageRows<'_>, block: usize) -> Option<BoundSql> {
        self.of_groups(Page { order, rows }, |feed, page| feed.block_of_heads(page, block), |rows| rows.heads())
    }

    /// The statement that finds the n-th row of one group of a feed, for a page of n rows.
    pub(super) fn last_of(&self, order: &PageOrder<'_>, rows: PageRows<'_>, place: usize) -> Option<BoundSql> {
        self.of_groups(Page { order, rows }, |feed, page| feed.one(page, place), |rows| rows.last_row())
    }

    /// A statement about some groups of a feed.
    fn of_groups(
        &self,
        page: Page<'_>,
        groups: impl FnOnce(&Feed, FeedPage<'_>) -> Option<(Feed, FeedPlan)>,
        statement: impl FnOnce(&FeedRows<'_>) -> BoundSql,
    ) -> Option<BoundSql> {
        let sorts = page.sorts();
        let (feed, plan) = groups(self.feed.as_ref()?, page.of_feed(&sorts)?)?;
        Some(statement(&FeedRows { page, sorts: &sorts, rows: &self.rows.rows, feed: &feed, plan }))
    }

    /// The key of a group's first row. Its column that is never NULL is part of the primary key.
    fn head_key(&self, order: &KeysetOrder) -> Option<HeadKey> {
        let is_primary = |term: &Term| self.table().primary_key.contains(&term.key.name);
        let not_null = order.terms.iter().position(is_primary).map(key_name)?;
        Some(HeadKey { variants: order.columns().map(|(variant, _)| variant).collect(), not_null })
    }

    /// A text that identifies the filters of a query for one group, and their values.
    pub(super) fn to_key_of_group(&self, feed: &Feed, at: usize) -> String {
        let filters = [feed.filters.clone(), vec![feed.group(at)]].concat();
        QueryText::new(self.dialect(), self.table(), &filters, &self.expressions).to_key()
    }

    /// The statement that counts the rows of each of these groups, in their order. The count is the last column.
    pub(crate) fn totals(&self, feed: &Feed) -> BoundSql {
        BoundSql::of(self.dialect(), &feed.totals(&self.rows.rows)).repeated()
    }

    /// The first rows of each of these groups. The number of its group, from 1 on, is the last column of a row.
    pub(crate) fn page_of_each(&self, feed: &Feed, order: &PageOrder<'_>, rows: PageRows<'_>) -> BoundSql {
        let page = Page { order, rows };
        let sorts = page.sorts();
        let plan = feed.plan_of_each(order.info(), &sorts);
        FeedRows { page, sorts: &sorts, rows: &self.rows.rows, feed, plan }.statement()
    }

    /// How the database reads a page's rows.
    fn access(&self, page: Page<'_>, sorts: &[OrderColumn]) -> AccessPath {
        let dialect = self.dialect();
        let mut access = self.known_access(page, sorts).unwrap_or_else(|| AccessPath::unknown(dialect));
        if let AccessPath::Sqlite { row_values, .. } = &mut access {
            *row_values = self.feed.is_some();
        }
        access
    }

    /// How the database reads a page's rows, if the table's catalog is known.
    fn known_access(&self, page: Page<'_>, sorts: &[OrderColumn]) -> Option<AccessPath> {
        let equality = EqualityColumns::of(&self.filtered().rows.filters);
        Some(AccessPath::new(page.order.info()?, &equality, sorts))
    }
}

/// The rows of a span, whose order is the list's or its reverse.
///
/// On MySQL and MariaDB, the keys of a filtered list are found first if no index is named. Otherwise, these servers may
/// look up the filter's value and then skip all of its rows before the boundary, one by one. They do not do this if the
/// index contains all selected columns, as it does for keys. MySQL then does not sort whole rows, either, nor read
/// thousands of rows ahead. With a named index, keys are found first if the page skips rows, and at an end of the list
/// also if MySQL reads ahead there.
fn after(rows: &ModelRows, order: &PageOrder<'_>, span: Span<'_>) -> SelectStatement {
    if finds_keys_first(rows, span) {
        return deferred(rows, order, span);
    }
    let base = order.with_marks(span, rows.filtered(), || rows.filtered());
    span.of(&span.access.with_hint(base))
}

/// Whether the keys of a page are found before its rows.
fn finds_keys_first(rows: &ModelRows, Span { access, sorts, boundary, limit, .. }: Span<'_>) -> bool {
    let AccessPath::MySql { index, .. } = access else { return false };
    match index {
        Some(_) if !access.is_in_order(sorts) => true,
        _ if rows.filters.is_empty() => false,
        Some(index) => limit.skip > 0 || index.key_lookup_first.applies(boundary.is_some()),
        None => true,
    }
}

/// A page of a model's rows, whose keys are found first. Only MySQL has such pages, and no equality to repeat.
fn deferred(rows: &ModelRows, order: &PageOrder<'_>, span: Span<'_>) -> SelectStatement {
    let sorts = as_keys(span.sorts);
    let span = Span { sorts: &sorts, ..span };
    let page = of_keys(rows, order.list, select_keys(rows, span), Vec::new());
    let mut page = order.with_marks(span, page, || rows.filtered());
    span.sort(&mut page, OrderColumn::in_select);
    page
}

fn select_keys(rows: &ModelRows, span: Span<'_>) -> SelectStatement {
    span.of(&span.access.with_hint(rows.keys(&rows.filters, span.sorts)))
}

#[cfg(test)]
#[cfg(all(feature = "sqlite", feature = "postgres", feature = "mysql"))]
mod tests;
