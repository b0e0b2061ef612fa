//! Numbered pages: with the total, and simple ones.

use super::description::List;
use super::source::QueryRows;
use crate::driver::RowSink;
use crate::error::Result;
use crate::paginator::{LengthAwarePaginator, PAGE_NAME, Paginator};
use crate::read::{self, PageSize};
use crate::request::context::Context;
use crate::source::Borrowed;

/// Reads the rows of a page into `rows`, and returns the page.
pub(super) async fn length_aware(
    mut list: List<QueryRows>,
    lent: Option<Borrowed<'_>>,
    per_page: u64,
    rows: &mut dyn RowSink,
) -> Result<LengthAwarePaginator<()>> {
    let size = PageSize::new(per_page)?;
    list.check()?;
    let context = Context::current();
    let page = list.position.page(&context);
    let source = list.source(&context, lent)?;
    let page_name = list.position.urls.page_name.take();
    let path = list.position.urls.path(&context, &[page_name.as_deref().unwrap_or(PAGE_NAME)])?;
    let select = list.numbered(&source)?;
    let total = read::length_aware(source, select, size, page, rows).await?;
    let page = LengthAwarePaginator::new(vec![(); rows.len()], total.rows(), per_page, page);
    Ok(LengthAwarePaginator { path, page_name, ..page })
}

/// Reads the rows of a page into `rows`, and possibly the one after it, and returns the page.
pub(super) async fn simple(
    mut list: List<QueryRows>,
    lent: Option<Borrowed<'_>>,
    per_page: u64,
    rows: &mut dyn RowSink,
) -> Result<Paginator<()>> {
    let size = PageSize::new(per_page)?;
    list.check()?;
    let context = Context::current();
    let page = list.position.simple_page(&context, list.table());
    let source = list.source(&context, lent)?;
    let path = list.position.urls.path(&context, &[PAGE_NAME])?;
    let select = list.numbered(&source)?;
    read::simple(source, select, size, page, rows).await?;
    Ok(Paginator { path, ..Paginator::from_probe(vec![(); rows.len()], page, per_page) })
}
