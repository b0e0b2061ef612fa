//! Walks through a feed while rows are added and deleted: each row that is there throughout is seen exactly once.

use super::{Post, posts};
use crate::suite::db;

/// The rows that never change, of these authors, in the order of the feed.
fn lasting(authors: &[i64]) -> Vec<i64> {
    let mut rows: Vec<Post> = super::rows();
    rows.retain(|row| row.id % 5 != 0 && row.author_id.is_some_and(|author| authors.contains(&author)));
    rows.sort_by_key(|row| std::cmp::Reverse((row.moment, row.id)));
    rows.iter().map(|row| row.id).collect()
}

#[tokio::test]
async fn a_walk_sees_each_lasting_row_once_while_others_come_and_go() {
    for count in [3, 60, 160, 400_i64] {
        let (folio, pool) = posts().await;
        let authors: Vec<i64> = (0..count).collect();
        let seen = folio.scope(walk(&authors, &pool)).await;
        let lasting = lasting(&authors);
        let seen: Vec<i64> = seen.into_iter().filter(|id| id % 5 != 0 && *id <= super::ROWS).collect();
        assert_eq!(seen, lasting, "{count} groups");
    }
}

/// The rows of a walk, with a change between its pages.
async fn walk(authors: &[i64], pool: &db::Pool) -> Vec<i64> {
    let (mut seen, mut cursor) = (Vec::new(), None);
    for step in 1_i64.. {
        let query = Post::query().among(Post::AUTHOR_ID, authors.iter().copied());
        let page = query.cursor(cursor.as_deref()).cursor_paginate(17).await.unwrap();
        seen.extend(page.data.iter().map(|row| row.id));
        change(pool, step).await;
        match page.next_cursor {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    seen
}

/// Deletes rows whose number is a multiple of 5, and adds some with other numbers.
async fn change(pool: &db::Pool, step: i64) {
    let (from, new) = (step * 5 % super::ROWS, super::ROWS + step);
    let moment = i32::try_from(step * 3 % 23).unwrap();
    let row = super::literal(Post { author_id: Some(step % 12), moment, ..super::row(new) });
    db::run(pool, format!("DELETE FROM feed_posts WHERE id = {from}; INSERT INTO feed_posts VALUES {row}")).await;
}
