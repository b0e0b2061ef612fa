//! An API that has handed out page numbers and offsets: its old tokens are honoured, and lead on with cursors. Whatever is
//! written meanwhile, each row from the old token's page on is met exactly once.

use std::cell::Cell;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use folio::page_tokens::TokenRequest;
use folio::testing::{Walk, request};
use folio::{ActiveRequest, CursorDirection, CursorPaginator, Paginate, Result};

use crate::server::ID;
use crate::suite::db::{self, Pool};

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "articles", cursor_key = "grade, id")]
struct Article {
    id: i64,
    grade: i64,
}

/// How many rows there are, and how many are on a page.
const ROWS: i64 = 40;
const PER_PAGE: u64 = 4;

async fn articles() -> (folio::Folio, Pool) {
    let rows: Vec<String> = (1..=ROWS).map(|id| format!("({id}, {})", id % 6)).collect();
    let columns = format!("id {ID}, grade BIGINT NOT NULL");
    db::folio(&format!("CREATE TABLE articles ({columns}); INSERT INTO articles VALUES {}", rows.join(", "))).await
}

/// The ids in the order of the list.
fn sorted() -> Vec<i64> {
    let mut ids: Vec<i64> = (1..=ROWS).collect();
    ids.sort_by_key(|id| (id % 6, *id));
    ids
}

/// The token of the old API: the number of rows before its page.
fn old_token(offset: u64) -> String {
    BASE64_STANDARD.encode(format!("offset:{offset}"))
}

fn old_offset(token: &str) -> Option<u64> {
    let text = String::from_utf8(BASE64_STANDARD.decode(token).ok()?).ok()?;
    text.strip_prefix("offset:")?.parse().ok()
}

async fn by_token(token: Option<String>) -> Result<CursorPaginator<Article>> {
    let list = match token.as_deref().and_then(old_offset) {
        Some(offset) => Article::query().cursor(None).skip(offset),
        None => Article::query().cursor(token.as_deref()),
    };
    list.cursor_paginate(PER_PAGE).await
}

/// The same at any depth: the row before the page, found by its number in the same order, has the page's cursor.
async fn by_deep_token(token: Option<String>) -> Result<CursorPaginator<Article>> {
    let Some(offset) = token.as_deref().and_then(old_offset) else { return by_token(token).await };
    let Some(row) =
        Article::query().order_by((Article::GRADE, Article::ID)).page(offset).simple_paginate(1).await?.data.pop()
    else {
        return Ok(CursorPaginator::new(Vec::new(), PER_PAGE, None, None));
    };
    let cursor = row.cursor_key().encode(CursorDirection::Next)?;
    Article::query().cursor(Some(&cursor)).cursor_paginate(PER_PAGE).await
}

/// By page number, or by cursor, as the request has it. The links keep the page number, which the cursor overrides.
async fn by_request() -> Result<CursorPaginator<Article>> {
    let page = ActiveRequest::current().map_or(1, |request| request.page("page"));
    let before = page.saturating_sub(1).saturating_mul(PER_PAGE);
    Article::query().skip(before).with_query_string().cursor_paginate(PER_PAGE).await
}

/// By the token of AIP-158.
async fn by_page_token(token: Option<String>) -> Result<CursorPaginator<Article>> {
    let mut request = TokenRequest { page_token: token.unwrap_or_default(), ..TokenRequest::default() };
    if let Some(offset) = old_offset(&request.page_token) {
        request = TokenRequest { page_token: String::new(), skip: offset.try_into().unwrap_or(i32::MAX), ..request };
    }
    let page = Article::query().token_page(request.limits(PER_PAGE, PER_PAGE)).await?;
    let next = Some(page.next_page_token).filter(|token| !token.is_empty());
    Ok(CursorPaginator::new(page.rows, PER_PAGE, next, None))
}

/// Walks from an old token to the end, while rows are inserted and deleted on both sides of the walk.
async fn walk(offset: u64, read: impl AsyncFn(Option<String>) -> Result<CursorPaginator<Article>>) {
    let (folio, pool) = articles().await;
    let expected = sorted().split_off(usize::try_from(offset).unwrap());
    let turn = Cell::new(0);
    let write = async |_: &[i64]| {
        turn.set(turn.get() + 1);
        let new = ROWS + turn.get();
        // With OFFSET, each row in front would have moved the next page. That at the end is replaced by the next one.
        let rows = format!("({}, -1), ({new}, 9)", 100 * new);
        let gone = if turn.get() == 1 { 6 } else { new - 1 };
        db::run(&pool, format!("INSERT INTO articles VALUES {rows}; DELETE FROM articles WHERE id = {gone}")).await;
    };
    let check = Walk::over(expected).between_pages(write).run(async |token| {
        let page = read(Some(token.unwrap_or_else(|| old_token(offset)))).await?;
        Ok(page.map(|row| row.id))
    });
    folio.scope(check).await.unwrap_or_else(|error| panic!("from {offset}: {error}"));
    assert!(turn.get() > 4, "rows were written between pages");
}

#[tokio::test]
async fn old_tokens_lead_on_with_cursors() {
    for offset in [1, 8, 19] {
        walk(offset, by_token).await;
        walk(offset, by_deep_token).await;
        walk(offset, by_page_token).await;
    }
}

#[tokio::test]
async fn a_page_number_leads_on_with_cursors() {
    let page = async |token: Option<String>| {
        // A client follows the page's links, and began with a page number.
        let url = token.filter(|token| old_offset(token).is_none()).unwrap_or("/articles?author=7&page=3".to_owned());
        let page = ActiveRequest::new(&url).scope(by_request()).await?;
        Ok(CursorPaginator { next_cursor: page.next_page_url(), ..page })
    };
    walk(2 * PER_PAGE, page).await;
}

#[tokio::test]
async fn old_tokens_lead_back_and_past_the_end() {
    let (folio, _pool) = articles().await;
    let ids = |page: &CursorPaginator<Article>| page.data.iter().map(|row| row.id).collect::<Vec<_>>();
    let check = async {
        let sorted = sorted();
        let first = request("/articles", [("page", "1")]).scope(by_request()).await.unwrap();
        assert_eq!((ids(&first), first.prev_cursor.as_ref()), (sorted[..4].to_vec(), None));
        for read in [by_token(Some(old_token(8))).await, by_deep_token(Some(old_token(8))).await] {
            let page = read.unwrap();
            assert_eq!(ids(&page), sorted[8..12]);
            let back = by_token(page.prev_cursor).await.unwrap();
            assert_eq!(ids(&back), sorted[4..8]);
        }
        for offset in [40, 41, 10_000] {
            for read in [by_token(Some(old_token(offset))).await, by_deep_token(Some(old_token(offset))).await] {
                let page = read.unwrap();
                assert_eq!((page.data.len(), page.next_cursor), (0, None), "{offset}");
            }
        }
        // A numbered page has no limit, a page that skips rows has.
        let error = by_token(Some(old_token(10_001))).await.unwrap_err();
        assert_eq!(error.status(), 400);
        assert_eq!(by_deep_token(Some(old_token(u64::MAX))).await.unwrap().data.len(), 0);
        // What is neither an old token nor a cursor is refused as before.
        let error = by_token(Some(BASE64_STANDARD.encode("offset:x"))).await.unwrap_err();
        assert_eq!(error.to_string(), "Invalid pagination cursor");
    };
    folio.scope(check).await;
}
