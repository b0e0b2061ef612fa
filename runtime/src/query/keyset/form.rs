//! What the text of a cursor page depends on, and the values that are bound in it.

use crate::cursor::CursorDirection;
use crate::query::access::Access;
use crate::query::feed::{FeedPlan, FeedShape};
use crate::query::predicate::{Bound, Boundary, Limit, Span};
use crate::query::template::PageValues;
use crate::value::{self, Variant};

/// What the text of a page depends on, except for the query.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Form {
    order: u64,
    direction: CursorDirection,
    undeclared: Vec<bool>,
    /// Whether the boundary is part of the page, and how each of its values is bound.
    boundary: Option<(bool, Vec<BoundForm>)>,
    inner_limit: Option<u64>,
    access: Access,
    feed: Option<FeedShape>,
}

/// Whether a value is NULL, its type, and the type that it is cast to.
type BoundForm = (bool, Option<Variant>, Option<String>);

impl Form {
    /// The form of a page that has this span.
    pub(super) fn of(order: u64, undeclared: &[bool], direction: CursorDirection, span: Span<'_>) -> Self {
        Self {
            order,
            direction,
            undeclared: undeclared.to_vec(),
            boundary: span.boundary.map(boundary_form),
            inner_limit: span.limit.inner,
            access: span.access.clone(),
            feed: None,
        }
    }

    /// The same form for a page of a feed.
    pub(super) fn of_feed(self, plan: &FeedPlan) -> Self {
        Self { feed: Some(plan.shape.clone()), ..self }
    }
}

/// The values of a span.
pub(super) fn page_values(Span { boundary, limit, .. }: Span<'_>) -> PageValues<'_> {
    let boundary = boundary.map_or(&[][..], |boundary| boundary.values);
    PageValues { boundary, limit: limit.rows, inner_limit: limit.inner, ..PageValues::default() }
}

/// The same span with other values.
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
