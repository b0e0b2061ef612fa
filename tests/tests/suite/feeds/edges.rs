//! Feeds without groups, with the same group twice, and whose groups change during a walk.

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
async fn values_that_the_database_takes_for_equal_have_their_rows_once() {
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
