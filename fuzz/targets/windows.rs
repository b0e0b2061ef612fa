//! Windows of a list on SQLite: those of Relay, of the cursor pagination profile, and of lists with page tokens. The
//! oracle slices the rows.
//!
//! The fields of an input are the kind of window, two numbers, and two cursors. A cursor of a `#` and a number is the
//! one of this row.

#![no_main]

use std::sync::LazyLock;

use folio::json_api::{CursorWindow, CursorWindowError};
use folio::page_tokens::TokenRequest;
use folio::relay::Window;
use folio::{CursorDirection, Paginate};
use folio_fuzz::{cut, fields, is_refused, number, runtime};
use libfuzzer_sys::fuzz_target;
use url::form_urlencoded::Serializer;

const ROWS: i64 = 7;

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "rank, id")]
struct Post {
    id: i64,
    rank: i64,
}

static INSTALLED: LazyLock<()> = LazyLock::new(|| {
    folio_fuzz::install(
        "CREATE TABLE posts (id INTEGER PRIMARY KEY, rank INTEGER NOT NULL);
         INSERT INTO posts VALUES (1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 3)",
    );
});

/// A cursor of the input: the row that it is at, if it is genuine, and its text.
fn cursor(text: &str) -> Option<(Option<i64>, String)> {
    let row = text.strip_prefix('#').and_then(|id| id.parse().ok()).filter(|id| (1..=ROWS).contains(id));
    match row {
        Some(id) => {
            let key = PostKey { rank: [1, 1, 1, 2, 2, 3, 3][usize::try_from(id - 1).unwrap()], id };
            Some((row, key.encode(if id % 2 == 0 { CursorDirection::Next } else { CursorDirection::Prev }).unwrap()))
        }
        None if text.is_empty() => None,
        None => Some((None, text.to_owned())),
    }
}

type Cursor = Option<(Option<i64>, String)>;

/// Whether a cursor was not made by folio.
fn is_forged(cursor: &Cursor) -> bool {
    matches!(cursor, Some((None, _)))
}

fn text(cursor: &Cursor) -> Option<String> {
    cursor.as_ref().map(|(_, text)| text.clone())
}

/// The rows between two cursors.
fn between(after: &Cursor, before: &Cursor) -> Vec<i64> {
    let row = |cursor: &Cursor| cursor.as_ref().and_then(|(row, _)| *row);
    (1..=ROWS).filter(|id| row(after).is_none_or(|row| *id > row) && row(before).is_none_or(|row| *id < row)).collect()
}

async fn check_relay(first: &str, last: &str, after: Cursor, before: Cursor) {
    let (first, last) = (first.parse::<i64>().ok(), last.parse::<i64>().ok());
    let window = Window { first, last, after: text(&after), before: text(&before) };
    let read = Post::query().connection(window).await;
    let rows = match (first, last) {
        (Some(rows @ 0..), None) | (None, Some(rows @ 0..)) => usize::try_from(rows).unwrap(),
        _ => return assert_eq!(read.unwrap_err().status(), 400),
    };
    if is_forged(&after) || is_forged(&before) {
        return assert!(is_refused(&read));
    }
    let all = between(&after, &before);
    let skipped = if first.is_some() { 0 } else { all.len().saturating_sub(rows) };
    let expected: Vec<i64> = all.into_iter().skip(skipped).take(rows).collect();
    let read = read.unwrap();
    assert_eq!(read.edges.iter().map(|edge| edge.node.id).collect::<Vec<_>>(), expected);
    if let (Some(start), Some(end)) = (expected.first(), expected.last()) {
        assert_eq!((read.page_info.has_previous_page, read.page_info.has_next_page), (*start > 1, *end < ROWS));
    }
}

async fn check_profile(size: &str, max: &str, after: Cursor, before: Cursor) {
    let max = number(max).unwrap_or(5);
    let mut query = Serializer::new(String::new());
    query.extend_pairs(Some(size).filter(|size| !size.is_empty()).map(|size| ("page[size]", size)));
    query.extend_pairs(text(&after).map(|text| ("page[after]", text)));
    query.extend_pairs(text(&before).map(|text| ("page[before]", text)));
    let window = match CursorWindow::resolve(&query.finish(), 2, max) {
        Ok(window) => window,
        Err(error) => return assert_eq!(error.status(), if max < 2 { 500 } else { 400 }, "{error}"),
    };
    let unasked = if after.is_some() && before.is_some() { max } else { 2 };
    let rows = usize::try_from(number(size).unwrap_or(unasked)).unwrap();
    let read = Post::query().cursor_window(window).await;
    if is_forged(&after) || is_forged(&before) {
        return assert!(matches!(read, Err(CursorWindowError::InvalidCursor { .. })));
    }
    let all = between(&after, &before);
    let skipped = if after.is_none() && before.is_some() { all.len().saturating_sub(rows) } else { 0 };
    let expected: Vec<i64> = all.into_iter().skip(skipped).take(rows).collect();
    assert_eq!(read.unwrap().rows().iter().map(|post| post.id).collect::<Vec<_>>(), expected);
}

async fn check_tokens(size: &str, skip: &str, token: Cursor) {
    let (page_size, skip) = (size.parse::<i32>().unwrap_or(0), skip.parse::<i32>().unwrap_or(0));
    // A token leads on, whichever way the cursor of the row does.
    let token = token.filter(|(row, _)| row.is_none_or(|row| row % 2 == 0));
    let request = TokenRequest { page_size, page_token: text(&token).unwrap_or_default(), skip };
    let read = Post::query().token_page(request.limits(3, 5)).await;
    if page_size < 0 || !(0..=10_000).contains(&skip) {
        return assert_eq!(read.unwrap_err().status(), 400);
    }
    if is_forged(&token) {
        return assert!(is_refused(&read));
    }
    let rows = if page_size == 0 { 3 } else { page_size.min(5) };
    let (rows, skip) = (usize::try_from(rows).unwrap(), usize::try_from(skip).unwrap());
    let all: Vec<i64> = between(&token, &None).into_iter().skip(skip).collect();
    let read = read.unwrap();
    let expected: Vec<i64> = all.iter().copied().take(rows).collect();
    assert_eq!(read.rows.iter().map(|post| post.id).collect::<Vec<_>>(), expected);
    assert_eq!(read.next_page_token.is_empty(), all.len() <= rows);
}

fuzz_target!(|data: &[u8]| {
    LazyLock::force(&INSTALLED);
    let [kind, one, two, after, before] = fields(data);
    let (after, before) = (cursor(&cut(&after, 3_000)), cursor(&before));
    runtime().block_on(async {
        match kind.as_str() {
            "relay" => check_relay(&one, &two, after, before).await,
            "profile" => check_profile(&one, &two, after, before).await,
            _ => check_tokens(&one, &two, after).await,
        }
    });
});
