//! Cursors of pages: orders by tuples and expressions, scopes, bound filters, and selects.

use std::future::Future;

use folio::{Builder, Column, CursorPaginator, NamedExpr, OrderOf, Paginate, Pagination, Result, Select};
use sea_query::{Expr, Func, Query};

use super::shapes::{Open, Shape};

pub(super) const SCHEMA: &str = "
    CREATE TABLE wide (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b INTEGER NOT NULL, c INTEGER NOT NULL,
                       d INTEGER NOT NULL, e INTEGER NOT NULL, f INTEGER, title TEXT NOT NULL);
    INSERT INTO wide VALUES (1, 1, 1, 1, 1, 1, NULL, 'a'), (2, 1, 1, 1, 1, 1, NULL, 'B'), (3, 1, 1, 1, 1, 1, 2, 'b'),
                            (4, 2, 2, 1, 1, 1, 2, ''), (5, 2, 2, 1, 1, 1, 3, 'é'), (6, 3, 3, 3, 3, 3, NULL, 'c');";

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "wide")]
#[expect(dead_code, reason = "only the cursors matter here")]
struct Wide {
    id: i64,
    a: i64,
    b: i64,
    c: i64,
    d: i64,
    e: i64,
    f: Option<i64>,
    title: String,
}

type Cursors = (Option<String>, Option<String>);

/// The cursors of a page.
fn cursors<T>(page: CursorPaginator<T>) -> Cursors {
    (page.next_cursor, page.prev_cursor)
}

/// The shape of a list whose pages this reads. Their cursors are those of the first two pages.
async fn shape<F: Future<Output = Result<Cursors>> + 'static>(
    name: &'static str,
    page: impl Fn(Option<String>) -> F + 'static,
) -> Shape {
    let (first, _) = page(None).await.unwrap();
    let (next, previous) = page(first.clone()).await.unwrap();
    let tokens = [first, next, previous].into_iter().flatten().collect();
    let open = move |cursor| -> super::shapes::Boxed<Result<()>> {
        let page = page(Some(cursor));
        Box::pin(async move { page.await.map(drop) })
    };
    Shape { name: name.to_owned(), list: name, tokens, strange: Vec::new(), opens: Open::Page(Box::new(open)) }
}

/// The list of the model, changed in some way.
async fn query(name: &'static str, change: impl Fn(Builder<Wide>) -> Builder<Wide> + 'static) -> Shape {
    shape(name, move |cursor| {
        let query = change(Wide::query()).cursor(cursor.as_deref());
        async move { query.cursor_paginate(2).await.map(cursors) }
    })
    .await
}

/// The list of the model in another order.
async fn by(name: &'static str, order: impl OrderOf<Wide> + Clone + 'static) -> Shape {
    query(name, move |query| query.cursor_by(order.clone())).await
}

/// The list of a select.
async fn select(name: &'static str, select: impl Fn() -> Select<(i64,)> + 'static) -> Shape {
    const ID: Column<i64> = Column::new("id");
    shape(name, move |cursor| {
        let select = select();
        async move { Pagination::cursor(select, cursor.as_deref(), 2, ID).await.map(cursors) }
    })
    .await
}

fn lower() -> NamedExpr<String> {
    Column::expr("lower_title", Func::lower(Expr::col(Wide::TITLE)))
}

pub(super) async fn shapes() -> Vec<Shape> {
    let eight =
        (Wide::A, Wide::B, Wide::C, Wide::D.desc(), Wide::E, Wide::F.nulls_last(), Wide::TITLE, Wide::ID.desc());
    let from = || Query::select().column("id").from("wide").take();
    vec![
        query("by id", |query| query).await,
        by("by one column", Wide::A.desc()).await,
        by("by two columns", (Wide::A, Wide::TITLE)).await,
        by("by NULLs", (Wide::F.desc().nulls_first(), Wide::A)).await,
        by("by eight columns", eight).await,
        by("by text", (lower().asc(), Wide::ID.desc())).await,
        query("of a tenant", |query| query.cursor_scope("tenant:7")).await,
        query("of another tenant", |query| query.cursor_scope("tenant:8")).await,
        query("filtered", |query| query.filter(Wide::A.lt(3)).bind_filters()).await,
        query("filtered in another way", |query| query.filter(Wide::A.lt(4)).bind_filters()).await,
        query("filtered, of a tenant", |query| query.filter(Wide::A.lt(3)).bind_filters().cursor_scope("tenant:7"))
            .await,
        select("a select", move || from().into()).await,
        select("a named select", move || Select::from(from()).named("drafts")).await,
    ]
}
