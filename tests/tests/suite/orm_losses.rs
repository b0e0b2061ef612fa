//! What sea-orm's own cursor and paginator return, and what folio's pages return over the same table: the claims of the
//! guide's chapter `coming_from`.
//!
//! sea-orm 2.0.4 tests its pages in `tests/cursor_tests.rs`, `tests/paginator_tests.rs`, `src/executor/cursor.rs` and
//! `src/executor/paginator.rs`. What these cases are about is tested here, in `entities` (joins, other types of rows,
//! keys of several columns), in `streams` and in `raw_sql`. These have nothing to compare:
//!
//! - a key with more or fewer values than columns: nobody writes the values of a cursor, which has those of its order;
//! - `first` with `before` as the way back: the rows next to the key are the previous page, and the first ones of all
//!   are a window of `connection`;
//! - `desc` on a cursor with bounds, which change sides with it: folio's cursor belongs to one order, as tested below;
//! - `next`, `cur_page`, `set_page` and `fetch_and_next`: a query has no state, so the number is given each time;
//! - the number of rows or of pages alone: `count`, or the `total` and the `last_page` of a page;
//! - the texts of the statements: those are sea-orm's own;
//! - a page size of zero that panics: it is an error, as below.

use std::panic::{AssertUnwindSafe, catch_unwind};

use folio::relay::Window;
use folio::sea_orm::SortColumn as _;
use folio::{Column as TypedColumn, Folio, FrameworkError, OrderOf, Paginate, Select};
use futures_util::TryStreamExt as _;
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseConnection, DbBackend, QueryOrder as _, QuerySelect as _};
use sea_query::{Expr, ExprTrait as _, Query};

use crate::server::{ID, types};
use crate::suite::db;

mod player {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, Paginate)]
    #[sea_orm(table_name = "orm_players")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) id: i64,
        pub(super) score: Option<i32>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(super) enum Relation {
        #[sea_orm(has_many = "super::game::Entity")]
        Games,
    }

    impl Related<super::game::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Games.def()
        }
    }

    /// The same relation as a link, of which sea-orm joins the tables under aliases.
    pub(super) struct ToGames;

    impl Linked for ToGames {
        type FromEntity = Entity;
        type ToEntity = super::game::Entity;

        fn link(&self) -> Vec<RelationDef> {
            vec![Relation::Games.def()]
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

mod game {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, Paginate)]
    #[sea_orm(table_name = "orm_games")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) id: i64,
        pub(super) player_id: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(super) enum Relation {
        #[sea_orm(belongs_to = "super::player::Entity", from = "Column::PlayerId", to = "super::player::Column::Id")]
        Player,
    }

    impl Related<super::player::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Player.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

use player::{Column, Entity, Model};

/// Players with these scores and the ids 1, 2, and so on, without games, for both libraries.
async fn players(scores: &[Option<i32>]) -> (Folio, DatabaseConnection) {
    let (folio, pool) = db::folio(&format!(
        "CREATE TABLE orm_players (id {ID}, score {}); \
         CREATE TABLE orm_games (id {ID}, player_id BIGINT NOT NULL)",
        types::INT
    ))
    .await;
    let rows = scores.iter().zip(1..).map(|(score, id)| match score {
        Some(score) => format!("({id}, {score})"),
        None => format!("({id}, NULL)"),
    });
    db::run(&pool, format!("INSERT INTO orm_players VALUES {}", rows.collect::<Vec<_>>().join(", "))).await;
    (folio, DatabaseConnection::from(pool))
}

fn ids(players: &[Model]) -> Vec<i64> {
    players.iter().map(|player| player.id).collect()
}

/// folio's cursor pages of two players each, from the first to the last.
async fn walked(order: impl OrderOf<Model>) -> Vec<Vec<i64>> {
    let pages = Model::query().order_by(order).cursor_chunks(2).map_ok(|page| ids(&page.data));
    pages.try_collect().await.unwrap()
}

#[tokio::test]
async fn ties_at_the_end_of_a_page() {
    let (folio, db) = players(&[Some(1), Some(1), Some(1), Some(2), Some(2)]).await;
    let first = Entity::find().cursor_by(Column::Score).first(2).all(&db).await.unwrap();
    assert_eq!(first.iter().map(|player| player.score).collect::<Vec<_>>(), [Some(1); 2]);
    // The third player with score 1 is on no page.
    let mut second = ids(&Entity::find().cursor_by(Column::Score).after(1).first(2).all(&db).await.unwrap());
    second.sort_unstable();
    assert_eq!(second, [4, 5]);
    // With the primary key as well, written by the caller, none is lost.
    let by_both = || Entity::find().cursor_by((Column::Score, Column::Id));
    assert_eq!(ids(&by_both().first(2).all(&db).await.unwrap()), [1, 2]);
    assert_eq!(ids(&by_both().after((1, 2_i64)).first(2).all(&db).await.unwrap()), [3, 4]);

    folio.scope(async { assert_eq!(walked(Model::SCORE.nulls_last()).await, [vec![1, 2], vec![3, 4], vec![5]]) }).await;
}

#[tokio::test]
async fn null_in_the_key() {
    let (folio, db) = players(&[None, None, None, Some(1), Some(2)]).await;
    let by_both = || Entity::find().cursor_by((Column::Score, Column::Id));
    let first = by_both().first(2).all(&db).await.unwrap();
    let last = first.last().unwrap();
    let second = by_both().after((last.score, last.id)).first(2).all(&db).await.unwrap();
    match db.get_database_backend() {
        // NULLs are last, and never come.
        DbBackend::Postgres => assert_eq!((ids(&first), last.score), (vec![4, 5], Some(2))),
        // NULLs are first, and nothing comes after one of them.
        _ => assert_eq!((ids(&first), last.score), (vec![1, 2], None)),
    }
    assert_eq!(ids(&second), [0; 0]);

    folio
        .scope(async {
            assert_eq!(walked(Model::SCORE.nulls_first()).await, [vec![1, 2], vec![3, 4], vec![5]]);
            assert_eq!(walked(Model::SCORE.nulls_last()).await, [vec![4, 5], vec![1, 2], vec![3]]);
        })
        .await;
}

#[tokio::test]
async fn rows_of_a_join() {
    let (folio, db) = players(&[None, None]).await;
    db.execute_unprepared("INSERT INTO orm_games VALUES (11, 1), (12, 1), (13, 1), (21, 2)").await.unwrap();
    let pairs = || Entity::find().find_also_related(game::Entity).cursor_by(Column::Id);
    let keys = |pairs: Vec<(Model, Option<game::Model>)>| {
        pairs.into_iter().map(|(player, game)| (player.id, game.unwrap().id)).collect::<Vec<_>>()
    };
    assert_eq!(keys(pairs().first(2).all(&db).await.unwrap()), [(1, 11), (1, 12)]);
    // They are sorted by the game's id as well, but only the player's is compared: game 13 is on no page.
    assert_eq!(keys(pairs().after(1_i64).first(2).all(&db).await.unwrap()), [(2, 21)]);

    let joined = Query::select()
        .expr_as(Model::ID.to_expr(), "player")
        .expr_as(game::Model::ID.to_expr(), "game")
        .from("orm_players")
        .inner_join("orm_games", Expr::col(("orm_games", "player_id")).equals(("orm_players", "id")))
        .take();
    let select = Select::<(i64, i64)>::from(joined).order_by((Model::ID, game::Model::ID));
    let pages = folio.scope(select.cursor_chunks(2).map_ok(|page| page.data).try_collect::<Vec<_>>()).await.unwrap();
    assert_eq!(pages, [[(1, 11), (1, 12)], [(1, 13), (2, 21)]]);
}

#[tokio::test]
async fn an_order_before_the_cursor() {
    let (folio, db) = players(&[Some(3), Some(1), Some(2)]).await;
    // It is discarded.
    let by_score = Entity::find().order_by_desc(Column::Score);
    assert_eq!(ids(&by_score.cursor_by(Column::Id).first(3).all(&db).await.unwrap()), [1, 2, 3]);

    let page = folio.scope(Model::query().order_by(Model::SCORE.desc().nulls_last()).cursor_paginate(3)).await.unwrap();
    assert_eq!(ids(&page.data), [1, 3, 2]);
}

#[tokio::test]
async fn the_previous_page() {
    let (folio, db) = players(&[None; 9]).await;
    // The first rows of all that come before 7, and not those next to it.
    assert_eq!(ids(&Entity::find().cursor_by(Column::Id).before(7_i64).first(2).all(&db).await.unwrap()), [1, 2]);
    assert_eq!(ids(&Entity::find().cursor_by(Column::Id).before(7_i64).last(2).all(&db).await.unwrap()), [5, 6]);

    let check = async {
        let of =
            |cursor: Option<String>| async move { Model::query().cursor(cursor.as_deref()).cursor_paginate(2).await };
        let mut page = of(None).await.unwrap();
        while ids(&page.data) != [7, 8] {
            page = of(Some(page.next_cursor.unwrap())).await.unwrap();
        }
        assert_eq!(ids(&of(page.prev_cursor).await.unwrap().data), [5, 6]);
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn the_number_of_the_first_page() {
    let (folio, db) = players(&[None; 9]).await;
    let pages = Entity::find().order_by_asc(Column::Id).paginate(&db, 2);
    assert_eq!(ids(&pages.fetch_page(0).await.unwrap()), [1, 2]);
    assert_eq!(ids(&pages.fetch_page(1).await.unwrap()), [3, 4]);
    let counted = pages.num_items_and_pages().await.unwrap();
    assert_eq!((counted.number_of_items, counted.number_of_pages), (9, 5));
    // The last page has the number 4, and the page with the number of pages is empty.
    assert_eq!(ids(&pages.fetch_page(4).await.unwrap()), [9]);
    assert_eq!(ids(&pages.fetch_page(5).await.unwrap()), [0; 0]);

    let check = async {
        for (number, expected) in [(0, vec![1, 2]), (1, vec![1, 2]), (2, vec![3, 4]), (5, vec![9])] {
            let page = Model::query().page(number).paginate(2).await.unwrap();
            assert_eq!((ids(&page.data), page.total, page.last_page), (expected, 9, 5), "page {number}");
        }
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn a_page_without_rows() {
    let (folio, db) = players(&[None; 3]).await;
    let pages = AssertUnwindSafe(|| drop(Entity::find().paginate(&db, 0)));
    let panic = catch_unwind(pages).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"page_size should not be zero"));

    let error = folio.scope(Model::query().paginate(0)).await.unwrap_err();
    assert!(matches!(&error, FrameworkError::ParamError { param_name } if param_name == "per_page"), "{error}");
}

/// Rows on one side of a key or between two, the first or the last of them, in both directions.
#[tokio::test]
async fn windows_of_keys() {
    let (folio, db) = players(&[None; 9]).await;
    let check = async {
        for descends in [false, true] {
            let list = || {
                if descends { Model::query().order_by(Model::ID.desc()) } else { Model::query().order_by(Model::ID) }
            };
            let keys = |after: Option<i64>, before: Option<i64>| {
                let mut cursor = Entity::find().cursor_by(Column::Id);
                if let Some(key) = after {
                    cursor.after(key);
                }
                if let Some(key) = before {
                    cursor.before(key);
                }
                if descends {
                    cursor.desc()
                } else {
                    cursor.asc()
                };
                cursor
            };
            let all = list().connection(Window::first(9)).await.unwrap();
            let cursor = |id: i64| all.edges.iter().find(|edge| edge.node.id == id).map(|edge| edge.cursor.clone());
            let (start, end) = if descends { (Some(7), Some(2)) } else { (Some(2), Some(7)) };
            for (after, before) in [(start, None), (None, end), (start, end)] {
                for rows in [1, 3, 4, 7, 8] {
                    let [first, last] = [Window::first(rows), Window::last(rows)].map(|window| Window {
                        after: after.and_then(cursor),
                        before: before.and_then(cursor),
                        ..window
                    });
                    let count = u64::try_from(rows).unwrap();
                    let expected = keys(after, before).first(count).all(&db).await.unwrap();
                    assert_eq!(nodes(list().connection(first).await.unwrap()), expected);
                    let expected = keys(after, before).last(count).all(&db).await.unwrap();
                    assert_eq!(nodes(list().connection(last).await.unwrap()), expected);
                }
            }
        }
    };
    folio.scope(check).await;
}

fn nodes(connection: folio::relay::Connection<Model>) -> Vec<Model> {
    connection.edges.into_iter().map(|edge| edge.node).collect()
}

#[tokio::test]
async fn a_key_in_the_other_direction() {
    let (folio, db) = players(&[None; 5]).await;
    let after = |key: i64| {
        let mut cursor = Entity::find().cursor_by(Column::Id);
        cursor.after(key).first(2);
        cursor
    };
    assert_eq!(ids(&after(3).all(&db).await.unwrap()), [4, 5]);
    // What was after the key is before it now.
    assert_eq!(ids(&after(3).desc().all(&db).await.unwrap()), [2, 1]);

    let check = async {
        let page = Model::query().order_by(Model::ID).cursor_paginate(3).await.unwrap();
        let turned = Model::query().order_by(Model::ID.desc()).cursor(page.next_cursor.as_deref());
        assert_eq!(turned.cursor_paginate(3).await.unwrap_err().to_string(), "Invalid pagination cursor");
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn rows_of_a_link() {
    let (folio, db) = players(&[None, None, None]).await;
    db.execute_unprepared("INSERT INTO orm_games VALUES (11, 1), (12, 1), (21, 2)").await.unwrap();
    let linked = || Entity::find().find_also_linked(player::ToGames);
    // It sorts by `orm_games`, which is joined as `r0`.
    assert!(linked().cursor_by(Column::Id).first(2).all(&db).await.is_err());

    let order = (Column::Id.asc(), game::Column::Id.asc().of("r0").nulls_last());
    let pages = Select::entity(linked()).order_by(order).cursor_chunks(2).map_ok(|page| page.data);
    let pages: Vec<Vec<(Model, Option<game::Model>)>> = folio.scope(pages.try_collect()).await.unwrap();
    let keys =
        pages.iter().map(|page| page.iter().map(|(player, game)| (player.id, game.as_ref().map(|game| game.id))));
    let keys: Vec<Vec<_>> = keys.map(Iterator::collect).collect();
    assert_eq!(keys, [[(1, Some(11)), (1, Some(12))], [(2, Some(21)), (3, None)]]);
}

#[tokio::test]
async fn rows_as_json() {
    let (folio, db) = players(&[Some(3), None, Some(1)]).await;
    let mut cursor = Entity::find().cursor_by(Column::Id);
    cursor.first(2);
    let json = cursor.into_json().all(&db).await.unwrap();
    let check = async {
        let page = Select::entity(Entity::find()).into_json().cursor_paginate(2).await.unwrap();
        assert_eq!(page.data, json);
        assert_eq!(page.data[0]["score"], 3);
        // The column of an order is not part of the row.
        let scores = Entity::find().select_only().column(Column::Score);
        let page = Select::entity(scores).into_json().cursor_paginate(1).await.unwrap();
        assert_eq!(page.data[0].as_object().unwrap().keys().collect::<Vec<_>>(), ["score"]);
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn the_number_of_pages() {
    let (folio, db) = players(&[None; 10]).await;
    let check = async {
        for (per_page, pages) in [(3, 4), (5, 2), (7, 2), (10, 1), (100, 1)] {
            let counted = Entity::find().paginate(&db, per_page).num_items_and_pages().await.unwrap();
            assert_eq!((counted.number_of_items, counted.number_of_pages), (10, pages));
            let page = Select::entity(Entity::find()).paginate(per_page).await.unwrap();
            assert_eq!((page.total, page.last_page), (10, pages));
        }
        for (filter, rows) in [(Column::Id.gt(5), 5), (Column::Id.lte(3), 3), (Column::Id.gt(100), 0)] {
            assert_eq!(Entity::find().filter(filter.clone()).count(&db).await.unwrap(), rows);
            let page = Select::entity(Entity::find().filter(filter)).paginate(2).await.unwrap();
            assert_eq!((page.total, page.last_page), (rows, rows.div_ceil(2)));
        }
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn the_limit_of_a_select() {
    let (folio, db) = players(&[None; 10]).await;
    let limited = || Entity::find().order_by_asc(Column::Id).limit(4).offset(7);
    assert_eq!(limited().count(&db).await.unwrap(), 3);
    // A page of it replaces both, and so does the number of its rows.
    assert_eq!(ids(&limited().paginate(&db, 2).fetch_page(0).await.unwrap()), [1, 2]);
    assert_eq!(limited().paginate(&db, 2).num_items().await.unwrap(), 10);

    let page = folio.scope(Select::entity(limited()).paginate(2)).await.unwrap();
    assert_eq!((ids(&page.data), page.total), (vec![8, 9], 3));
}

#[tokio::test]
async fn a_text_with_spaces_around_it() {
    let (folio, _db) = players(&[None; 5]).await;
    let check = async {
        let list = || {
            let ids = Select::<(i64,)>::sql("  SELECT id FROM orm_players WHERE id > 1  ");
            ids.order_by(TypedColumn::<i64>::new("id"))
        };
        assert_eq!(list().page(2).paginate(3).await.unwrap().data, [(5,)]);
        let pages: Vec<_> = list().cursor_chunks(3).map_ok(|page| page.data).try_collect().await.unwrap();
        assert_eq!(pages, [vec![(2,), (3,), (4,)], vec![(5,)]]);
    };
    folio.scope(check).await;
}
