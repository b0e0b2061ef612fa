//! Windows of a list one by one: rows that were deleted, arguments that would be ignored, page tokens.

use folio::page_tokens::{TokenPage, TokenRequest};
use folio::relay::Window;
use folio::{ActiveRequest, Around, Column, CursorPaginator, Folio, Paginate, Select, Total};

use crate::server::{ID, TEXT};
use crate::suite::db;

/// A table of its own, because rows are deleted from it.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "shutters")]
struct Shutter {
    id: i64,
    title: String,
}

async fn shutters() -> (Folio, db::Pool) {
    db::folio(&format!(
        "CREATE TABLE shutters (id {ID}, title {TEXT} NOT NULL); \
         INSERT INTO shutters VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')"
    ))
    .await
}

#[tokio::test]
async fn the_flags_of_a_connection_are_exact_when_rows_were_deleted() {
    let (folio, pool) = shutters().await;
    let check = async {
        let all = Shutter::query().connection(Window::first(4)).await.unwrap();
        let cursor = |at: usize| Some(all.edges[at].cursor.clone());
        db::run(&pool, "DELETE FROM shutters WHERE id IN (1, 4)").await;
        let connection = async |window| Shutter::query().connection(window).await.unwrap();

        // Nothing is left before the first row, and after the last one.
        let rest = connection(Window { after: cursor(0), ..Window::first(9) }).await;
        assert!(rest.edges.len() == 2 && !rest.page_info.has_previous_page && !rest.page_info.has_next_page);
        let rest = connection(Window { before: cursor(3), ..Window::last(9) }).await;
        assert!(rest.edges.len() == 2 && !rest.page_info.has_previous_page && !rest.page_info.has_next_page);
        let none = connection(Window { after: cursor(3), ..Window::first(9) }).await;
        assert!(none.edges.is_empty() && none.page_info.has_previous_page && !none.page_info.has_next_page);
        let none = connection(Window { before: cursor(0), ..Window::last(9) }).await;
        assert!(none.edges.is_empty() && !none.page_info.has_previous_page && none.page_info.has_next_page);

        db::run(&pool, "DELETE FROM shutters").await;
        let none = connection(Window { after: cursor(1), before: cursor(2), ..Window::first(9) }).await;
        assert!(none.edges.is_empty() && !none.page_info.has_previous_page && !none.page_info.has_next_page);
    };
    folio.scope(check).await;
}

/// A handler that reads the row from a parameter of the request: by key, or by cursor.
async fn around_row(uri: &str, cursor: Option<&str>) -> folio::Result<Around<Shutter>> {
    let list = Shutter::query().with_query_string();
    let read = async {
        match cursor {
            Some(cursor) => list.around_cursor(cursor, 0, 0).await,
            None => list.around(&ShutterKey { id: 2 }, 0, 0).await,
        }
    };
    ActiveRequest::new(uri).scope(read).await
}

#[tokio::test]
async fn the_links_beside_a_row_lead_through_the_list() {
    let (folio, _pool) = shutters().await;
    let check = async {
        let rows = Shutter::query().with_row_cursors().cursor_paginate(4).await.unwrap().row_cursors.unwrap();
        for cursor in [None, Some(rows[1].as_str())] {
            let mut link = Some("/shutters?around=2".to_owned());
            let mut seen = Vec::new();
            while let Some(uri) = link {
                assert!(seen.len() < 4, "the links repeat themselves: {seen:?}");
                let Around { page, index } = around_row(&uri, cursor).await.unwrap();
                assert_eq!(index.is_some(), seen.is_empty());
                seen.extend(page.data.iter().map(|row| row.id));
                link = page.next_page_url();
                assert!(link.as_ref().is_none_or(|link| link.starts_with("/shutters?around=2&cursor=")), "{link:?}");
            }
            assert_eq!(seen, [2, 3, 4]);
            let back = around_row("/shutters?around=2", cursor).await.unwrap().page.previous_page_url().unwrap();
            let back = around_row(&back, cursor).await.unwrap().page;
            assert_eq!((back.data[0].id, back.data.len(), back.per_page, back.on_first_page()), (1, 1, 1, true));
        }

        // The request's cursor is the row itself.
        let own = around_row(&format!("/shutters?cursor={}", rows[2]), Some(&rows[2])).await.unwrap();
        assert_eq!((own.page.data[0].id, own.index), (3, Some(0)));
        // The handler ignores it.
        let ignored = Shutter::query().cursor(None).around(&ShutterKey { id: 2 }, 0, 0);
        let uri = format!("/shutters?around=2&cursor={}", rows[2]);
        assert_eq!(ActiveRequest::new(&uri).scope(ignored).await.unwrap().index, Some(0));
        assert_eq!(around_row("/shutters?around=2&cursor=altered", None).await.unwrap_err().status(), 400);
        let other_list = Shutter::query().with_cursor_name("after").around(&ShutterKey { id: 2 }, 0, 0);
        assert_eq!(ActiveRequest::new(&uri).scope(other_list).await.unwrap().index, Some(0));
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn a_row_is_found_by_its_key_or_its_neighbours_are() {
    let (folio, _pool) = shutters().await;
    let check = async {
        let found = Shutter::query().around(&ShutterKey { id: 2 }, 1, 1).await.unwrap();
        assert_eq!((found.page.data.len(), found.index), (3, Some(1)));
        let hidden = Shutter::query().filter(Shutter::ID.ne(2)).around(&ShutterKey { id: 2 }, 1, 1).await.unwrap();
        let ids: Vec<i64> = hidden.page.data.iter().map(|row| row.id).collect();
        assert_eq!((ids, hidden.index), (vec![1, 3], None));
        let beyond = Shutter::query().around(&ShutterKey { id: 9 }, 2, 2).await.unwrap();
        assert_eq!((beyond.page.data.len(), beyond.index, beyond.page.next_cursor), (2, None, None));
        let counted = Shutter::query().counted().around(&ShutterKey { id: 2 }, 0, 0).await.unwrap();
        assert_eq!((counted.page.total.map(Total::rows), counted.page.data.len()), (Some(4), 1));
        assert!(counted.page.prev_cursor.is_some() && counted.page.next_cursor.is_some());

        let other = Shutter::query().order_by(Shutter::ID.desc()).around(&ShutterKey { id: 2 }, 1, 1).await;
        let error = other.unwrap_err();
        assert!(error.status() == 500 && error.to_string().contains("`around_cursor`"), "{error}");
        let same = Shutter::query().order_by(Shutter::ID).around(&ShutterKey { id: 2 }, 1, 1).await.unwrap();
        assert_eq!(same.index, Some(1));
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn a_row_is_found_by_its_id_in_any_order() {
    let (folio, pool) = shutters().await;
    let check = async {
        let by_title = || Shutter::query().order_by((Shutter::TITLE.desc(), Shutter::ID));
        let around = by_title().around_id(2, 1, 1).await.unwrap();
        let ids: Vec<i64> = around.page.data.iter().map(|row| row.id).collect();
        assert_eq!((ids, around.index), (vec![3, 2, 1], Some(1)));

        // A row that the list does not have, also because of its filters and groups, is not found.
        for missing in [
            by_title().around_id(9_i64, 1, 1).await,
            by_title().filter(Shutter::ID.ne(2)).around_id(2, 1, 1).await,
            by_title().among(Shutter::TITLE, ["a", "c"].map(str::to_owned)).around_id(2, 1, 1).await,
            by_title().around_id(i64::MIN, 1, 1).await,
        ] {
            let error = missing.unwrap_err();
            assert_eq!((error.status(), error.to_string().as_str()), (404, "The list has no row with this id"));
        }
        let group =
            by_title().among(Shutter::TITLE, ["a", "b", "c"].map(str::to_owned)).around_id(2, 0, 9).await.unwrap();
        assert_eq!((group.page.data.len(), group.index), (2, Some(0)));

        // A position that would be ignored, and a value of another type.
        for (error, part) in [
            (by_title().skip(1).around_id(2, 1, 1).await, "`around_id` cannot be combined"),
            (by_title().seek("b").around_at("b", 1, 1).await, "`around_at` cannot be combined"),
            (by_title().around_at(2, 1, 1).await, "`seek` got a value of the type Int"),
        ] {
            let error = error.unwrap_err();
            assert!(error.status() == 500 && error.to_string().contains(part), "{error}");
        }

        // The links of both lead on.
        for by_value in [false, true] {
            let around = async |uri: &str| {
                let list = Shutter::query().with_query_string();
                let read =
                    async { if by_value { list.around_at(2_i64, 0, 0).await } else { list.around_id(2, 0, 0).await } };
                ActiveRequest::new(uri).scope(read).await.unwrap()
            };
            let first = around("/shutters?row=2").await;
            assert_eq!((first.page.data[0].id, first.index), (2, Some(0)));
            let next = around(&first.page.next_page_url().unwrap()).await;
            assert_eq!((next.page.data[0].id, next.index), (3, None));
        }

        let tuple = by_title().around_at(("b", 2_i64), 1, 1).await.unwrap();
        let ids: Vec<i64> = tuple.page.data.iter().map(|row| row.id).collect();
        assert_eq!((ids, tuple.index), (vec![3, 2, 1], Some(1)), "a value for each of two columns");
        let counted = by_title().counted().around_at("b", 1, 0).await.unwrap();
        assert_eq!((counted.page.total.map(Total::rows), counted.page.data.len()), (Some(4), 2));
        db::run(&pool, "DELETE FROM shutters").await;
        let empty = Shutter::query().with_positions().around_at(2_i64, 1, 1).await.unwrap();
        assert_eq!((empty.page.data.len(), empty.index, empty.page.end_cursor), (0, None, None));
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn an_invalid_combination_is_an_error() {
    let (folio, _pool) = shutters().await;
    let check = async {
        let query = Shutter::query;
        let first = query().cursor_paginate(1).await.unwrap().next_cursor;
        let cursor = first.as_deref();
        let fails = |result: folio::Result<CursorPaginator<Shutter>>, status: u16, part: &str| {
            let error = result.unwrap_err();
            assert!(error.status() == status && error.to_string().contains(part), "{error}");
        };
        fails(query().cursor(cursor).after(cursor).cursor_paginate(1).await, 500, "`cursor` cannot be combined");
        fails(query().cursor(cursor).last_page(1).await, 500, "`cursor` cannot be combined");
        fails(query().after(Some("")).cursor_paginate(1).await, 400, "Invalid pagination cursor");
        fails(query().before(Some("x")).last_page(1).await, 400, "Invalid pagination cursor");
        fails(query().skip(10_001).cursor_paginate(1).await, 400, "skip");
        fails(query().last_page(0).await, 400, "per_page");
        fails(query().seek("a").cursor_paginate(1).await, 500, "the column `id`");
        fails(query().seek(None::<i64>).cursor_paginate(1).await, 500, "NULL");
        fails(query().seek(1_i32).cursor_paginate(1).await, 500, "BigInt");
        fails(query().seek((1_i64, 2_i64)).cursor_paginate(1).await, 500, "the order has 1 columns (id)");

        for (window, part) in [
            (Window::default(), "`first` or `last` is required"),
            (Window { last: Some(1), ..Window::first(1) }, "cannot be combined"),
            (Window::first(-1), "`first` cannot be negative"),
            (Window::last(i64::MIN), "`last` cannot be negative"),
            (Window { after: Some("x".into()), ..Window::first(1) }, "Invalid pagination cursor"),
            (
                Window { before: first.clone().map(|cursor| cursor + "A"), ..Window::first(1) },
                "Invalid pagination cursor",
            ),
        ] {
            let error = query().connection(window.clone()).await.unwrap_err();
            assert!(error.status() == 400 && error.to_string().contains(part), "{window:?}: {error}");
        }
        for query in
            [query().after(cursor), query().before(cursor), query().cursor(None), query().with_cursor_name("feed")]
        {
            let error = query.clone().connection(Window::first(1)).await.unwrap_err().to_string();
            assert!(error.starts_with("`connection` cannot be combined with `cursor`, `after`"), "{error}");
            let error = query.token_page(TokenRequest::default().limits(1, 1)).await.unwrap_err().to_string();
            assert!(error.starts_with("`token_page` cannot be combined with `cursor`, `after`"), "{error}");
        }
        assert_eq!(query().connection(Window::first(i64::MAX)).await.unwrap().edges.len(), 4);
    };
    folio.max_window(u64::MAX).scope(check).await;
}

/// The cursor of a request decides, if there is one; a place to seek is where the list begins.
#[tokio::test]
async fn a_cursor_takes_precedence_over_seek() {
    let (folio, _pool) = shutters().await;
    let check = async {
        let query = || Shutter::query().seek_inclusive(2_i64).with_path("/shutters");
        let first = folio::ActiveRequest::new("/shutters").scope(query().cursor_paginate(1)).await.unwrap();
        assert_eq!(first.data[0].id, 2);
        let next = folio::ActiveRequest::new(&first.next_page_url().unwrap());
        let second = next.clone().scope(query().cursor_paginate(1)).await.unwrap();
        assert_eq!((second.data[0].id, &second.cursor), (3, &first.next_cursor));
        let prev = folio::ActiveRequest::new(&first.previous_page_url().unwrap());
        assert_eq!(prev.scope(query().cursor_paginate(1)).await.unwrap().data[0].id, 1);
        // A window reads no cursor of the request.
        assert_eq!(next.scope(Shutter::query().last_page(1)).await.unwrap().data[0].id, 4);
    };
    folio.scope(check).await;
}

/// The cursor of a row is the cursor that its page would end with.
#[tokio::test]
async fn the_cursors_of_rows_are_printed_if_they_were_asked_for() {
    let (folio, _pool) = shutters().await;
    let check = async {
        let page = Shutter::query().with_row_cursors().cursor_paginate(2).await.unwrap();
        let json = serde_json::to_value(page.clone().map(|row| row.id)).unwrap();
        assert_eq!(json["row_cursors"].as_array().unwrap().len(), 2);
        let back: CursorPaginator<i64> = serde_json::from_value(json).unwrap();
        assert_eq!(back.row_cursors, page.row_cursors);
        let plain = Shutter::query().cursor_paginate(2).await.unwrap().map(|row| row.id);
        assert!(serde_json::to_value(plain).unwrap().get("row_cursors").is_none());
        // Rows that were reached backwards are in the order of the list, and so are their cursors.
        let last = Shutter::query().with_row_cursors().last_page(2).await.unwrap();
        let cursors = last.row_cursors.unwrap();
        let after = Shutter::query().cursor(Some(&cursors[0])).cursor_paginate(5).await.unwrap();
        assert_eq!((last.data[1].id, after.data[0].id, after.data.len()), (4, 4, 1));
    };
    folio.scope(check).await;
}

/// A cursor of an empty page includes its row. As a place in the list, it means the same as any other cursor of that
/// row.
#[tokio::test]
async fn any_cursor_stands_for_its_row() {
    let (folio, _pool) = shutters().await;
    let check = async {
        let ids = |page: &CursorPaginator<Shutter>| page.data.iter().map(|row| row.id).collect::<Vec<_>>();
        let cursors = Shutter::query().with_row_cursors().cursor_paginate(4).await.unwrap().row_cursors.unwrap();
        let at = |at: usize| Some(cursors[at].as_str());
        let empty = Shutter::query().after(at(0)).before(at(1)).cursor_paginate(5).await.unwrap();
        assert!(empty.data.is_empty());
        for cursor in [empty.next_cursor.unwrap(), empty.prev_cursor.unwrap()] {
            let around = Shutter::query().around_cursor(&cursor, 1, 1).await.unwrap();
            let found = around.index.map(|at| around.page.data[at].id).unwrap();
            let expected: Vec<i64> = (1..=4).filter(|id| (found - id).abs() <= 1).collect();
            assert_eq!(ids(&around.page), expected);
        }

        // With more rows to skip than the window has, the cursors lead to the rows before and after the skipped ones.
        let past = Shutter::query().after(at(0)).before(at(1)).skip(2).cursor_paginate(5).await.unwrap();
        let next = Shutter::query().cursor(past.next_cursor.as_deref()).cursor_paginate(1).await.unwrap();
        let prev = Shutter::query().cursor(past.prev_cursor.as_deref()).cursor_paginate(1).await.unwrap();
        assert_eq!((past.data.len(), ids(&prev), ids(&next)), (0, vec![3], vec![4]));
    };
    folio.scope(check).await;
}

/// Rows are skipped where the list begins, and not again on each page of a walk.
#[tokio::test]
async fn a_walk_skips_rows_once() {
    let (folio, _pool) = shutters().await;
    let check = async {
        let query = || Shutter::query().skip(1);
        let first = query().cursor_paginate(1).await.unwrap();
        let second = query().cursor(first.next_cursor.as_deref()).cursor_paginate(1).await.unwrap();
        assert_eq!((first.data[0].id, second.data[0].id), (2, 3));
        let first = query().token_page(TokenRequest::default().limits(1, 1)).await.unwrap();
        let request = TokenRequest { page_token: first.next_page_token, ..TokenRequest::default() };
        let second = query().token_page(request.limits(1, 1)).await.unwrap();
        assert_eq!((first.rows[0].id, second.rows[0].id), (2, 3));
        let first = query().connection(Window::first(1)).await.unwrap();
        let after = first.page_info.end_cursor.clone();
        let second = query().connection(Window { after, ..Window::first(1) }).await.unwrap();
        assert_eq!((first.edges[0].node.id, second.edges[0].node.id), (2, 3));

        let error = Shutter::query().token_page(TokenRequest::default().limits(0, 9)).await.unwrap_err();
        assert!(error.status() == 500 && error.to_string().starts_with("`limits` takes"), "{error}");
        for query in [query(), Shutter::query().seek(1_i64), Shutter::query().after(Some("x"))] {
            let error = query.around(&ShutterKey { id: 2 }, 1, 1).await.unwrap_err();
            assert!(error.to_string().starts_with("`around` cannot be combined"), "{error}");
        }
    };
    folio.scope(check).await;
}

/// Rows that tie would be lost behind each other's cursors.
#[tokio::test]
async fn cursors_of_rows_that_tie_are_refused() {
    let (folio, _pool) = shutters().await;
    let check = async {
        let rows = || Select::<(String,)>::sql("SELECT title FROM shutters UNION ALL SELECT 'b' AS title");
        let rows = || rows().order_by(Column::<String>::new("title"));
        assert_eq!(rows().cursor_paginate(10).await.unwrap().data.len(), 5);
        let error = rows().with_row_cursors().cursor_paginate(10).await.unwrap_err();
        assert!(error.to_string().contains("rows tie"), "{error}");
    };
    folio.scope(check).await;
}

/// A list by page tokens, with the rules of AIP-158.
#[tokio::test]
async fn page_tokens_lead_to_the_end_of_a_list() {
    let (folio, _pool) = shutters().await;
    let check = async {
        let request = |page_size: i32, page_token: &str, skip: i32| {
            TokenRequest { page_size, page_token: page_token.to_owned(), skip }.limits(2, 3)
        };
        let ids = |page: &TokenPage<Shutter>| page.rows.iter().map(|row| row.id).collect::<Vec<_>>();
        let page = async |request| Shutter::query().token_page(request).await.unwrap();
        let first = page(request(0, "", 0)).await;
        assert_eq!((ids(&first), first.total_size), (vec![1, 2], None));
        let token = first.next_page_token.as_str();
        assert_eq!(
            (ids(&page(request(1, token, 0)).await), ids(&page(request(9, token, 1)).await)),
            (vec![3], vec![4])
        );
        let last = page(request(i32::MAX, token, 0)).await;
        assert_eq!((ids(&last), last.next_page_token.as_str()), (vec![3, 4], ""));
        assert_eq!(ids(&page(request(9, "", 0)).await), [1, 2, 3]);
        assert_eq!(
            page(request(1, "", 9)).await,
            TokenPage { rows: vec![], next_page_token: String::new(), total_size: None }
        );
        // The direction of a cursor does not matter.
        let back = Shutter::query().last_page(2).await.unwrap().prev_cursor.unwrap();
        assert_eq!(ids(&page(request(1, &back, 0)).await), [4]);

        for (wrong, part) in [
            (request(-1, "", 0), "`page_size`"),
            (request(i32::MIN, "", 0), "`page_size`"),
            (request(1, "", -1), "`skip`"),
            (request(1, "", 10_001), "`skip`"),
            (request(1, "x", 0), "Invalid pagination cursor"),
            (request(1, &format!("{token}A"), 0), "Invalid pagination cursor"),
        ] {
            let error = Shutter::query().token_page(wrong).await.unwrap_err();
            assert!(error.status() == 400 && error.to_string().contains(part), "{error}");
        }
        // The active request's cursor is another list's.
        let other = folio::ActiveRequest::new("/?cursor=x").scope(Shutter::query().token_page(request(1, "", 0)));
        assert_eq!(ids(&other.await.unwrap()), [1]);
        let bound = Shutter::query().filter(Shutter::ID.gt(1)).bind_filters();
        assert_eq!(bound.token_page(request(1, token, 0)).await.unwrap_err().status(), 400);
    };
    folio.scope(check).await;
}
