//! Numbered pages.

use super::List;
use crate::driver::{Reader, RowSink, TypedRows};
use crate::error::Result;
use crate::paginator::{LengthAwarePaginator, PAGE_NAME, Paginator};
use crate::read;
use crate::source::using::{self, Connect};

/// Reads a page with the total.
pub(crate) async fn length_aware<T: Send>(
    list: impl List,
    reader: Reader<T>,
    connection: &mut impl Connect,
    per_page: u64,
) -> Result<LengthAwarePaginator<T>> {
    let mut rows = TypedRows::new(reader, per_page);
    let page = counted_page(list, connection, per_page, &mut rows).await?;
    Ok(page.with_rows(rows.into_vec()))
}

/// Reads the rows of a page into `rows`, and returns the page.
async fn counted_page(
    mut list: impl List,
    connection: &mut impl Connect,
    per_page: u64,
    rows: &mut dyn RowSink,
) -> Result<LengthAwarePaginator<()>> {
    read::check_per_page(per_page)?;
    list.check()?;
    let page = list.position().page();
    let source = using::source(list.take_route(), connection)?;
    let page_name = list.position().page_name.take();
    let path = list.position().take_path(&[page_name.as_deref().unwrap_or(PAGE_NAME)])?;
    let select = list.numbered(&source)?;
    let total = read::length_aware(source, select, per_page, page, rows).await?;
    let page = LengthAwarePaginator::new(vec![(); rows.len()], total.rows(), per_page, page);
    Ok(LengthAwarePaginator { path, page_name, ..page })
}

/// Reads a page without the total.
pub(crate) async fn simple<T: Send>(
    list: impl List,
    reader: Reader<T>,
    connection: &mut impl Connect,
    per_page: u64,
) -> Result<Paginator<T>> {
    let mut rows = TypedRows::new(reader, per_page.saturating_add(1));
    let page = simple_page(list, connection, per_page, &mut rows).await?;
    Ok(page.with_rows(rows.into_vec()))
}

/// Reads the rows of a page into `rows`, and possibly the one after it, and returns the page.
async fn simple_page(
    mut list: impl List,
    connection: &mut impl Connect,
    per_page: u64,
    rows: &mut dyn RowSink,
) -> Result<Paginator<()>> {
    read::check_per_page(per_page)?;
    list.check()?;
    let table = list.table();
    let page = list.position().simple_page(table);
    let source = using::source(list.take_route(), connection)?;
    let path = list.position().take_path(&[PAGE_NAME])?;
    let select = list.numbered(&source)?;
    read::simple(source, select, per_page, page, rows).await?;
    Ok(Paginator { path, ..Paginator::from_probe(vec![(); rows.len()], page, per_page) })
}
