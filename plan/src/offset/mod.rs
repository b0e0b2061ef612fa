//! A numbered list: its count, and its pages by offset.

mod caller_list;
mod model_list;

pub use self::caller_list::{CallerList, SortedValue};
use self::model_list::Count;
pub use self::model_list::ModelList;
use crate::custom::renderer::Renderer;
use crate::dialect::Dialect;
use crate::dialect::catalog::SharedInfo;
use crate::order::OrderColumn;
use crate::schema::table::Table;
use crate::statement::filtered::FilteredRows;
use crate::statement::slice::Slice;
use crate::statement::template::BoundSql;

/// A list of rows that has an order.
#[derive(Debug)]
pub enum OffsetQuery {
    Model(Box<ModelList>),
    Caller(CallerList),
}

impl OffsetQuery {
    pub fn dialect(&self) -> Dialect {
        match self {
            Self::Model(list) => list.rows.plan.dialect,
            Self::Caller(list) => list.renderer.dialect,
        }
    }

    /// All rows, in no order.
    pub fn all(&self) -> BoundSql {
        match self {
            Self::Model(list) => list.all(),
            Self::Caller(list) => list.all(),
        }
    }

    /// The count of all rows. With `up_to`, no more rows than that are counted.
    pub fn count(&self, up_to: Option<u64>) -> BoundSql {
        match self {
            Self::Model(list) => list.count(up_to),
            Self::Caller(list) => list.count(up_to),
        }
    }

    /// The rows of a model's query.
    pub fn rows(&self) -> Option<&FilteredRows> {
        match self {
            Self::Model(list) => Some(&list.rows),
            Self::Caller(_) => None,
        }
    }

    /// The table, if the rows of a page are found by their primary keys.
    pub fn table_of_keys(&self, slice: Slice) -> Option<&'static Table> {
        match self {
            Self::Model(list) => list.table_of_keys(slice),
            Self::Caller(_) => None,
        }
    }

    /// The table, if the statement of a page, or without a slice of a count, depends on what the [catalog
    /// says](Self::learn) about it. `is_cached`: the catalog is asked once for many pages.
    pub fn table_to_learn(&self, slice: Option<Slice>, is_cached: bool) -> Option<&'static Table> {
        match self {
            Self::Model(list) => list.table_to_learn(slice, is_cached),
            Self::Caller(_) => None,
        }
    }

    /// Chooses the statements by what the catalog says about the table.
    pub fn learn(&self, info: SharedInfo) {
        match self {
            Self::Model(list) => list.learn(info),
            Self::Caller(_) => {}
        }
    }

    /// The columns of an order in which rows may tie, so that pages could repeat rows and leave others out.
    pub fn may_tie(&self) -> &[SortedValue] {
        match self {
            Self::Model(_) => &[],
            Self::Caller(list) => list.may_tie(),
        }
    }

    /// A page of the rows in the list's order.
    pub fn page(&self, slice: Slice) -> BoundSql {
        match self {
            Self::Model(list) => list.page(slice, None),
            Self::Caller(list) => list.page(slice),
        }
    }

    /// A page whose rows have the count as their last column; `None` if page and count need a statement each. With
    /// `up_to`, the count may end there.
    pub fn page_with_total(&self, slice: Slice, up_to: Option<u64>) -> Option<BoundSql> {
        match self {
            _ if self.dialect().facts().is_plain => None,
            Self::Model(list) => Some(list.page(slice, Some(Count { up_to }))),
            Self::Caller(list) => list.page_with_total(slice, up_to),
        }
    }

    /// The order of a caller's list that has one, and how its statements are written.
    pub fn caller_order(&self) -> Option<(&Renderer, &[OrderColumn])> {
        match self {
            Self::Caller(list) => Some((&list.renderer, list.sorts()?)),
            Self::Model(_) => None,
        }
    }

    pub fn is_text(&self) -> bool {
        matches!(self, Self::Caller(list) if list.renderer.source.is_some())
    }

    /// Whether pages can be read from the list's end: only if its order is the same from both ends, as that of a
    /// model's list is. No snapshot spans several servers.
    pub fn is_reversible(&self) -> bool {
        match self {
            _ if self.dialect().facts().is_plain => false,
            Self::Model(list) => list.is_reversible(),
            Self::Caller(_) => false,
        }
    }
}
