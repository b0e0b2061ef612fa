//! The rows of a model's query, as cursor pages read them.

use std::sync::OnceLock;

use sea_query::{Expr, SelectStatement, Value};

use super::form::{Form, page_values, with_values};
use super::{KeysetOrder, PageOrder, PageRows};
use crate::dialect::Dialect;
use crate::model::group::Groups;
use crate::model::table::Table;
use crate::query::access::{Access, Fixed};
use crate::query::deferred_join::{DERIVED, ModelRows};
use crate::query::feed::{self, Feed, FeedKeys, FeedPage, FeedPlan};
use crate::query::order_column::{OrderColumn, key_name};
use crate::query::predicate::{self, Span};
use crate::query::template::{BoundSql, PageValues, QueryText, Templates};

/// The rows of a model's query, without order and limit.
#[derive(Debug)]
pub(crate) struct ModelBase {
    rows: FilteredRows,
    /// The groups of the rows, if the query is a feed.
    feed: Option<Feed>,
    /// The rows of all groups, by a filter. Most pages of a feed do not need it, and it takes as long as the groups are
    /// many.
    in_groups: OnceLock<FilteredRows>,
    /// The expressions of the order.
    expressions: Vec<OrderColumn>,
}

/// Rows that match filters, and these as text.
#[derive(Debug, Clone)]
pub(crate) struct FilteredRows {
    pub(crate) rows: ModelRows,
    pub(crate) text: QueryText,
}

static TEMPLATES: Templates<Form> = Templates::new();

impl ModelBase {
    /// The rows that match filters, or of them those in these groups.
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

    pub(super) fn feed(&self) -> Option<&Feed> {
        self.feed.as_ref()
    }

    /// The rows that match all conditions. The groups of a feed are one of them.
    pub(crate) fn filtered(&self) -> &FilteredRows {
        let Some(feed) = &self.feed else { return &self.rows };
        self.in_groups.get_or_init(|| {
            let mut rows = self.rows.rows.clone();
            rows.filters.push(feed::filter(&feed.groups, self.dialect()));
            let text = QueryText::new(self.dialect(), rows.table, &rows.filters, &self.expressions);
            FilteredRows { rows, text }
        })
    }

    /// The columns that the filters fix, and those that the groups of a feed fix for their own rows.
    pub(super) fn fixed(&self) -> Fixed<'_> {
        let fixed = Fixed::by(&self.rows.rows.filters);
        match &self.feed {
            Some(feed) => fixed.with_groups(&feed.groups),
            None => fixed,
        }
    }

    /// The rows of a page.
    pub(super) fn page(&self, order: &KeysetOrder, page_order: &PageOrder<'_>, rows: PageRows<'_>) -> BoundSql {
        let sorts = page_order.sorts(rows.direction);
        let feed = rows.nearest.and_then(|places| Some(self.feed.as_ref()?.only(places)));
        if let Some(feed) = feed.as_ref().or(self.feed.as_ref())
            && let Some(plan) = feed_page(page_order, &sorts, rows).and_then(|page| feed.plan(page))
        {
            let inner = feed.text.inner_limit(rows.limit).map(|_| rounded(rows.limit));
            let page = FeedRows { order, rows: &self.rows.rows, feed, plan: &plan };
            return page.statement(page_order, &sorts, rows, inner);
        }
        self.filtered_page(order, page_order, &sorts, rows)
    }

    /// The rows of a page that is not read group by group.
    fn filtered_page(
        &self,
        order: &KeysetOrder,
        page_order: &PageOrder<'_>,
        sorts: &[OrderColumn],
        rows: PageRows<'_>,
    ) -> BoundSql {
        let FilteredRows { rows: filtered, text } = self.filtered();
        let access = self.access(page_order, sorts);
        let span = rows.span(&access, sorts, text.inner_limit(rows.limit));
        if !rows.has_template() {
            return BoundSql::of(text.dialect(), &after(filtered, order, span));
        }
        let form = Form::of(order.id, &page_order.undeclared, rows.direction, span);
        TEMPLATES.statement(text, form, page_values(span), &|values| after(filtered, order, with_values(span, values)))
    }

    /// The statement that finds the groups of a feed that a page has rows of, if they are found before its rows.
    pub(super) fn heads(
        &self,
        order: &KeysetOrder,
        page_order: &PageOrder<'_>,
        rows: PageRows<'_>,
    ) -> Option<BoundSql> {
        let feed = self.feed.as_ref()?;
        let sorts = page_order.sorts(rows.direction);
        let page = feed_page(page_order, &sorts, rows)?;
        let (access, keys) = (Access::unknown(self.dialect()), as_keys(&sorts));
        let primary_key = order.terms.iter().position(|term| self.table().primary_key.contains(&term.key.name))?;
        let heads = feed.heads(&self.rows.rows, page, rows.span(&access, &keys, None), &key_name(primary_key))?;
        Some(BoundSql::of(self.dialect(), &heads).repeated())
    }

    /// The filters of a query for one group, with their values, as text that differs if they do.
    pub(super) fn to_key_of_group(&self, feed: &Feed, at: usize) -> String {
        let filters = [feed.filters.clone(), vec![feed.group(at)]].concat();
        QueryText::new(self.dialect(), self.table(), &filters, &self.expressions).to_key()
    }

    /// The statement that counts the rows of each of these groups, in their order. The count is the last column.
    pub(crate) fn totals(&self, feed: &Feed) -> BoundSql {
        BoundSql::of(self.dialect(), &feed.totals(&self.rows.rows)).repeated()
    }

    /// The first rows of each of these groups. The number of its group, from 1 on, is the last column of a row.
    pub(crate) fn page_of_each(
        &self,
        feed: &Feed,
        order: &KeysetOrder,
        page_order: &PageOrder<'_>,
        rows: PageRows<'_>,
    ) -> BoundSql {
        let sorts = page_order.sorts(rows.direction);
        let plan = feed.plan_of_each(page_order.info.as_deref(), &sorts);
        let inner = feed.text.inner_limit(rows.limit).map(|_| rows.limit);
        FeedRows { order, rows: &self.rows.rows, feed, plan: &plan }.statement(page_order, &sorts, rows, inner)
    }

    /// How a page's rows are read.
    fn access(&self, order: &PageOrder<'_>, sorts: &[OrderColumn]) -> Access {
        let dialect = self.dialect();
        let access = match &order.info {
            Some(info) => Access::new(dialect, info, &Fixed::by(&self.filtered().rows.filters), sorts),
            None => Access::unknown(dialect),
        };
        let row_values = access.row_values || dialect.reads_groups_once_for_each_range() && self.feed.is_some();
        Access { row_values, ..access }
    }
}

/// The rows of a span, whose order is the list's or its reverse.
///
/// On MySQL and MariaDB, the keys of a filtered list are found first. Otherwise these servers may look up the filter's
/// value and skip each of its rows before the boundary. For keys, which the index contains, they do not; nor does MySQL
/// read thousands of rows ahead, or sort whole rows.
fn after(rows: &ModelRows, order: &KeysetOrder, span: Span<'_>) -> SelectStatement {
    if finds_keys_first(rows, span) {
        return deferred(rows, order, span);
    }
    let base = order.with_marks(span, rows.filtered());
    span.of(&span.access.with_hint(base))
}

/// The page of a feed; `None` if the table's catalog is not known.
fn feed_page<'a>(page_order: &'a PageOrder<'_>, sorts: &'a [OrderColumn], rows: PageRows<'_>) -> Option<FeedPage<'a>> {
    let (has_boundary, is_nearest) = (rows.start.is_some(), rows.nearest.is_some());
    Some(FeedPage { info: page_order.info.as_deref()?, sorts, has_boundary, is_nearest })
}

/// The rows of a feed's page, which are read group by group.
struct FeedRows<'a> {
    order: &'a KeysetOrder,
    rows: &'a ModelRows,
    feed: &'a Feed,
    plan: &'a FeedPlan,
}

impl FeedRows<'_> {
    /// The statement of the page. `inner` is the limit of a group, as part of the text.
    fn statement(
        &self,
        page_order: &PageOrder<'_>,
        sorts: &[OrderColumn],
        rows: PageRows<'_>,
        inner: Option<u64>,
    ) -> BoundSql {
        let text = &self.feed.text;
        let values = self.plan.shape.source.values(&self.feed.groups);
        let span = rows.span(&self.plan.access, sorts, inner);
        if !rows.has_template() || !Feed::has_template(&values) {
            return BoundSql::of(text.dialect(), &self.select(span, &values)).repeated();
        }
        let form = Form::of(self.order.id, &page_order.undeclared, rows.direction, span).of_feed(self.plan);
        let page = PageValues { groups: &values, ..page_values(span) };
        TEMPLATES.statement(text, form, page, &|page| self.select(with_values(span, page), page.groups)).repeated()
    }

    /// The rows, whose keys are found first. They are sorted by the keys' own columns, so that PostgreSQL sees that they
    /// come in order; first by their groups, if each has a page.
    fn select(&self, span: Span<'_>, values: &[Value]) -> SelectStatement {
        let Self { order, rows, feed, plan } = *self;
        let sorts = as_keys(span.sorts);
        let keys = FeedKeys { rows, feed, plan, span: Span { sorts: &sorts, ..span }, values }.select();
        let mut page = order.with_marks(span, of_keys(rows, order, keys));
        if plan.shape.is_each {
            feed::with_number(&mut page, span.access.dialect);
        }
        predicate::order(span.access.dialect, &mut page, &sorts, |sort| Expr::col((DERIVED, sort.output.clone())));
        if span.limit.inner.is_some() && !plan.shape.is_each {
            page.limit(span.limit.rows);
        }
        page
    }
}

/// A limit that serves pages of similar sizes, so that they have the same text.
fn rounded(limit: u64) -> u64 {
    let step = match limit {
        ..=16 => 4,
        17..=32 => 8,
        33..=64 => 16,
        _ => 32,
    };
    limit.checked_next_multiple_of(step).unwrap_or(limit)
}

/// Whether the keys of a page are found before its rows.
fn finds_keys_first(rows: &ModelRows, Span { access, sorts, .. }: Span<'_>) -> bool {
    let is_out_of_order = access.index.is_some() && !access.is_in_order(sorts);
    access.dialect.finds_keys_first() && (!rows.filters.is_empty() || is_out_of_order)
}

/// A page of a model's rows, whose keys are found first.
fn deferred(rows: &ModelRows, order: &KeysetOrder, span: Span<'_>) -> SelectStatement {
    let sorts = as_keys(span.sorts);
    let keys = select_keys(rows, Span { sorts: &sorts, ..span });
    let mut page = order.with_marks(span, of_keys(rows, order, keys));
    predicate::order(span.access.dialect, &mut page, &sorts, OrderColumn::in_select);
    page
}

/// The rows of these keys. They are joined by name, because the order may qualify its columns or not. A model's order
/// contains its whole primary key.
fn of_keys(rows: &ModelRows, order: &KeysetOrder, keys: SelectStatement) -> SelectStatement {
    let place = |name: &&str| order.terms.iter().position(|term| term.is_named(name));
    let names = rows.table.primary_key.iter().filter_map(place).map(key_name);
    rows.of_keys(keys, rows.primary_key().iter().zip(names))
}

/// The columns of an order under the names that they have among the keys.
fn as_keys(sorts: &[OrderColumn]) -> Vec<OrderColumn> {
    let as_key = |(at, sort): (usize, &OrderColumn)| OrderColumn { output: key_name(at), ..sort.clone() };
    sorts.iter().enumerate().map(as_key).collect()
}

/// The keys of a span's rows.
fn select_keys(rows: &ModelRows, span: Span<'_>) -> SelectStatement {
    span.of(&span.access.with_hint(rows.keys(&rows.filters, span.sorts)))
}
