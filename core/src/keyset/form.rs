//! The cache key of a cursor page's SQL.

use super::{PageOrder, PageRequest};
use crate::boundary::{Bound, Boundary};
use crate::cursor::CursorDirection;
use crate::dialect::catalog::SharedInfo;
use crate::feed::FeedShape;
use crate::value::{self, Variant};

/// The cache key of a page's SQL, besides the query.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct PageForm {
    order: u64,
    /// The query, the order and this decide how the rows are read.
    info: Option<SharedInfo>,
    direction: CursorDirection,
    /// Whether the boundary is part of the page, and how each of its values is bound.
    boundary: Option<(bool, Vec<BoundForm>)>,
    literal_limit: Option<u64>,
    rows: RowsForm,
    /// How the values of the upper bound are bound.
    upper: Vec<BoundForm>,
}

/// Which rows a statement reads.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) enum RowsForm {
    /// Those that match the filters.
    Filtered,
    /// Those of a feed, by a filter for all groups.
    InGroups,
    /// Those of a feed, group by group.
    OfEachGroup(FeedShape),
    /// Only the heads of the groups.
    Heads(FeedShape),
}

/// Whether a value is NULL, its type, and the type that it is cast to.
type BoundForm = (bool, Option<Variant>, Option<String>);

impl PageForm {
    /// The form of a page of these rows; `None` if its statement has no template.
    pub(super) fn of(
        order: &PageOrder<'_>,
        page: PageRequest<'_>,
        literal_limit: Option<u64>,
        rows: RowsForm,
        upper: &[Bound<'_>],
    ) -> Option<Self> {
        if !page.has_template() {
            return None;
        }
        let form = |bound: &Bound<'_>| -> BoundForm {
            (value::is_null(bound.value), value::variant(bound.value), bound.cast.map(str::to_owned))
        };
        let forms = |values: &[Bound<'_>]| values.iter().map(form).collect();
        Some(Self {
            order: order.keyset.id,
            info: order.info.clone(),
            direction: page.direction,
            boundary: page.start.map(|Boundary { values, inclusive }| (inclusive, forms(values))),
            literal_limit,
            rows,
            upper: forms(upper),
        })
    }
}
