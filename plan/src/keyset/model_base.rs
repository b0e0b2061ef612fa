//! The rows of a model's query, as cursor pages read them.

mod feed_rows;
mod index_range;
mod keys;

use std::borrow::Cow;
use std::sync::OnceLock;

use self::feed_rows::FeedRows;
use self::index_range::IndexRange;
use self::keys::{as_keys, of_keys};
use super::text::{RowsForm, TEXTS, TextKey, rounded};
use super::{PageOrder, PageRequest};
use crate::access::{AccessPath, EqualityColumns};
use crate::boundary::{Boundary, BoundaryValue};
use crate::cursor::CursorDirection;
use crate::feed::{self, Feed, FeedPage, HeadKey};
use crate::order::{OrderColumn, key_name};
use crate::predicate::{Names, Span, ranges};
use crate::schema::group::Groups;
use crate::schema::table::Table;
use crate::schema::term::Term;
use crate::statement::condition::Condition;
use crate::statement::filtered::FilteredRows;
use crate::statement::select::Select;
use crate::statement::template::{BoundSql, PageValues};
use crate::statement::total;

/// The rows of a model's query, without order and limit.
#[derive(Debug)]
pub struct ModelBase {
    /// The rows that match the filters, of any group.
    pub rows: FilteredRows,
    /// The groups of the rows, if the query is a feed.
    pub(super) feed: Option<Feed>,
    /// The rows of all groups, by a filter. Built lazily: most pages of a feed do not need it, and it is slow for many
    /// groups.
    in_groups: OnceLock<FilteredRows>,
}

impl ModelBase {
    /// The rows that match the filters and, if there are groups, belong to one of them.
    pub fn new(rows: FilteredRows, groups: Option<Groups>) -> Self {
        let feed = groups.map(|groups| Feed { groups, dialect: rows.plan.dialect });
        Self { rows, feed, in_groups: OnceLock::new() }
    }

    pub fn table(&self) -> &'static Table {
        self.rows.plan.table
    }

    /// The rows that match all conditions, one of which is that they belong to the feed's groups.
    pub fn filtered(&self) -> &FilteredRows {
        match &self.feed {
            Some(feed) => self.in_groups.get_or_init(|| self.rows.and(feed::filter(&feed.groups, feed.dialect))),
            None => &self.rows,
        }
    }

    /// The equality columns, and the columns of a feed's groups.
    pub(super) fn equality_columns(&self) -> Cow<'_, EqualityColumns> {
        let equality = &self.rows.plan.equality;
        match &self.feed {
            Some(feed) => Cow::Owned(equality.with_groups(&feed.groups)),
            None => Cow::Borrowed(equality),
        }
    }

    /// The statement of a page. The access path is only chosen if the statement has no template yet.
    pub(super) fn page(&self, order: &PageOrder<'_>, page: PageRequest<'_>) -> BoundSql {
        if let Some(statement) = self.feed.as_ref().and_then(|feed| self.page_by_groups(feed, order, page)) {
            return statement;
        }
        let (rows, kind) = match &self.feed {
            Some(_) => (self.filtered(), RowsForm::InGroups),
            None => (&self.rows, RowsForm::Filtered),
        };
        // Without filters the literal limit is that of the facts, so that pages of all sizes have the same text. With
        // filters it is that of the page, because PostgreSQL may read as many rows of each range and sort them.
        let mut literal_limit = rows.literal_limit(page.limit).filter(|_| page.has_template());
        if !rows.values.is_empty() {
            literal_limit = literal_limit.map(|_| rounded(page.limit));
        }
        let key = TextKey::of(order, page, literal_limit, kind, &[]);
        TEXTS.statement(rows, key, page.values(), || self.select(order, page, literal_limit).sql())
    }

    /// The statement of a page that is read group by group; `None` if it is not.
    fn page_by_groups(&self, feed: &Feed, order: &PageOrder<'_>, page: PageRequest<'_>) -> Option<BoundSql> {
        let found = page.candidates.map(|candidates| feed.only(candidates.groups));
        let feed = found.as_ref().unwrap_or(feed);
        let sorts = order.sorts(page.direction);
        let plan = feed.plan(&self.rows, feed_page(order, page, sorts)?)?;
        let upper = page.candidates.map_or(&[][..], |candidates| candidates.upper);
        Some(FeedRows { order, page, sorts, rows: &self.rows, feed, plan, upper }.statement())
    }

    /// The select of a page that is not read group by group.
    fn select(&self, order: &PageOrder<'_>, page: PageRequest<'_>, literal_limit: Option<u64>) -> Select {
        let rows = self.filtered();
        let sorts = order.sorts(page.direction);
        let equality = &rows.plan.equality;
        let known = order.info().map(|info| AccessPath::new(info, equality, sorts));
        let mut access = known.unwrap_or_else(|| AccessPath::unknown(rows.plan.dialect));
        if let AccessPath::Sqlite { row_values, .. } = &mut access {
            *row_values = self.feed.is_some();
        }
        let range = IndexRange::new(rows, &access, sorts);
        let generic_plan = access.generic_plan() || range.as_ref().is_some_and(IndexRange::generic_plan);
        // Each server would read, and send, as many rows as the literal limit.
        let keeps_plan = rows.generic_plan(generic_plan) && !access.nests_ranges();
        let span = page.span(&access, sorts, literal_limit.filter(|_| keeps_plan));
        range.and_then(|range| range.select(order, span)).unwrap_or_else(|| after(rows, order, span))
    }

    /// The statement that looks up the groups that can have rows on a feed's page, if one does.
    pub fn heads(&self, order: &PageOrder<'_>, page: PageRequest<'_>) -> Option<BoundSql> {
        let feed = self.feed.as_ref().filter(|feed| feed.may_find_heads())?;
        let sorts = order.sorts(page.direction);
        let (access, keys) = (AccessPath::unknown(self.rows.plan.dialect), as_keys(sorts));
        let span = page.span(&access, &keys, None);
        // The key of a group's first row. Its column that is never NULL is part of the primary key.
        let is_primary = |term: &Term| self.table().primary_key.contains(&term.key.name);
        let not_null = order.keyset.terms.iter().position(is_primary).map(key_name)?;
        let key = HeadKey { variants: order.keyset.columns().map(|(variant, _)| variant).collect(), not_null };
        let (heads, groups) = feed.heads(&self.rows, feed_page(order, page, sorts)?, span, &key)?;
        Some(self.rows.statement(&heads, PageValues { groups: &groups, ..page.values() }).repeated())
    }

    /// The statement that finds the nearest heads of a block of a feed's groups up to an upper bound, if these bound
    /// the page; `None` after the last block. The first one has the number 0.
    pub fn heads_of_block(
        &self,
        order: &PageOrder<'_>,
        page: PageRequest<'_>,
        block: usize,
        upper: &[BoundaryValue],
    ) -> Option<BoundSql> {
        let sorts = order.sorts(page.direction);
        let (feed, plan) = self.feed.as_ref()?.block_of_heads(&self.rows, feed_page(order, page, sorts)?, block)?;
        FeedRows { order, page, sorts, rows: &self.rows, feed: &feed, plan, upper }.heads()
    }

    /// The statement that finds an upper bound of a page of n rows: the first key of the n-th row of one group of a
    /// feed.
    pub fn last_of(&self, order: &PageOrder<'_>, page: PageRequest<'_>, place: usize) -> Option<BoundSql> {
        let sorts = order.sorts(page.direction);
        let (feed, plan) = self.feed.as_ref()?.one(&self.rows, feed_page(order, page, sorts)?, place)?;
        FeedRows { order, page, sorts, rows: &self.rows, feed: &feed, plan, upper: page.values().upper }.last_row()
    }

    /// The statement that counts the rows of each of these groups, in their order. The count is the last column.
    pub fn totals(&self, feed: &Feed, order: &PageOrder<'_>) -> BoundSql {
        feed.totals(&self.rows, order.info())
    }

    /// The statement that counts the rows after a boundary, in the order in which a page in this direction reads them. The
    /// count is the last column. With `up_to`, it may end there in each range.
    ///
    /// Each range is counted by itself, along the index that the database chooses: unlike a page, a count reads all of
    /// its rows. With one condition for all ranges, PostgreSQL would put all rows into a bitmap before it counts some of
    /// them. Each range repeats the values of the filters, so a statement with too many of them has one condition.
    pub fn count_after(
        &self,
        order: &PageOrder<'_>,
        direction: CursorDirection,
        boundary: Boundary<'_>,
        up_to: Option<u64>,
    ) -> BoundSql {
        let (rows, dialect) = (self.filtered(), self.rows.plan.dialect);
        let (sorts, access) = (order.sorts(direction), AccessPath::unknown(dialect).with_plain_equalities());
        let ranges = ranges(&access, sorts, boundary);
        let count = |range: Condition| total::counted(rows.select().and(range), up_to);
        let page = PageValues { count_limit: up_to, ..PageValues::default() };
        let apart = rows.statement(&total::sum(ranges.iter().cloned().map(count), dialect), page);
        if !ranges.is_empty() && apart.fits(dialect) && !dialect.facts().is_plain {
            return apart;
        }
        let any = Condition::any(ranges).unwrap_or_else(|| Condition::nowhere(dialect));
        rows.statement(&count(any).sql(), page)
    }

    /// The first rows of each of these groups. The number of its group, from 1 on, is the last column of a row.
    ///
    /// Behind a proxy, there is only one group.
    pub fn page_of_each(&self, feed: &Feed, order: &PageOrder<'_>, page: PageRequest<'_>) -> BoundSql {
        let sorts = order.sorts(page.direction);
        if self.rows.plan.dialect.facts().is_plain {
            let (group, access) = (feed.rows_of_group(&self.rows, 0), AccessPath::unknown(self.rows.plan.dialect));
            let rows = after(&group, order, page.span(&access, sorts, None));
            return group.statement(&feed::numbered_first(rows).sql(), page.values());
        }
        let plan = feed.plan_of_each(&self.rows, order.info(), sorts);
        FeedRows { order, page, sorts, rows: &self.rows, feed, plan, upper: &[] }.statement()
    }
}

/// The page as a page of a feed; `None` if the table's catalog is not known.
fn feed_page<'a>(order: &'a PageOrder<'_>, page: PageRequest<'_>, sorts: &'a [OrderColumn]) -> Option<FeedPage<'a>> {
    let (has_boundary, is_nearest) = (page.start.is_some(), page.candidates.is_some());
    Some(FeedPage { info: order.info()?, sorts, has_boundary, is_nearest })
}

/// The rows of a span, whose order is the list's or its reverse.
///
/// On MySQL and MariaDB, the keys of a filtered list are found first if no index is named. Otherwise, these servers may
/// look up the filter's value and then skip all of its rows before the boundary, one by one. They do not do this if the
/// index contains all selected columns, as it does for keys. MySQL then does not sort whole rows, either, nor read
/// thousands of rows ahead. With a named index, keys are found first if the page skips rows, and at an end of the list
/// also if MySQL reads ahead there.
fn after(rows: &FilteredRows, order: &PageOrder<'_>, span: Span<'_>) -> Select {
    let access = span.access;
    if finds_keys_first(rows, span) {
        // Only MySQL and MariaDB have such pages, and no equality to repeat.
        let sorts = as_keys(span.sorts);
        let span = Span { sorts: &sorts, ..span };
        let keys = span.of(&rows.keys(&sorts).along(access));
        let page = order.with_marks(span, of_keys(rows, order.keyset, &keys), || rows.select_along(access));
        return span.sort(page, Names::InSelect);
    }
    let base = order.with_marks(span, rows.select_along(access), || rows.select_along(access));
    span.of(&base.along(access))
}

/// Whether the keys of a page are found before its rows. Spider loses rows in such a join.
fn finds_keys_first(rows: &FilteredRows, Span { access, sorts, boundary, limit, .. }: Span<'_>) -> bool {
    let AccessPath::MySql { index, .. } = access else { return false };
    if access.is_spider() {
        return false;
    }
    match index {
        Some(_) if !access.is_in_order(sorts) => true,
        _ if rows.plan.equality.filters.is_empty() => false,
        Some(index) => limit.skip > 0 || index.key_lookup_first.applies(boundary.is_some()),
        None => true,
    }
}

#[cfg(test)]
#[cfg(all(feature = "sqlite", feature = "postgres", feature = "mysql"))]
mod tests;
