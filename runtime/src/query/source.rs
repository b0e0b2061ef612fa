//! [`QuerySource`]: what a query reads. Below it, no code depends on the type of the rows.

use super::description::{List, Query};
use super::model::{Of, TableRows};
use super::select::{Rows, SelectRows};
use crate::driver::Reader;
use crate::error::Result;
use crate::model::Model;
use crate::read::{KeysetSelect, OffsetSelect};
use crate::request::context::Context;
use crate::schema::table::Table;
use crate::source::Borrowed;
use crate::source::route::Source;

/// The rows of a query, without their type.
#[derive(Clone)]
#[expect(unnameable_types, reason = "only the sealed trait names it")]
pub enum QueryRows {
    Table(TableRows),
    Select(SelectRows),
}

/// What a query reads: the rows of a model, or those of a select. The trait is sealed.
pub trait QuerySource: sealed::Erase {
    /// The type of the rows.
    type Row: Send;

    #[doc(hidden)]
    fn reader(&self) -> Reader<Self::Row>;
}

mod sealed {
    use super::QueryRows;

    #[expect(unnameable_types, reason = "the trait is sealed")]
    pub trait Erase {
        fn erase(self) -> QueryRows;
    }
}

impl<M: Model> QuerySource for Of<M> {
    type Row = M;

    fn reader(&self) -> Reader<M> {
        M::READER
    }
}

impl<M> sealed::Erase for Of<M> {
    fn erase(self) -> QueryRows {
        QueryRows::Table(self.rows)
    }
}

impl<T: Send> QuerySource for Rows<T> {
    type Row = T;

    fn reader(&self) -> Reader<T> {
        self.reader
    }
}

impl<T> sealed::Erase for Rows<T> {
    fn erase(self) -> QueryRows {
        QueryRows::Select(self.rows)
    }
}

impl<S: QuerySource, C> Query<S, C> {
    /// The query without the type of its rows, and how to read these.
    pub(crate) fn into_parts(self) -> (List<QueryRows>, Reader<S::Row>, C) {
        let List { rows, order, route, position, binding, total, is_counted } = *self.list;
        let reader = rows.reader();
        let rows = rows.erase();
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

    /// Rejects an invalid query, before a connection is leased.
    pub(super) fn check(&self) -> Result<()> {
        match &self.rows {
            QueryRows::Table(rows) => rows.check(self.order.as_deref()),
            QueryRows::Select(_) => Ok(()),
        }
    }

    /// Where the query is read.
    pub(super) fn source<'c>(&mut self, context: &Context, lent: Option<Borrowed<'c>>) -> Result<Source<'c>> {
        std::mem::take(&mut self.route).source(context, lent)
    }

    /// Compiles to an offset query for the database of `source`.
    pub(super) fn numbered(self, source: &Source<'_>) -> Result<OffsetSelect> {
        let Self { rows, order, total, .. } = self;
        match rows {
            QueryRows::Table(rows) => rows.numbered(source.dialect(), order, total),
            QueryRows::Select(rows) => rows.numbered(source.dialect(), order, total),
        }
    }

    /// Compiles to a keyset query, and says where it is read.
    pub(crate) fn keyset<'c>(
        mut self,
        context: &Context,
        lent: Option<Borrowed<'c>>,
    ) -> Result<(Source<'c>, KeysetSelect)> {
        self.check()?;
        let source = self.source(context, lent)?;
        let Self { rows, order, binding, total, is_counted, .. } = self;
        let counted = is_counted.then_some(total);
        let select = match rows {
            QueryRows::Table(rows) => rows.keyset(source.dialect(), order, binding, counted)?,
            QueryRows::Select(rows) => rows.keyset(source.dialect(), order, binding, counted)?,
        };
        Ok((source, select))
    }
}
