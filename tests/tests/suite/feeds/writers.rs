//! Walks through a feed while rows are added and deleted: each row that is there throughout is seen exactly once.

use std::cell::Cell;

use folio::testing::Walk;

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
        let step = Cell::new(0);
        let write = async |_: &[i64]| {
            step.set(step.get() + 1);
            change(&pool, step.get()).await;
        };
        let walk = Walk::over(lasting(&authors)).between_pages(write).run(async |cursor| {
            let query = Post::query().among(Post::AUTHOR_ID, authors.iter().copied());
            Ok(query.cursor(cursor.as_deref()).cursor_paginate(17).await?.map(|row| row.id))
        });
        folio.scope(walk).await.unwrap_or_else(|error| panic!("{count} groups: {error}"));
    }
}

/// Deletes rows whose number is a multiple of 5, and adds some with other numbers.
async fn change(pool: &db::Pool, step: i64) {
    let (from, new) = (step * 5 % super::ROWS, super::ROWS + step);
    let moment = i32::try_from(step * 3 % 23).unwrap();
    let row = super::literal(Post { author_id: Some(step % 12), moment, ..super::row(new) });
    db::run(pool, format!("DELETE FROM feed_posts WHERE id = {from}; INSERT INTO feed_posts VALUES {row}")).await;
}
