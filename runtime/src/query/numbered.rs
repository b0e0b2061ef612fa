//! Numbered pages: with the total, and simple ones.

use super::description::List;
use super::source::QueryRows;
use crate::driver::RowSink;
use crate::error::{FrameworkError, Result};
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
    let context = Context::current();
    let page = list.position.page("paginate", &context)?;
    let page_name = list.position.urls.page_name.take();
    let name = page_name.as_deref().unwrap_or(PAGE_NAME);
    check_offset(&context, name, page, size)?;
    let target = list.target(&context, lent)?;
    let path = list.position.urls.path(&context, &[name])?;
    let select = list.numbered(&target)?;
    let total = read::length_aware(&context, target, select, size, page, rows).await?;
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
    let context = Context::current();
    let table = list.table();
    let page = list.position.simple_page(&context, table)?;
    check_offset(&context, PAGE_NAME, page, size)?;
    let target = list.target(&context, lent)?;
    let path = list.position.urls.path(&context, &[PAGE_NAME])?;
    let select = list.numbered(&target)?;
    read::simple(&context, target, select, size, page, rows).await?;
    Ok(Paginator { path, ..Paginator::from_probe(vec![(); rows.len()], page, per_page) })
}

/// Rejects a page before which the database would have to read more rows than the application allows.
fn check_offset(context: &Context, name: &str, page: u64, size: PageSize) -> Result<()> {
    let Some(most) = context.application.as_ref().and_then(|folio| folio.settings.max_offset) else { return Ok(()) };
    let last = most.checked_div(size.get()).unwrap_or(0).saturating_add(1);
    if page <= last {
        return Ok(());
    }
    Err(FrameworkError::invalid_parameter(
        name,
        format!(
            "is a number up to {last}, because a page skips at most {most} rows: narrow the filter, or read the list by \
             cursor"
        ),
    ))
}
