//! A migration changes a table while connections keep statements that they prepared before it.

use folio::{Column, Paginate, Result, Select};
use sea_query::{Asterisk, Query};

use super::db;

/// A note whose title is in a flattened struct, so that a page selects all columns of the table.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "notes")]
struct Note {
    id: i64,
    #[sqlx(flatten)]
    text: Text,
}

#[derive(Debug, sqlx::FromRow)]
struct Text {
    title: String,
}

#[derive(Debug, sqlx::FromRow)]
struct Row {
    id: i64,
    title: String,
}

const ID: Column<i64> = Column::new("id");

/// The notes, as each kind of list and page returns them.
async fn pages() -> Result<Vec<Vec<(i64, String)>>> {
    let text = || Select::<Row>::sql("SELECT * FROM notes").order_by(ID);
    let built = || Select::<Row>::from(Query::select().column(Asterisk).from("notes").take()).order_by(ID);
    let rows = |rows: Vec<Row>| rows.into_iter().map(|row| (row.id, row.title)).collect();
    let notes = |notes: Vec<Note>| notes.into_iter().map(|note| (note.id, note.text.title)).collect();
    Ok(vec![
        rows(text().paginate(5).await?.data),
        rows(text().simple_paginate(5).await?.data),
        rows(text().cursor_paginate(5).await?.data),
        rows(built().paginate(5).await?.data),
        rows(built().simple_paginate(5).await?.data),
        rows(built().cursor_paginate(5).await?.data),
        notes(Note::paginate(5).await?.data),
        notes(Note::simple_paginate(5).await?.data),
        notes(Note::cursor_paginate(5).await?.data),
        notes(Note::query().each_of(Note::ID, [1]).first(5).await?.remove(&1).unwrap_or_default()),
        notes(Note::query().each_of(Note::ID, [2]).first(5).await?.remove(&2).unwrap_or_default()),
    ])
}

/// The pages have the rows and the values that the table has at that time.
#[tokio::test]
async fn a_star_follows_the_columns_of_its_table() {
    let schema = "CREATE TABLE notes (id BIGINT PRIMARY KEY, old VARCHAR(20) NOT NULL, title VARCHAR(20) NOT NULL); \
                  INSERT INTO notes VALUES (1, 'x', 'one'), (2, 'y', 'two')";
    let (folio, pool, _kept) = db::lasting(schema, 1).await;
    let check = async {
        for change in [
            "SELECT 1",
            "ALTER TABLE notes ADD COLUMN stars BIGINT NOT NULL DEFAULT 5",
            // The title moves to another place, and the new column takes its old one.
            "ALTER TABLE notes DROP COLUMN old",
            "ALTER TABLE notes ADD COLUMN newer VARCHAR(20) NOT NULL DEFAULT 'z'",
        ] {
            db::run(&pool, change).await;
            let all = [(1, "one".to_owned()), (2, "two".to_owned())];
            let pages = pages().await.unwrap_or_else(|error| panic!("after {change}: {error}"));
            for (at, page) in pages.iter().enumerate() {
                let expected = if at < 9 { &all[..] } else { &all[at - 9..=at - 9] };
                assert_eq!(page, expected, "page {at} after {change}");
            }
        }
    };
    folio.scope(check).await;
}
