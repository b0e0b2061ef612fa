//! A page of each group: the rows, cursors and totals of a query that filters by the group.

use std::collections::HashMap;

use folio::relay::{Connection, Window};
use folio::{CursorPaginator, EachOf, Paginate, load};
use folio_tests::recorder::record_statements;

use super::{Case, Groups, Post, code, ids, pair, posts, tag};
use crate::server::ID;
use crate::suite::db;

/// Reads each group, by number.
macro_rules! each {
    ($case:expr, $query:expr, $ending:ident($argument:expr)) => {{
        let (case, query): (&Case, _) = ($case, $query);
        let numbers = case.values.iter();
        match case.groups {
            Groups::Author => {
                by_number(case, query.each_of(Post::AUTHOR_ID, numbers.copied()).$ending($argument).await, |n| n)
            }
            Groups::AuthorAndKind => {
                let each: EachOf<Post, (i64, i32)> = query.each_of((Post::AUTHOR_ID, Post::KIND), numbers.map(pair));
                by_number(case, each.$ending($argument).await, |number| pair(&number))
            }
            Groups::Tag => {
                by_number(case, query.each_of(Post::TAG, numbers.map(tag)).$ending($argument).await, |n| tag(&n))
            }
            Groups::Code => {
                by_number(case, query.each_of(Post::CODE, numbers.copied().map(code)).$ending($argument).await, code)
            }
        }
    }};
}

/// The pages of the groups in the order of their numbers.
fn by_number<V: std::hash::Hash + Eq, P>(
    case: &Case,
    pages: folio::Result<HashMap<V, P>>,
    value: impl Fn(i64) -> V,
) -> Vec<(i64, P)> {
    let mut pages = pages.unwrap();
    let found = case.values.iter().filter_map(|number| Some((*number, pages.remove(&value(*number))?))).collect();
    assert!(pages.is_empty(), "there is a page of a group that was not asked for");
    found
}

pub(super) async fn check(case: &Case) {
    let size = usize::try_from(case.rows).unwrap();
    let pages: Vec<(i64, CursorPaginator<Post>)> =
        each!(case, case.all().counted().bind_filters().with_row_cursors(), cursor_paginate(case.rows));
    for (at, (number, page)) in pages.iter().enumerate() {
        let expected = case.sorted(|row| case.is_in(row, *number));
        assert_eq!(ids(page), expected[..expected.len().min(size)], "group {number}");
        assert_eq!(page.total.map(folio::Total::rows), Some(u64::try_from(expected.len()).unwrap()));
        assert_eq!((page.next_cursor.is_some(), page.prev_cursor.is_some()), (expected.len() > size, false));
        // A few walks are enough.
        if at < 3 {
            check_next(case, *number, page, &expected).await;
        }
    }
    check_ends(case).await;
}

/// The page after the first one of a group, from the query of the group.
async fn check_next(case: &Case, number: i64, page: &CursorPaginator<Post>, expected: &[i64]) {
    let rest = &expected[page.data.len()..];
    let from = page.next_cursor.iter().chain(page.row_cursors.iter().flatten().last());
    for cursor in from {
        let next = case.group(number).bind_filters().cursor(Some(cursor)).cursor_paginate(case.rows).await.unwrap();
        assert_eq!(ids(&next), rest[..rest.len().min(next.data.len().max(1))], "the next page of group {number}");
    }
}

/// The last rows of each group as connections, and the first ones without cursors.
async fn check_ends(case: &Case) {
    let size = usize::try_from(case.rows).unwrap();
    let window = Window::last(i64::try_from(case.rows).unwrap());
    let connections: Vec<(i64, Connection<Post>)> = each!(case, case.all(), connection(window));
    for (number, connection) in connections {
        let expected = case.sorted(|row| case.is_in(row, number));
        let nodes: Vec<i64> = connection.edges.iter().map(|edge| edge.node.id).collect();
        assert_eq!(nodes, expected[expected.len().saturating_sub(size)..], "the end of group {number}");
        let info = connection.page_info;
        assert_eq!((info.has_previous_page, info.has_next_page), (expected.len() > size, false));
    }
    let rows: Vec<(i64, Vec<Post>)> = each!(case, case.all(), first(case.rows));
    for (number, rows) in rows {
        let expected = case.sorted(|row| case.is_in(row, number));
        let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
        assert_eq!(ids, expected[..expected.len().min(size)]);
    }
}

#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(table = "feed_comments")]
struct Comment {
    id: i64,
    post_id: i64,
}

#[tokio::test]
async fn one_statement_reads_the_pages_of_all_groups() {
    record_statements();
    let comments: Vec<String> = (1..=300).map(|id| format!("({id}, {})", id % 40)).collect();
    let (folio, _pool) = db::folio(&format!(
        "CREATE TABLE feed_comments (id {ID}, post_id BIGINT NOT NULL); \
         CREATE INDEX feed_comments_post ON feed_comments (post_id, id); INSERT INTO feed_comments VALUES {}",
        comments.join(", ")
    ))
    .await;
    folio
        .scope(async {
            let each = |query: folio::Builder<Comment>| query.each_of(Comment::POST_ID, 10..30_i64).cursor_paginate(5);
            each(Comment::query()).await.unwrap();
            db::selects("feed_comments");
            assert_eq!(each(Comment::query()).await.unwrap().len(), 20);
            let statements = db::selects("feed_comments");
            assert_eq!(statements.len(), 1, "{statements:?}");
            each(Comment::query().counted()).await.unwrap();
            assert_eq!(db::selects("feed_comments").len(), 2);
            assert!(Comment::query().each_of(Comment::POST_ID, [0_i64; 0]).first(5).await.unwrap().is_empty());
            assert_eq!(db::selects("feed_comments").len(), 0);

            // Eager loading takes the same statement, whatever the number of rows.
            let comments = load::many(Comment::query(), Comment::POST_ID, |comment: &Comment| comment.id).first(2);
            let page = Comment::query().paginate(20).await.unwrap().load(comments).await.unwrap();
            assert_eq!(db::selects("feed_comments").len(), 2);
            for (row, comments) in page.data {
                let expected: Vec<i64> = (1..=300).filter(|id| id % 40 == row.id).take(2).collect();
                assert!(comments.iter().all(|comment| comment.post_id == row.id));
                assert_eq!(comments.iter().map(|comment| comment.id).collect::<Vec<_>>(), expected);
            }
        })
        .await;
}

#[tokio::test]
async fn a_position_or_a_total_that_would_be_ignored_is_an_error() {
    let (folio, _pool) = posts().await;
    folio
        .scope(async {
            let query = Post::query;
            let refused = [
                query().cursor(Some("x")),
                query().after(Some("x")),
                query().skip(1),
                query().seek(3),
                query().count_up_to(7),
                query().estimated_total(),
            ];
            for query in refused {
                let error = query.each_of(Post::AUTHOR_ID, [1_i64]).cursor_paginate(5).await.unwrap_err();
                assert_eq!(error.status(), 500);
                assert!(error.to_string().contains("`each_of`"), "{error}");
            }
            let window = Window { after: Some("x".into()), ..Window::first(1) };
            let error = query().each_of(Post::AUTHOR_ID, [1_i64, 2]).connection(window.clone()).await.unwrap_err();
            assert!(error.to_string().contains("the one group that the cursor belongs to"), "{error}");
            let error = query().each_of(Post::AUTHOR_ID, [1_i64]).connection(window).await.unwrap_err();
            assert_eq!(error.status(), 400);
            assert_eq!(query().each_of(Post::AUTHOR_ID, [1_i64]).cursor_paginate(0).await.unwrap_err().status(), 400);
            // No rows are a valid window, which tells whether there are any.
            let none = query().each_of(Post::AUTHOR_ID, [1_i64]).connection(Window::first(0)).await.unwrap();
            assert!(none[&1].edges.is_empty() && none[&1].page_info.has_next_page);
        })
        .await;
}

#[tokio::test]
async fn the_callers_own_connection_reads_the_pages() {
    let (_folio, pool) = posts().await;
    let mut connection = pool.acquire().await.unwrap();
    let pages = Post::query().using(&mut *connection).each_of(Post::AUTHOR_ID, [1_i64, 2]).first(2).await.unwrap();
    assert_eq!(pages[&1].len(), 2);
}

#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(table = "feed_marks")]
struct Mark {
    id: i64,
    author: i64,
    kind: i64,
}

#[tokio::test]
async fn cursors_are_bound_to_a_group_before_theirs() {
    let (folio, _pool) = db::folio(&format!(
        "CREATE TABLE feed_marks (id {ID}, author BIGINT NOT NULL, kind BIGINT NOT NULL); \
         INSERT INTO feed_marks VALUES (1, 7, 1), (2, 7, 1), (3, 7, 2), (4, 8, 1), (5, 7, 1)"
    ))
    .await;
    folio
        .scope(async {
            let of_seven = || Mark::query().among(Mark::AUTHOR, [7]).bind_filters();
            let ids = |marks: &[Mark]| marks.iter().map(|mark| (mark.id, mark.author, mark.kind)).collect::<Vec<_>>();
            let mut pages = of_seven().each_of(Mark::KIND, [1, 2]).cursor_paginate(1).await.unwrap();
            let next = pages.remove(&1).and_then(|page| page.next_cursor).unwrap();
            // A page of the group is a page of the query over it.
            let as_group = of_seven().among(Mark::KIND, [1]).cursor(Some(&next)).cursor_paginate(1).await.unwrap();
            assert_eq!(ids(&as_group.data), [(2, 7, 1)]);
            let window = Window { after: Some(next), ..Window::first(1) };
            let rest = of_seven().each_of(Mark::KIND, [1]).connection(window.clone()).await.unwrap();
            assert_eq!(rest[&1].edges[0].node.id, 2);
            let other = of_seven().each_of(Mark::KIND, [2]).connection(window).await;
            assert_eq!(other.unwrap_err().status(), 400);
        })
        .await;
}

/// Two topics may have the same subject, and some have no replies.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "feed_topics")]
struct Topic {
    id: i64,
    subject: i64,
}

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "feed_replies", cursor_key = "score desc nulls last")]
struct Reply {
    id: i64,
    subject: i64,
    score: Option<i64>,
}

async fn topics() -> (folio::Folio, db::Pool) {
    let score = |id: i64| if id % 4 == 0 { "NULL".to_owned() } else { (id % 3).to_string() };
    let replies: Vec<String> = (1..=120).map(|id| format!("({id}, {}, {})", id * id % 7, score(id))).collect();
    let topics: Vec<String> = (1..=10).map(|id| format!("({id}, {})", id % 8)).collect();
    db::folio(&format!(
        "CREATE TABLE feed_topics (id {ID}, subject BIGINT NOT NULL); INSERT INTO feed_topics VALUES {}; \
         CREATE TABLE feed_replies (id {ID}, subject BIGINT NOT NULL, score BIGINT); \
         CREATE INDEX feed_replies_subject ON feed_replies (subject, score, id); INSERT INTO feed_replies VALUES {}",
        topics.join(", "),
        replies.join(", ")
    ))
    .await
}

/// The replies of a subject: the best ones first, those without a score last, and the newest first among equals.
fn replies_of(subject: i64) -> Vec<i64> {
    let score = |id: i64| (id % 4 != 0).then_some(id % 3);
    let mut ids: Vec<i64> = (1..=120).filter(|id| id * id % 7 == subject).collect();
    ids.sort_by_key(|id| std::cmp::Reverse((score(*id), *id)));
    ids
}

fn reply_ids(page: &CursorPaginator<Reply>) -> Vec<i64> {
    page.data.iter().map(|reply| reply.id).collect()
}

#[tokio::test]
async fn each_row_of_a_page_has_a_page_of_children_that_can_be_continued() {
    record_statements();
    let (folio, _pool) = topics().await;
    let replies = || Reply::query().bind_filters();
    let children = move |query: folio::Builder<Reply>| {
        let children = load::many(query, Reply::SUBJECT, |topic: &Topic| topic.subject).pages(4);
        children.with_path(|topic| format!("/topics/{}/replies", topic.id))
    };
    folio
        .scope(async {
            let topics = || Topic::query().cursor_paginate(9);
            let page = topics().await.unwrap().load(children(replies())).await.unwrap();
            db::selects("feed_replies");
            topics().await.unwrap().load(children(replies())).await.unwrap();
            let statements = db::selects("feed_replies");
            assert_eq!(statements.len(), 1, "{statements:?}");
            assert_eq!(page.data.len(), 9);
            for (topic, first) in &page.data {
                let expected = replies_of(topic.subject);
                assert_eq!(reply_ids(first), expected[..expected.len().min(4)], "{topic:?}");
                assert_eq!((first.per_page, first.prev_cursor.as_deref()), (4, None));
                let url = first.next_page_url();
                let path = format!("/topics/{}/replies?cursor=", topic.id);
                assert!(url.is_none_or(|url| url.starts_with(&path)), "{topic:?}");
                // The rest of the children, from their own list.
                let mut seen = reply_ids(first);
                let mut next = first.next_cursor.clone();
                while let Some(cursor) = next {
                    let own = replies().filter(Reply::SUBJECT.eq(topic.subject));
                    let page = own.cursor(Some(&cursor)).cursor_paginate(4).await.unwrap();
                    seen.extend(reply_ids(&page));
                    next = page.next_cursor;
                }
                assert_eq!(seen, expected, "{topic:?}");
                let other = replies().filter(Reply::SUBJECT.eq(topic.subject + 1));
                if let Some(cursor) = &first.next_cursor {
                    let error = other.cursor(Some(cursor)).cursor_paginate(4).await.unwrap_err();
                    assert_eq!(error.status(), 400, "the cursor is bound to its topic");
                }
            }

            let counted = topics().await.unwrap().load(children(replies().counted())).await.unwrap();
            for (topic, page) in counted.data {
                let expected = u64::try_from(replies_of(topic.subject).len()).unwrap();
                assert_eq!(page.total.map(folio::Total::rows), Some(expected));
            }
            // In the other order, of the rows that a filter leaves, on a numbered page.
            let worst = Reply::query().filter(Reply::SCORE.gt(0)).order_by(Reply::ID);
            let page = Topic::query().page(1).paginate(2).await.unwrap().load(children(worst)).await.unwrap();
            let expected: Vec<i64> = (1..=120).filter(|id| id * id % 7 == 1 && id % 4 != 0 && id % 3 > 0).collect();
            assert_eq!(reply_ids(&page.data[0].1), expected[..4]);
        })
        .await;
}

#[tokio::test]
async fn pages_of_children_refuse_what_they_would_ignore() {
    let (folio, _pool) = topics().await;
    folio
        .scope(async {
            let many = |query: folio::Builder<Reply>| load::many(query, Reply::SUBJECT, |topic: &Topic| topic.subject);
            let page = async || Topic::query().cursor_paginate(3).await.unwrap();
            let error = page().await.load(many(Reply::query()).first(2).pages(3)).await.unwrap_err();
            assert!(error.status() == 500 && error.to_string().contains("both say how many rows"), "{error}");
            let error = page().await.load(many(Reply::query().cursor(Some("x"))).pages(3)).await.unwrap_err();
            assert!(error.to_string().contains("filter by the group"), "{error}");
            let error = page().await.load(many(Reply::query()).pages(0)).await.unwrap_err();
            assert_eq!(error.status(), 400);
            // A page without rows needs no children.
            let none = Topic::query().filter(Topic::ID.lt(0)).cursor_paginate(3).await.unwrap();
            assert!(none.load(many(Reply::query()).pages(3)).await.unwrap().is_empty());
        })
        .await;
}

#[tokio::test]
async fn pages_of_children_are_read_in_the_transaction() {
    let (folio, _pool) = topics().await;
    folio
        .scope(async {
            let undone: folio::Result<()> = folio::DB::transaction(async || {
                db::here("DELETE FROM feed_replies WHERE id > 3").await?;
                let children = load::many(Reply::query(), Reply::SUBJECT, |topic: &Topic| topic.subject).pages(3);
                let page = Topic::query().cursor_paginate(9).await?.load(children).await?;
                assert_eq!(page.data.iter().map(|(_, replies)| replies.data.len()).sum::<usize>(), 4);
                Err(sqlx::Error::RowNotFound.into())
            })
            .await;
            undone.unwrap_err();
        })
        .await;
}
