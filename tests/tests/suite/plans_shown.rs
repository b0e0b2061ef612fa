//! `query.plan()` shows the statements that pages send, and what else they do.

use std::collections::BTreeSet;

use folio::{Column, Folio, Key, Keyring, Paginate, Select};
use folio_tests::recorder::record_statements;
use sea_query::Query;

use crate::server::{self, ID};
use crate::suite::db::{self, Pool};

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "shown_by_plan", cursor_key = "score desc, id desc")]
#[expect(dead_code, reason = "only the statements matter here")]
struct Shown {
    id: i64,
    author_id: i64,
    score: i64,
}

async fn folio() -> (Folio, Pool) {
    let pool = server::pool(1).await;
    db::run(&pool, format!("CREATE TABLE shown_by_plan (id {ID}, author_id BIGINT NOT NULL, score BIGINT)")).await;
    db::run(&pool, "INSERT INTO shown_by_plan VALUES (1, 7, 1), (2, 7, 2), (3, 7, 3), (4, 8, 4)".to_owned()).await;
    (Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())), pool)
}

#[tokio::test]
async fn a_plan_shows_the_statements_that_pages_send() {
    record_statements();
    let (folio, pool) = folio().await;
    let list = || Shown::query().filter(Shown::AUTHOR_ID.eq(7));
    let plan = folio.clone().scope(list().plan()).await.unwrap();
    sqlx::query("SELECT 1").execute(&pool).await.unwrap();
    db::selects("shown_by_plan");

    // In the middle of the list, a page takes its own statement alone.
    let pages = async {
        let first = list().cursor_paginate(1).await?;
        let second = list().cursor(first.next_cursor.as_deref()).cursor_paginate(1).await?;
        let third = list().cursor(second.next_cursor.as_deref()).cursor_paginate(1).await?;
        list().cursor(third.prev_cursor.as_deref()).cursor_paginate(1).await?;
        list().page(2).paginate(1).await
    };
    folio.scope(pages).await.unwrap();
    sqlx::query("SELECT 1").execute(&pool).await.unwrap();
    let sent: BTreeSet<String> = db::selects("shown_by_plan").into_iter().collect();
    for statement in &plan.statements {
        let is_sent = sent.contains(&statement.sql);
        assert_eq!(is_sent, statement.page != "deep numbered page", "{}: {}\n{sent:#?}", statement.page, statement.sql);
    }
    assert_eq!(plan.statements.len(), 5);
}

#[tokio::test]
async fn a_plan_names_the_index_or_says_that_none_serves() {
    let (folio, pool) = folio().await;
    let list = || Shown::query().filter(Shown::AUTHOR_ID.eq(7));
    let index_of = |plan: &folio::ListPlan| plan.statements[0].index.clone().unwrap_or_default();
    let plan = folio.clone().scope(list().plan()).await.unwrap();
    assert!(index_of(&plan).contains("CREATE INDEX"), "{plan}");

    db::run(&pool, "CREATE INDEX shown_by_author ON shown_by_plan (author_id, score, id)".to_owned()).await;
    // The catalog is asked again, although an answer is at hand.
    let plan = folio.clone().scope(list().plan()).await.unwrap();
    assert_eq!(index_of(&plan), "along shown_by_author (author_id, score, id)", "{plan}");
    assert!(plan.catalog[0].contains("shown_by_author (author_id, score, id)"), "{plan}");
    let shown = plan.to_string();
    assert!(plan.statements.iter().all(|statement| shown.contains(&statement.sql)), "{shown}");
}

#[tokio::test]
async fn a_plan_gives_the_reason_of_each_step() {
    let (folio, _) = folio().await;
    let has = |plan: &folio::ListPlan, words: &str| plan.steps.iter().any(|step| step.contains(words));
    let model =
        folio.clone().scope(Shown::query().order_by((Shown::ID.desc(), Shown::SCORE.desc())).plan()).await.unwrap();
    assert!(has(&model, "once a minute"), "{model}");
    assert!(has(&model, "rows with NULL in `score`"), "{model}");
    assert!(!has(&model, "may tie") && !has(&model, "total"), "{model}");

    let text = Select::<(i64, i64)>::sql("SELECT id, score FROM shown_by_plan").order_by(Column::<i64>::new("score"));
    let text = folio.clone().scope(text.counted().plan()).await.unwrap();
    assert!(has(&text, "Rows may tie in the order (score)") && has(&text, "total"), "{text}");
    assert!(has(&text, "once for each text"), "{text}");

    // A list without an order has numbered pages only.
    let unordered = Select::<(i64,)>::from(Query::select().column("id").from("shown_by_plan").take());
    let unordered = folio.clone().scope(unordered.plan()).await.unwrap();
    assert_eq!(unordered.statements.len(), 2, "{unordered}");

    let empty = folio.scope(Shown::query().filter(Shown::AUTHOR_ID.eq(0)).plan()).await.unwrap();
    assert!(empty.statements.iter().all(|statement| !statement.page.contains("cursor")), "{empty}");
    assert!(has(&empty, "no rows now"), "{empty}");
}
