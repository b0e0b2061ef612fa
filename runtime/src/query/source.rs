//! [`QuerySource`]: what a query reads, the rows of a model or of a select, with their type. [`QueryRows`] is the same
//! without the type, so that the code below is compiled once.

use folio_plan::schema::table::Table;

use super::description::{List, Query};
use super::model::{Of, TableRows};
use super::rows::RowOf;
use super::select::{Rows, SelectRows};
use crate::driver::Reader;
use crate::error::Result;
use crate::model::Model;
use crate::read::{KeysetSelect, OffsetSelect};
use crate::request::context::Context;
use crate::source::Borrowed;
use crate::source::route::Target;

/// The rows of a query, without their type.
#[derive(Clone)]
#[expect(unnameable_types, reason = "only the sealed trait names it")]
pub enum QueryRows {
    Table(TableRows),
    Select(SelectRows),
}

/// What a query reads: the rows of a model, or those of a select. The trait is sealed.
pub trait QuerySource: sealed::Source {
    /// The type of the rows.
    type Row: Send;

    /// The rows without their type, and how to read them.
    #[doc(hidden)]
    fn into_parts(self) -> (QueryRows, Reader<Self::Row>);
}

mod sealed {
    pub trait Source {}

    impl<M, R> Source for super::Of<M, R> {}

    impl<T> Source for super::Rows<T> {}
}

impl<M: Model, R: RowOf<M>> QuerySource for Of<M, R> {
    type Row = R;

    fn into_parts(self) -> (QueryRows, Reader<R>) {
        (QueryRows::Table(self.rows), R::READER)
    }
}

impl<T: Send> QuerySource for Rows<T> {
    type Row = T;

    fn into_parts(self) -> (QueryRows, Reader<T>) {
        (QueryRows::Select(self.rows), self.reader)
    }
}

impl<S: QuerySource, C> Query<S, C> {
    /// The query without the type of its rows, and how to read these.
    pub(crate) fn into_parts(self) -> (List<QueryRows>, Reader<S::Row>, C) {
        let List { rows, order, route, position, binding, total, is_counted } = *self.list;
        let (rows, reader) = rows.into_parts();
        (List { rows, order, route, position, binding, total, is_counted }, reader, self.connection)
    }
}

impl List<QueryRows> {
    /// The table of a model's query.
    pub(super) fn table(&self) -> Option<&'static Table> {
        match &self.rows {
            QueryRows::Table(rows) => Some(rows.table),
            QueryRows::Select(_) => None,
        }
    }

    /// Rejects an invalid query, and chooses the connection that it is read on.
    pub(super) fn target<'c>(&mut self, context: &Context, lent: Option<Borrowed<'c>>) -> Result<Target<'c>> {
        if let QueryRows::Table(rows) = &self.rows {
            rows.check(self.order.as_deref())?;
        }
        std::mem::take(&mut self.route).target(context, lent)
    }

    /// Compiles to an offset query for the database of `target`.
    pub(super) fn numbered(self, target: &Target<'_>) -> Result<OffsetSelect> {
        let Self { rows, order, total, .. } = self;
        match rows {
            QueryRows::Table(rows) => rows.numbered(target.dialect, order, total),
            QueryRows::Select(rows) => rows.numbered(target.dialect, order, total),
        }
    }

    /// Compiles to an offset query whose order does not matter, because its rows are only counted.
    pub(super) fn unordered(self, target: &Target<'_>) -> Result<OffsetSelect> {
        let Self { rows, total, .. } = self;
        match rows {
            QueryRows::Table(rows) => rows.unordered(target.dialect, total),
            QueryRows::Select(rows) => rows.unordered(target.dialect, total),
        }
    }

    /// Compiles to a keyset query, and chooses the connection that it is read on.
    pub(crate) fn keyset<'c>(
        mut self,
        context: &Context,
        lent: Option<Borrowed<'c>>,
    ) -> Result<(Target<'c>, KeysetSelect)> {
        let route = std::mem::take(&mut self.route);
        // An invalid list is reported before a missing connection. Otherwise, it is checked when its plan is made.
        let target = match (route.target(context, lent), &self.rows) {
            (Err(error), QueryRows::Table(rows)) => {
                rows.check(self.order.as_deref())?;
                return Err(error);
            }
            (target, _) => target?,
        };
        let Self { rows, order, binding, total, is_counted, .. } = self;
        let counted = is_counted.then_some(total);
        let select = match rows {
            QueryRows::Table(mut rows) => {
                // The last of the groups of several values is read as a feed.
                let feed = rows.groups.pop_if(|groups| groups.len() > 1);
                rows.keyset(target.dialect, order, binding, counted, feed)?
            }
            QueryRows::Select(rows) => rows.keyset(target.dialect, order, binding, counted)?,
        };
        Ok((target, select))
    }
}
