//! What the text of a cursor page's statement depends on.

use super::{PageOrder, PageRequest};
use crate::boundary::{Boundary, BoundaryValue};
use crate::cursor::CursorDirection;
use crate::dialect::catalog::SharedInfo;
use crate::feed::FeedShape;
use crate::statement::template::Templates;
use crate::value::{self, Variant};

/// What the text of a page's statement depends on, apart from the plan of the rows.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct TextKey {
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

/// The texts of the pages of models' queries.
pub(super) static TEXTS: Templates<TextKey> = Templates::new();

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

impl TextKey {
    /// The key of a page of these rows; `None` if its statement has no template. The pages that clients request most
    /// often have one.
    pub(super) fn of(
        order: &PageOrder<'_>,
        page: PageRequest<'_>,
        literal_limit: Option<u64>,
        rows: RowsForm,
        upper: &[BoundaryValue],
    ) -> Option<Self> {
        if !page.has_template() {
            return None;
        }
        let form = |value: &BoundaryValue| -> BoundForm {
            (value.is_null(), value::variant(value.bound()), value.cast().map(str::to_owned))
        };
        let forms = |values: &[BoundaryValue]| values.iter().map(form).collect();
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
