//! Keys that do not identify a row.

use folio::{Folio, IntoOrder as _, Paginate, Result, Select, load};
use sea_query::{Order, Query};

use crate::server::{ID, TEXT};
use crate::suite::db;

/// Each member has a row for each team, so the id, which is taken for the primary key, is not unique.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "members")]
struct Member {
    id: i64,
    team: String,
    place: i64,
}

async fn members() -> Folio {
    let rows = (0..900).map(|row| format!("({}, 't{}', {})", row / 3 + 1, row % 3, row * 7 % 11));
    db::folio(&format!(
        "CREATE TABLE members (id BIGINT NOT NULL, team {TEXT} NOT NULL, place BIGINT NOT NULL); \
         CREATE INDEX members_team ON members (team, place, id); INSERT INTO members VALUES {}",
        rows.collect::<Vec<_>>().join(", ")
    ))
    .await
    .0
}

fn assert_refused<P: std::fmt::Debug>(page: Result<P>, what: &str) {
    let error = page.expect_err(what).to_string();
    assert!(error.contains("primary key") && error.contains("`primary_key`"), "{what}: {error}");
}

#[tokio::test]
async fn rows_are_not_found_by_a_primary_key_that_is_not_unique() {
    let check = async {
        // Before the keys are found first, the rows are right.
        let near = Member::query().order_by((Member::PLACE, Member::TEAM)).page(2).paginate(10).await.unwrap();
        assert_eq!((near.data.len(), near.total), (10, 900));
        let deep = || Member::query().order_by((Member::PLACE, Member::TEAM)).page(60);
        assert_refused(deep().paginate(10).await, "a deep page");
        assert_refused(deep().simple_paginate(10).await, "a deep page without its total");
        let teams = || ["t0", "t1", "t2"].map(str::to_owned);
        let by_place = || Member::query().order_by(Member::PLACE.erased());
        assert_refused(by_place().each_of(Member::TEAM, teams()).first(20).await, "each_of");
        let same_team = load::many(by_place(), Member::TEAM, |member: &Member| member.team.clone());
        let page = Member::query().page(1).paginate(3).await.unwrap();
        assert_refused(page.load(same_team).await, "load");
    };
    members().await.scope(check).await;
}

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "scores")]
struct Score {
    id: i64,
    score: i64,
    place: i64,
}

/// The primary key of the select's table comes after the select's own order.
#[tokio::test]
async fn the_own_order_of_a_select_is_total() {
    let rows: Vec<String> = (1..=40).map(|id| format!("({id}, {}, {})", id % 2, -id)).collect();
    let (folio, _) = db::folio(&format!(
        "CREATE TABLE scores (id {ID}, score BIGINT NOT NULL, place BIGINT NOT NULL); \
         CREATE INDEX scores_place ON scores (score, place); INSERT INTO scores VALUES {}",
        rows.join(", ")
    ))
    .await;
    let check = async {
        for alias in [None, Some("s")] {
            let mut select = Query::select().columns(["id", "score", "place"]).order_by("score", Order::Asc).take();
            match alias {
                Some(alias) => select.from_as("scores", alias),
                None => select.from("scores"),
            };
            let mut seen = Vec::new();
            for page in 1..=5 {
                let page = Select::<Score>::model(select.clone()).page(page).paginate(8).await.unwrap();
                assert_eq!(page.total, 40);
                seen.extend(page.data.iter().map(|row| row.id));
            }
            let even_first: Vec<i64> = (1..=20).map(|id| id * 2).chain((0..20).map(|id| id * 2 + 1)).collect();
            assert_eq!(seen, even_first, "{alias:?}");
        }
    };
    folio.scope(check).await;
}
