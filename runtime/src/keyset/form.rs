//! The cache key of a cursor page's SQL, and the values that are bound in it.

use super::{PageOrder, PageRows};
use crate::boundary::{Bound, Boundary};
use crate::cursor::CursorDirection;
use crate::dialect::catalog::SharedInfo;
use crate::feed::FeedShape;
use crate::predicate::{Limit, Span};
use crate::statement::template::PageValues;
use crate::value::{self, Variant};

/// The cache key of a page's SQL, besides the query.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Form {
    order: u64,
    /// The query, the order and this decide how the rows are read.
    info: Option<SharedInfo>,
    direction: CursorDirection,
    /// Whether the boundary is part of the page, and how each of its values is bound.
    boundary: Option<(bool, Vec<BoundForm>)>,
    inner_limit: Option<u64>,
    groups: GroupsForm,
    /// How the values of the upper bound are bound.
    last: Vec<BoundForm>,
}

/// How the text of a page depends on the groups of a feed.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) enum GroupsForm {
    /// The query is not a feed.
    None,
    /// The query filters by all groups.
    Filter,
    /// The groups are read one by one.
    Feed(FeedShape),
    /// Only the heads of the groups are read.
    Heads(FeedShape),
}

/// Whether a value is NULL, its type, and the type that it is cast to.
type BoundForm = (bool, Option<Variant>, Option<String>);

impl Form {
    /// The form of a page of these rows; `None` if its statement has no template.
    pub(super) fn of(
        order: &PageOrder<'_>,
        rows: PageRows<'_>,
        inner_limit: Option<u64>,
        groups: GroupsForm,
    ) -> Option<Self> {
        let (PageOrder { list, info, .. }, PageRows { direction, start, .. }) = (order, rows);
        let (boundary, last) = (start.map(boundary_form), rows.last.iter().map(bound_form).collect());
        let form = Self { order: list.id, info: info.clone(), direction, boundary, inner_limit, groups, last };
        rows.has_template().then_some(form)
    }
}

pub(super) fn page_values(rows: PageRows<'_>, inner_limit: Option<u64>) -> PageValues<'_> {
    let boundary = rows.start.map_or(&[][..], |start| start.values);
    PageValues { boundary, last: rows.last, limit: rows.limit, inner_limit, ..PageValues::default() }
}

pub(super) fn with_values<'a>(span: Span<'a>, values: PageValues<'a>) -> Span<'a> {
    let boundary = span.boundary.map(|boundary| Boundary { values: values.boundary, ..boundary });
    Span { boundary, limit: limit_of(span.limit, values), ..span }
}

/// The same limit with other values.
fn limit_of(limit: Limit, values: PageValues<'_>) -> Limit {
    Limit { rows: values.limit, inner: values.inner_limit, one: values.one.unwrap_or(limit.one), ..limit }
}

/// The properties of a boundary on which a page's text depends.
fn boundary_form(boundary: Boundary<'_>) -> (bool, Vec<BoundForm>) {
    (boundary.inclusive, boundary.values.iter().map(bound_form).collect())
}

fn bound_form(bound: &Bound<'_>) -> BoundForm {
    (value::is_null(bound.value), value::variant(bound.value), bound.cast.map(str::to_owned))
}
