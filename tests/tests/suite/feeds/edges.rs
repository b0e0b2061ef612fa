//! Feeds without groups, with the same group twice, and whose groups change during a walk.

use folio::Column;

use super::{Post, ids, posts};

#[tokio::test]
async fn a_feed_without_groups_is_empty() {
    let (folio, _pool) = posts().await;
    folio
        .scope(async {
            let none = Post::query().among(Post::AUTHOR_ID, Vec::<i64>::new());
            let page = none.clone().cursor_paginate(5).await.unwrap();
            assert!(page.data.is_empty() && page.next_cursor.is_none() && page.prev_cursor.is_none());
            assert_eq!(none.paginate(5).await.unwrap().total, 0);
            // NULL equals nothing, so these groups have no rows.
            let nulls = Post::query().among(Post::AUTHOR_ID, [None::<i64>, None]);
            assert!(nulls.cursor_paginate(5).await.unwrap().data.is_empty());
        })
        .await;
}

#[tokio::test]
async fn groups_without_rows_are_an_empty_feed() {
    let (folio, _pool) = posts().await;
    folio
        .scope(async {
            for count in [2, 40, 200_i64] {
                let feed = || Post::query().among(Post::AUTHOR_ID, 10_000..10_000 + count);
                let page = feed().cursor_paginate(5).await.unwrap();
                assert!(page.data.is_empty() && page.next_cursor.is_none(), "{count} groups");
                let all = Post::query().cursor_paginate(5).await.unwrap();
                let page = feed().cursor(all.next_cursor.as_deref()).cursor_paginate(5).await.unwrap();
                assert!(page.data.is_empty() && page.next_cursor.is_none(), "{count} groups after a boundary");
                assert!(feed().last_page(5).await.unwrap().data.is_empty(), "{count} groups from the end");
            }
        })
        .await;
}

#[tokio::test]
async fn values_that_the_database_considers_equal_have_their_rows_once() {
    let (folio, _pool) = posts().await;
    folio
        .scope(async {
            let tags = ["t13", "T13", "t26", "T26", "t26"].map(str::to_owned);
            let page = Post::query().among(Post::TAG, tags).cursor_paginate(100).await.unwrap();
            let mut distinct = ids(&page);
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), page.data.len());
            assert!(page.data.len() >= 10, "{}", page.data.len());
        })
        .await;
}

/// The statement for values of one type does not suit those of another.
#[tokio::test]
async fn a_column_has_groups_of_several_types() {
    let (folio, _pool) = posts().await;
    folio
        .scope(async {
            // Only some databases compare a text with a number.
            let _ = Post::query().among(Column::<i64>::new("tag"), [13, 26]).cursor_paginate(100).await;
            let tags = ["t13", "T13"].map(str::to_owned);
            let mut found = ids(&Post::query().among(Post::TAG, tags).cursor_paginate(100).await.unwrap());
            let read = found.len();
            found.dedup();
            assert!(read >= 5 && found.len() == read, "{found:?}");

            let narrow = Post::query().among(Column::<i32>::new("author_id"), [1, 2]).cursor_paginate(9).await.unwrap();
            let wide = Post::query().among(Post::AUTHOR_ID, [1, 2]).cursor_paginate(9).await.unwrap();
            assert_eq!(ids(&narrow), ids(&wide));
        })
        .await;
}

#[tokio::test]
async fn groups_of_two_lists_have_to_match_both() {
    let (folio, _pool) = posts().await;
    folio
        .scope(async {
            let authors = Post::query().among(Post::AUTHOR_ID, [1_i64, 2, 3]);
            let all = authors.clone().paginate(1).await.unwrap().total;
            let both = authors.among(Post::MOMENT, 0..10_i32);
            let page = both.clone().counted().cursor_paginate(1_000).await.unwrap();
            let rows = u64::try_from(page.data.len()).unwrap();
            assert_eq!((Some(rows), rows), (page.total.map(folio::Total::rows), both.paginate(1).await.unwrap().total));
            assert!(0 < rows && rows < all);
            assert!(page.data.iter().all(|row| row.moment < 10 && matches!(row.author_id, Some(1..=3))));
        })
        .await;
}

#[tokio::test]
async fn a_cursor_keeps_its_position_after_the_groups_have_changed() {
    let (folio, _pool) = posts().await;
    folio
        .scope(async {
            let feed = |authors: &'static [i64]| Post::query().among(Post::AUTHOR_ID, authors.iter().copied());
            let first = feed(&[1, 2]).cursor_paginate(5).await.unwrap();
            let last = first.data.last().unwrap().clone();
            let next = feed(&[1, 2, 3]).cursor(first.next_cursor.as_deref()).cursor_paginate(500).await.unwrap();
            assert!(next.data.iter().all(|row| (row.moment, row.id) < (last.moment, last.id)));
            assert!(next.data.iter().any(|row| row.author_id == Some(3)));

            let bound = |authors: &'static [i64]| feed(authors).bind_filters();
            let first = bound(&[1, 2]).cursor_paginate(5).await.unwrap();
            let cursor = first.next_cursor.as_deref();
            for same in [&[1, 2][..], &[2, 1, 2]] {
                assert!(bound(same).cursor(cursor).cursor_paginate(5).await.is_ok());
            }
            assert_eq!(bound(&[1, 2, 3]).cursor(cursor).cursor_paginate(5).await.unwrap_err().status(), 400);
        })
        .await;
}

#[tokio::test]
async fn a_column_of_another_table_is_an_error() {
    let (folio, _pool) = posts().await;
    folio
        .scope(async {
            let foreign = folio::Column::<i64>::new("author_id").of("other");
            let error = Post::query().among(foreign, [1, 2]).cursor_paginate(5).await.unwrap_err();
            assert!(error.to_string().contains("other"), "{error}");
            let error = Post::query().each_of(foreign, [1, 2]).first(5).await.unwrap_err();
            assert!(error.to_string().contains("other"), "{error}");
        })
        .await;
}
