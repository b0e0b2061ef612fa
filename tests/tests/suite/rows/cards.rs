//! Rows with some columns of a model, and computed ones.

use folio::{Column, IntoOrder, Order, Paginate, RowOf};
use folio_tests::recorder::record_statements;
use futures_util::TryStreamExt as _;
use sea_query::{Expr, Func};

use super::{Essay, EssayKey, check, library};
use crate::server::{ID, TEXT};
use crate::suite::db::{self, Pool};

/// It lacks the primary key, the filter's column, and most columns of the orders.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow, RowOf)]
#[paginate(of = Essay)]
struct Card {
    name: String,
    #[paginate(expr = "grade * 2")]
    doubled: Option<i64>,
}

/// It has all that its order needs.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow, RowOf)]
#[paginate(of = Essay)]
struct Short {
    id: i64,
    name: String,
}

/// The same names, and another expression.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow, RowOf)]
#[paginate(of = Essay)]
struct Tripled {
    name: String,
    #[paginate(expr = "grade * 3")]
    doubled: Option<i64>,
}

/// The essays of one writer that have a grade, whose column the model renames.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "essays", tenant = "writer", filter = "grade IS NOT NULL", cursor_key = "mark desc nulls last")]
struct Graded {
    id: i64,
    writer: i64,
    #[sqlx(rename = "grade")]
    mark: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, RowOf)]
#[paginate(of = Graded)]
struct Mark {
    #[sqlx(rename = "grade")]
    mark: Option<i64>,
    #[sqlx(skip)]
    unread: bool,
}

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, RowOf)]
#[paginate(of = Essay)]
struct Letters {
    #[paginate(expr = "UPPER(name)")]
    letters: String,
}

async fn plain(pool: &Pool, rest: &str) -> Vec<(String, Option<i64>)> {
    let sql = format!("SELECT name, grade * 2 FROM essays {rest}");
    sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(pool).await.unwrap()
}

fn values(card: &Card) -> (String, Option<i64>) {
    (card.name.clone(), card.doubled)
}

fn orders() -> Vec<(Order, &'static str)> {
    let doubled = || Column::<Option<i64>>::expr("doubled", Expr::cust("essays.grade * 2"));
    vec![
        (Essay::ID.erased(), "id"),
        (Essay::ID.desc().erased(), "id DESC"),
        ((Essay::GRADE.nulls_last(), Essay::ID.desc()).erased(), "grade IS NULL, grade, id DESC"),
        ((Essay::GRADE.desc().nulls_first(), Essay::NAME).erased(), "grade IS NOT NULL, grade DESC, name, id"),
        ((Essay::WRITER.desc(), Essay::NAME.desc()).erased(), "writer DESC, name DESC, id DESC"),
        (doubled().nulls_last().erased(), "grade IS NULL, grade * 2, id"),
    ]
}

#[tokio::test]
async fn pages_of_cards_are_those_of_the_model() {
    let (folio, pool) = library().await;
    let work = async {
        for (order, sql) in orders() {
            let all = || Essay::query().rows::<Card>().order_by(order.clone());
            check(all, &plain(&pool, &format!("ORDER BY {sql}")).await, values, sql).await;
            let own = || Essay::query().filter(Essay::WRITER.eq(2)).order_by(order.clone()).rows::<Card>();
            check(own, &plain(&pool, &format!("WHERE writer = 2 ORDER BY {sql}")).await, values, sql).await;
            let feed = || Essay::query().rows::<Card>().among(Essay::WRITER, [1_i64, 4]).order_by(order.clone());
            check(feed, &plain(&pool, &format!("WHERE writer IN (1, 4) ORDER BY {sql}")).await, values, sql).await;
            for (lower, upper) in [(4, 30), (9, 20)] {
                let range = || {
                    let range = Essay::query().rows::<Card>().filter(Essay::ID.between(lower, upper));
                    range.filter(Essay::WRITER.eq(1)).order_by(order.clone())
                };
                let rest = format!("WHERE id BETWEEN {lower} AND {upper} AND writer = 1 ORDER BY {sql}");
                check(range, &plain(&pool, &rest).await, values, sql).await;
            }
        }
    };
    folio.scope(work).await;
}

#[tokio::test]
async fn a_tenants_default_filter_and_the_models_order_stay() {
    let (folio, pool) = library().await;
    let work = async {
        let sql = "SELECT grade FROM essays WHERE writer = 4 AND grade IS NOT NULL ORDER BY grade DESC, id DESC";
        let expected: Vec<Option<i64>> = sqlx::query_scalar(sql).fetch_all(&pool).await.unwrap();
        assert!(expected.len() > 3);
        let list = || Graded::of(4).rows::<Mark>();
        let streamed: Vec<_> = list().cursor_stream(2).try_collect().await.unwrap();
        assert_eq!(streamed.iter().map(|mark| mark.mark).collect::<Vec<_>>(), expected);
        // The cursors are the model's, and the tenant's.
        let first = list().cursor_paginate(2).await.unwrap();
        let next = first.next_cursor.as_deref();
        let of_model = Graded::of(4).cursor(next).cursor_paginate(2).await.unwrap();
        let of_cards = list().cursor(next).cursor_paginate(2).await.unwrap();
        assert_eq!(of_model.data.iter().map(|row| row.mark).collect::<Vec<_>>(), expected[2..4]);
        assert_eq!(of_cards.data.iter().map(|row| row.mark).collect::<Vec<_>>(), expected[2..4]);
        assert_eq!(Graded::of(3).rows::<Mark>().cursor(next).cursor_paginate(2).await.unwrap_err().status(), 400);
    };
    folio.scope(work).await;
}

#[tokio::test]
async fn a_cursor_of_cards_is_one_of_the_model() {
    let (folio, _pool) = library().await;
    let work = async {
        for (order, sql) in orders() {
            let model = || Essay::query().filter(Essay::WRITER.ne(3)).order_by(order.clone()).bind_filters();
            let cards = || model().rows::<Card>();
            let names = |rows: &[Essay]| rows.iter().map(|row| row.name.clone()).collect::<Vec<_>>();
            let first = cards().cursor_paginate(9).await.unwrap();
            let next = first.next_cursor.as_deref();
            let second = cards().cursor(next).cursor_paginate(9).await.unwrap();
            let own = model().cursor(next).cursor_paginate(9).await.unwrap();
            let cards = second.data.iter().map(|card| card.name.clone()).collect::<Vec<_>>();
            assert_eq!(cards, names(&own.data), "{sql}");
            let back = model().cursor(second.prev_cursor.as_deref()).cursor_paginate(9).await.unwrap();
            let firsts = first.data.iter().map(|card| card.name.clone()).collect::<Vec<_>>();
            assert_eq!(names(&back.data), firsts, "{sql}");
        }
    };
    folio.scope(work).await;
}

#[tokio::test]
async fn a_card_is_read_wherever_a_row_is() {
    let (folio, pool) = library().await;
    let work = async {
        let expected = plain(&pool, "ORDER BY id").await;
        let list = || Essay::query().rows::<Card>();
        let cards = |rows: &[Card]| rows.iter().map(values).collect::<Vec<_>>();
        assert_eq!(list().find(6).await.unwrap().as_ref().map(values).as_ref(), expected.get(5));
        let around = list().around(&EssayKey { id: 6 }, 1, 1).await.unwrap();
        assert_eq!(cards(&around.page.data), expected[4..7]);
        let around = list().order_by(Essay::NAME).around_id(6, 0, 0).await.unwrap();
        assert_eq!(cards(&around.page.data), expected[5..6]);
        let groups = list().each_of(Essay::WRITER, [2_i64]).cursor_paginate(50).await.unwrap();
        assert_eq!(cards(&groups[&2].data), plain(&pool, "WHERE writer = 2 ORDER BY id").await);
        // With the value of an expression too.
        let upper = || Column::<String>::expr("name", Func::upper(Expr::col(Essay::NAME)));
        for (card, upper) in list().with(upper()).order_by(Essay::GRADE.nulls_last()).paginate(50).await.unwrap().data {
            assert_eq!(upper, card.name.to_uppercase());
        }
        // A row may only have computed fields.
        let letters = Essay::query().rows::<Letters>().order_by(Essay::ID);
        for page in [letters.clone().cursor_paginate(3).await.unwrap().data, letters.paginate(3).await.unwrap().data] {
            assert_eq!(page[0].letters, expected[0].0.to_uppercase());
        }
        let one = Essay::query().rows::<Letters>().find(6).await.unwrap();
        assert_eq!(one.map(|row| row.letters), Some(expected[5].0.to_uppercase()));
    };
    folio.scope(work).await;
}

#[tokio::test]
async fn rows_with_the_same_names_are_not_mixed_up() {
    let (folio, _pool) = library().await;
    let work = async {
        let one = || Essay::query().filter(Essay::ID.eq(7));
        for _ in 0..2 {
            assert_eq!(one().rows::<Card>().cursor_paginate(1).await.unwrap().data[0].doubled, Some(2));
            assert_eq!(one().rows::<Tripled>().cursor_paginate(1).await.unwrap().data[0].doubled, Some(3));
            assert_eq!(one().rows::<Card>().paginate(1).await.unwrap().data[0].doubled, Some(2));
            assert_eq!(one().rows::<Tripled>().paginate(1).await.unwrap().data[0].doubled, Some(3));
            assert_eq!(one().rows::<Short>().cursor_paginate(1).await.unwrap().data[0].id, 7);
            assert_eq!(one().rows::<Short>().paginate(1).await.unwrap().data[0].name, "essay 01");
            assert_eq!(one().cursor_paginate(1).await.unwrap().data[0].grade, Some(1));
            assert_eq!(one().paginate(1).await.unwrap().data[0].grade, Some(1));
        }
    };
    folio.scope(work).await;
}

#[tokio::test]
async fn an_order_by_the_name_of_a_computed_field_is_an_error() {
    let (folio, _pool) = library().await;
    let work = async {
        let list = || Essay::query().rows::<Card>().order_by(Column::<Option<i64>>::new("doubled").nulls_last());
        let errors = [
            list().cursor_paginate(3).await.unwrap_err(),
            list().paginate(3).await.unwrap_err(),
            list().simple_paginate(3).await.unwrap_err(),
            list().first().await.unwrap_err(),
        ];
        for error in errors {
            assert!(error.to_string().contains("`doubled`, which is also the name of a computed field"), "{error}");
        }
    };
    folio.scope(work).await;
}

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "carded")]
struct Carded {
    id: i64,
    kind: i64,
    name: String,
    body: String,
}

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, RowOf)]
#[paginate(of = Carded)]
struct OnlyName {
    name: String,
}

/// Deep pages find their keys first, and PostgreSQL reads a filtered page along an index of the filter and the order.
#[tokio::test]
async fn only_the_columns_of_a_card_and_of_its_order_are_selected() {
    let rows: Vec<String> = (1..=1_200).map(|id| format!("({id}, {}, 'name {id}', 'a long text')", id % 2)).collect();
    let schema = format!(
        "CREATE TABLE carded (id {ID}, kind BIGINT NOT NULL, name {TEXT} NOT NULL, body {TEXT} NOT NULL);
         CREATE INDEX carded_of_kind ON carded (kind, id); INSERT INTO carded VALUES {}",
        rows.join(", ")
    );
    let (folio, _pool) = db::folio(&schema).await;
    let work = async {
        let kind = || Carded::query().filter(Carded::KIND.eq(1)).rows::<OnlyName>();
        let names = |rows: &[OnlyName]| rows.iter().map(|row| row.name.clone()).collect::<Vec<_>>();
        let expected = |ids: &[i64]| ids.iter().map(|id| format!("name {id}")).collect::<Vec<_>>();
        let pages = async |list: fn() -> folio::Query<folio::Of<Carded, OnlyName>>| {
            assert_eq!(names(&list().page(350).paginate(3).await.unwrap().data), expected(&[1048, 1049, 1050]));
            assert_eq!(names(&list().page(350).simple_paginate(3).await.unwrap().data), expected(&[1048, 1049, 1050]));
        };
        pages(|| Carded::query().order_by(Carded::BODY).rows()).await;
        record_statements();
        pages(|| Carded::query().rows()).await;
        assert_eq!(names(&kind().page(190).paginate(3).await.unwrap().data), expected(&[1135, 1137, 1139]));
        let first = kind().cursor_paginate(3).await.unwrap();
        let second = kind().cursor(first.next_cursor.as_deref()).cursor_paginate(3).await.unwrap();
        let back = kind().cursor(second.prev_cursor.as_deref()).cursor_paginate(3).await.unwrap();
        assert_eq!((names(&first.data), names(&second.data)), (expected(&[1, 3, 5]), expected(&[7, 9, 11])));
        assert_eq!(back.data, first.data);
        let texts = db::selects("carded");
        assert!(texts.len() > 6, "{texts:?}");
        let body = db::quoted("body");
        // Another test may have begun to record statements before this one.
        let mut others = texts.iter().filter(|text| !text.contains(&format!("{body} ASC")));
        assert!(others.all(|text| !text.contains(&body)), "{texts:?}");
    };
    folio.scope(work).await;
}
