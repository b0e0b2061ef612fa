//! A caller's columns that have the names under which folio selects its own.

use folio::{Column, Paginate, Result, Select};
use sea_query::{Asterisk, ExprTrait as _, Query};

use super::db;

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "notes", cursor_key = "folio_key_0, id")]
struct Note {
    id: i64,
    folio_key_0: i64,
    folio_total: i64,
}

const ID: Column<i64> = Column::new("id");

/// A page has the caller's values, or the error says which column to rename.
#[track_caller]
fn assert_right(rows: Result<Vec<Note>>, list: &str) {
    match rows {
        Ok(rows) => {
            let expected = [(3, 10, 70), (2, 20, 80), (1, 30, 90)];
            let found: Vec<_> = rows.iter().map(|note| (note.id, note.folio_key_0, note.folio_total)).collect();
            assert_eq!(found, expected, "{list}");
        }
        Err(error) => {
            assert_eq!(error.status(), 500);
            let text = error.to_string();
            let names = ["folio_key_0", "folio_total"].iter().any(|name| text.contains(name));
            let says = ["another one", "rename it", "an alias of its own"].iter().any(|advice| text.contains(advice));
            assert!(names && says, "{list}: {text}");
        }
    }
}

#[tokio::test]
async fn a_column_with_a_name_of_folios_is_read_or_named() {
    let schema = "CREATE TABLE notes (id BIGINT PRIMARY KEY, folio_key_0 BIGINT NOT NULL, folio_total BIGINT NOT NULL); \
                  INSERT INTO notes VALUES (1, 30, 90), (2, 20, 80), (3, 10, 70)";
    let (folio, _pool) = db::folio(schema).await;
    let check = async {
        let star = || Select::<Note>::from(Query::select().column(Asterisk).from("notes").take());
        let by_id = || star().order_by(ID.desc());
        let negative = Column::<i64>::expr("negative", ID.to_expr().mul(-1)).not_null();
        let by_expression = || star().order_by((negative.clone(), ID));
        let text = || Select::<Note>::sql("SELECT * FROM notes").order_by(ID.desc());
        let model = || Note::query().order_by(Note::ID.desc());
        assert_right(by_id().paginate(5).await.map(|page| page.data), "numbered");
        assert_right(by_id().simple_paginate(5).await.map(|page| page.data), "simple");
        assert_right(by_id().cursor_paginate(5).await.map(|page| page.data), "cursor");
        assert_right(by_expression().paginate(5).await.map(|page| page.data), "numbered, by an expression");
        assert_right(by_expression().simple_paginate(5).await.map(|page| page.data), "simple, by an expression");
        assert_right(by_expression().cursor_paginate(5).await.map(|page| page.data), "cursor, by an expression");
        assert_right(text().paginate(5).await.map(|page| page.data), "numbered text");
        assert_right(text().simple_paginate(5).await.map(|page| page.data), "simple text");
        assert_right(text().cursor_paginate(5).await.map(|page| page.data), "cursor text");
        assert_right(model().paginate(5).await.map(|page| page.data), "numbered model");
        assert_right(model().simple_paginate(5).await.map(|page| page.data), "simple model");
        assert_right(model().cursor_paginate(5).await.map(|page| page.data), "cursor model");
        assert_right(Note::cursor_paginate(5).await.map(|page| page.data), "the model's own order");
    };
    folio.scope(check).await;
}
