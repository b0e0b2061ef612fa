//! A page of a model's query, and the parts that its statements share.

use std::borrow::Cow;

use sea_query::{Expr, SelectStatement};

use crate::feed::FeedPage;
use crate::keyset::form::{Form, GroupsForm};
use crate::keyset::{KeysetOrder, PageOrder, PageRows};
use crate::order::{OrderColumn, key_name};
use crate::statement::deferred_join::ModelRows;
use crate::statement::template::{BoundSql, PageSelect, PageValues, QueryText, Templates};

static TEMPLATES: Templates<Form> = Templates::new();

#[derive(Clone, Copy)]
pub(super) struct Page<'a> {
    pub(super) order: &'a PageOrder<'a>,
    pub(super) rows: PageRows<'a>,
}

impl<'a> Page<'a> {
    /// The order in which its rows are read.
    pub(super) fn sorts(self) -> Cow<'a, [OrderColumn]> {
        self.order.sorts(self.rows.direction)
    }

    /// The inner limit of its statement, if it is not read group by group and the query may have a generic plan.
    ///
    /// Without filters it is the largest one, so that pages of all sizes have the same text. With filters it is that of
    /// the page, because PostgreSQL may read as many rows of each range and sort them.
    pub(super) fn inner_limit(self, text: &QueryText) -> Option<u64> {
        let rows = self.rows.limit;
        let largest = text.inner_limit(rows).filter(|_| self.rows.has_template())?;
        Some(if text.has_values() { rounded(rows) } else { largest })
    }

    /// What the text of the page depends on; `None` if its statement has no template.
    pub(super) fn form(self, inner_limit: Option<u64>, groups: GroupsForm) -> Option<Form> {
        Form::of(self.order, self.rows, inner_limit, groups)
    }

    /// The page as a page of a feed; `None` if the table's catalog is not known.
    pub(super) fn of_feed(self, sorts: &'a [OrderColumn]) -> Option<FeedPage<'a>> {
        let (has_boundary, is_nearest) = (self.rows.start.is_some(), self.rows.nearest.is_some());
        Some(FeedPage { info: self.order.info()?, sorts, has_boundary, is_nearest })
    }
}

/// The statement of a page's select, from a template if its text has a form.
pub(super) fn statement(
    text: &QueryText,
    form: Option<Form>,
    page: PageValues<'_>,
    select: &PageSelect<'_>,
) -> BoundSql {
    match form {
        Some(form) => TEMPLATES.statement(text, form, page, select),
        None => BoundSql::of(text.dialect(), &select(page)),
    }
}

/// A limit that suits pages of similar sizes, so that their statements have the same text.
pub(super) fn rounded(limit: u64) -> u64 {
    let step = match limit {
        ..=16 => 4,
        17..=32 => 8,
        33..=64 => 16,
        _ => 32,
    };
    limit.checked_next_multiple_of(step).unwrap_or(limit)
}

/// The rows of these keys. They are joined by name, because the order may qualify its columns or not. A model's order
/// contains its whole primary key.
pub(super) fn of_keys(
    rows: &ModelRows,
    order: &KeysetOrder,
    keys: SelectStatement,
    repeated: Vec<Expr>,
) -> SelectStatement {
    let place = |name: &&str| order.place(name);
    let names = rows.table.primary_key.iter().filter_map(place).map(key_name);
    rows.of_keys(keys, rows.primary_key().iter().zip(names), repeated)
}

/// The order's columns, renamed to `folio_key_n`.
pub(super) fn as_keys(sorts: &[OrderColumn]) -> Vec<OrderColumn> {
    let as_key = |(at, sort): (usize, &OrderColumn)| OrderColumn { output: key_name(at), ..sort.clone() };
    sorts.iter().enumerate().map(as_key).collect()
}
