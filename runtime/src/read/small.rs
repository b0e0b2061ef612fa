//! Reads that are smaller than a page: counts, and the first row of a list.

use folio_plan::boundary::Boundary;
use folio_plan::cursor::Cursor;
use folio_plan::keyset::Base;
use folio_plan::statement::filtered::FilteredRows;
use folio_plan::statement::slice::MAX_PER_PAGE;
use folio_plan::statement::total::VALUE;
use folio_plan::value::Variant;
use futures_util::future::BoxFuture;
use sea_query::Expr;

use super::list::{KeysetSelect, OffsetSelect};
use super::page_reader::PageReader;
use super::total::{ListReader, count_of};
use super::window::Window;
use super::{checks, from_key};
use crate::driver::{Driver, RowOf, RowSink, column_error};
use crate::error::{FrameworkError, Refusal, Refused, Result, refused};
use crate::paginator::Total;
use crate::pool::dispatch;
use crate::request::context::Context;
use crate::source::route::Target;
use crate::source::{AnyLease, Lease};
use crate::watch;

/// Reads the total of a list of rows of this type.
pub(crate) fn count<'a>(
    context: &'a Context,
    target: Target<'a>,
    list: OffsetSelect,
    row_type: &'static str,
) -> BoxFuture<'a, Result<Total>> {
    Box::pin(async move {
        let watched = watch::Page::new("count", target.dialect, list.query.rows(), row_type);
        let reading = async {
            let mut connection = target.lease(false).await?;
            let total = dispatch!(AnyLease, &mut connection, held => {
                ListReader { connection: held, list: &list }.total().await?
            });
            connection.end().await?;
            Ok(total)
        };
        watch::page(context, watched, reading).await
    })
}

/// Reads the first row of a list into `rows`.
pub(crate) fn first<'a>(
    context: &'a Context,
    target: Target<'a>,
    select: KeysetSelect,
    rows: &'a mut dyn RowSink,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let watched = watch::Page::new("first", target.dialect, select.query.base.rows(), rows.row_type());
        let watched = watch::Page { list: Some(&select.query), ..watched };
        let reading = async {
            let mut connection = target.lease(false).await?;
            let window = Window::first(1);
            dispatch!(AnyLease, &mut connection, held => {
                PageReader { connection: held, query: &select.query, window: &window }.first(rows).await?;
            });
            connection.end().await
        };
        watch::page(context, watched, reading).await
    })
}

/// A column whose values are counted.
pub(crate) struct FacetColumn {
    pub(crate) name: &'static str,
    pub(crate) expr: Expr,
    pub(crate) variant: Variant,
    pub(crate) is_nullable: bool,
}

/// Reads the most frequent values of a column into `rows`, at most `limit` of them, each with the number of its rows.
pub(crate) fn count_by<'a>(
    context: &'a Context,
    target: Target<'a>,
    list: FilteredRows,
    column: FacetColumn,
    limit: u64,
    rows: &'a mut dyn RowSink,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let watched = watch::Page::new("count_by", target.dialect, Some(&list), rows.row_type());
        let reading = async {
            let mut connection = target.lease(false).await?;
            dispatch!(AnyLease, &mut connection, held => {
                values_of(held, &list, &column, limit.min(MAX_PER_PAGE), rows).await?;
            });
            connection.end().await
        };
        watch::page(context, watched, reading).await
    })
}

async fn values_of<D: Driver>(
    connection: &mut Lease<'_, D>,
    list: &FilteredRows,
    FacetColumn { name, expr, variant, is_nullable }: &FacetColumn,
    limit: u64,
    rows: &mut dyn RowSink,
) -> Result<()> {
    let take = |row: RowOf<D>| {
        // sqlx reads NULL on SQLite as an empty text or 0.
        if !is_nullable && D::is_null(&row, VALUE)? {
            return Err(column_error(name, "NULL in a column whose type cannot hold it: make it an `Option`"));
        }
        D::decode_into(rows, &row).map_err(|error| match error {
            sqlx::Error::ColumnDecode { index, source } if index == "0" => column_error(name, source),
            error => error,
        })
    };
    Ok(connection.fetch(list.count_by(expr, *variant, limit), limit, take).await?)
}

/// Counts the rows of a list in the direction of a cursor that was made from a key, without the row at the key. The
/// count may end at `up_to`.
pub(crate) fn count_beyond<'a>(
    context: &'a Context,
    target: Target<'a>,
    select: KeysetSelect,
    key: Cursor,
    up_to: Option<u64>,
    row_type: &'static str,
) -> BoxFuture<'a, Result<u64>> {
    Box::pin(async move {
        let watched = watch::Page::new("count_beyond", target.dialect, select.query.base.rows(), row_type);
        let watched = watch::Page { list: Some(&select.query), ..watched };
        let reading = async {
            let mut connection = target.lease(false).await?;
            let count = dispatch!(AnyLease, &mut connection, held => beyond(held, &select, &key, up_to).await?);
            connection.end().await?;
            Ok(count)
        };
        watch::page(context, watched, reading).await
    })
}

async fn beyond<D: Driver>(
    connection: &mut Lease<'_, D>,
    KeysetSelect { query, .. }: &KeysetSelect,
    key: &Cursor,
    up_to: Option<u64>,
) -> Result<u64> {
    let Base::Model(model) = &query.base else { return Err(Refusal::InvalidCursor.into()) };
    let counting = async {
        let Some(key) = from_key::resolve(connection, query, key).await? else { return Ok(0) };
        let info = checks::info(connection, query, model.table()).await?;
        let boundary = Boundary { values: &key.boundary, inclusive: false };
        let order = query.order.for_page(info);
        let statement = model.count_after(&order, key.direction, boundary, up_to);
        let row = connection.fetch_first(statement).await?.ok_or(sqlx::Error::RowNotFound)?;
        let count = count_of::<D>(&row)?;
        Ok(up_to.map_or(count, |most| count.min(most)))
    };
    match counting.await {
        Err(FrameworkError::Database(cause))
            if matches!(refused(&cause), Some(Refused::Bound | Refused::Type)) && !query.base.has_request_filters() =>
        {
            Err(Refusal::InvalidCursor.into())
        }
        count => count,
    }
}
