//! Lists that are sorted by expressions: all pages together have the rows of the plain ORDER BY.

use folio::{Column, ExprTrait as _, Folio, IntoOrder, Key, Keyring, Order, Paginate, QuerySource, Result, Select};
use sea_query::{Asterisk, CaseStatement, Expr, Func, Query};

use crate::server::{ID, TEXT};
use crate::suite::db::{self, Pool};
use crate::suite::rows;

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "phrases")]
struct Phrase {
    id: i64,
    title: String,
    grade: Option<i64>,
}

const ROWS: i64 = 40;

async fn phrases() -> (Folio, Pool) {
    let row = |id: i64| {
        let grade = if id % 4 == 0 { "NULL".to_owned() } else { (id % 3).to_string() };
        format!("({id}, '{}{}', {grade})", if id % 2 == 0 { "Word " } else { "word " }, id * 7 % 5)
    };
    let rows: Vec<String> = (1..=ROWS).map(row).collect();
    let replies: Vec<String> = (1..=60).map(|id| format!("({id}, {})", id * id % 11 + 1)).collect();
    let (folio, pool) = db::folio(&format!(
        "CREATE TABLE phrases (id {ID}, title {TEXT} NOT NULL, grade BIGINT); INSERT INTO phrases VALUES {}; \
         CREATE TABLE replies (id {ID}, phrase BIGINT NOT NULL); INSERT INTO replies VALUES {}",
        rows.join(", "),
        replies.join(", ")
    ))
    .await;
    (folio.keyring(Keyring::new(Key::generate())), pool)
}

fn lower() -> folio::NamedExpr<String> {
    Column::expr("lower", Func::lower(Expr::col(Phrase::TITLE)))
}

/// The number of replies of each phrase.
fn replies() -> folio::NamedExpr<i64> {
    let of = Query::select()
        .expr(Func::count(Expr::col(Asterisk)))
        .from("replies")
        .and_where(Expr::col(("replies", "phrase")).equals(("phrases", "id")))
        .take();
    Column::expr("replies", of)
}

/// 0 for a pinned phrase, 1 for the others.
fn pinned(id: i64) -> folio::NamedExpr<i64> {
    let first = CaseStatement::new().case(Expr::from(Phrase::ID.eq(id)), Expr::val(0_i64)).finally(Expr::val(1_i64));
    Column::expr("pinned", first)
}

fn doubled() -> folio::NamedExpr<Option<i64>> {
    Column::expr("doubled", Phrase::GRADE.to_expr().mul(2))
}

const REPLIES: &str = "(SELECT COUNT(*) FROM replies WHERE phrase = phrases.id)";

/// Orders, and the same as an ORDER BY of any database.
fn orders() -> Vec<(Order, String)> {
    vec![
        (lower().erased(), "LOWER(title), id".into()),
        (lower().not_null().desc().erased(), "LOWER(title) DESC, id DESC".into()),
        (replies().not_null().desc().erased(), format!("{REPLIES} DESC, id DESC")),
        (replies().erased().then(lower().desc()), format!("{REPLIES}, LOWER(title) DESC, id DESC")),
        (pinned(7).not_null().erased().then(Phrase::ID.desc()), "CASE WHEN id = 7 THEN 0 ELSE 1 END, id DESC".into()),
        (doubled().nulls_last().erased(), "grade IS NULL, grade * 2, id".into()),
        (doubled().nulls_first().erased(), "grade IS NOT NULL, grade * 2, id".into()),
        (doubled().desc().nulls_last().erased(), "grade IS NULL, grade * 2 DESC, id DESC".into()),
        (
            (doubled().desc().nulls_first(), Phrase::TITLE, Phrase::ID.desc()).erased(),
            "grade IS NOT NULL, grade * 2 DESC, title, id DESC".into(),
        ),
    ]
}

async fn plain(pool: &Pool, order: &str) -> Vec<i64> {
    let sql = format!("SELECT id FROM phrases WHERE id <> 3 ORDER BY {order}");
    sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_all(pool).await.unwrap()
}

/// The ids of all pages, forwards and then backwards.
async fn walk<S: QuerySource<Row = Phrase>>(
    list: impl Fn() -> folio::Query<S>,
    per_page: u64,
) -> Result<[Vec<i64>; 2]> {
    let ids = |rows: Vec<Phrase>| rows.iter().map(|phrase| phrase.id).collect();
    Ok(rows::walk(list, per_page).await?.map(ids))
}

#[tokio::test]
async fn a_list_is_sorted_by_an_expression() {
    let (folio, pool) = phrases().await;
    let check = async {
        for (order, sql) in orders() {
            let expected = plain(&pool, &sql).await;
            let list = || Phrase::query().filter(Phrase::ID.ne(3)).order_by(order.clone());
            for per_page in [1, 7, 100] {
                let [forwards, backwards] = walk(list, per_page).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
                assert_eq!((&forwards, &backwards), (&expected, &expected), "{sql}, {per_page} rows a page");
            }
            let mut numbered = Vec::new();
            for page in 1..=6 {
                let page = list().page(page).paginate(7).await.unwrap();
                assert_eq!(page.total, expected.len() as u64, "{sql}");
                numbered.extend(page.data.iter().map(|phrase| phrase.id));
            }
            assert_eq!(numbered, expected, "{sql}, by number");
        }
    };
    folio.scope(check).await;
}

/// The same for a select of the caller's, whose tie-breaker is the model's primary key.
#[tokio::test]
async fn a_select_is_sorted_by_an_expression() {
    let (folio, pool) = phrases().await;
    let check = async {
        for (order, sql) in orders() {
            let expected = plain(&pool, &sql).await;
            let rows = Query::select().columns(["id", "title", "grade"]).from("phrases").take();
            let rows = || rows.clone().and_where(Expr::col(("phrases", "id")).ne(3)).take();
            let list = || Select::<Phrase>::model(rows()).order_by(order.clone());
            let [forwards, backwards] = walk(list, 7).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
            assert_eq!((&forwards, &backwards), (&expected, &expected), "{sql}");
            let page = list().page(2).paginate(7).await.unwrap();
            let ids: Vec<i64> = page.data.iter().map(|phrase| phrase.id).collect();
            assert_eq!((&*ids, page.total), (&expected[7..14], expected.len() as u64), "{sql}");
        }
        let grouped = Query::select().column("title").from("phrases").group_by_col("title").take();
        let error = Select::<(String,)>::from(grouped).order_by(lower()).cursor_paginate(5).await.unwrap_err();
        assert!(error.to_string().contains("select it as `lower`, and order by `Column::new(\"lower\")`"), "{error}");
    };
    folio.scope(check).await;
}

/// Rows in which an expression is NULL, although its type has none, are read or refused, but never left out.
#[tokio::test]
async fn an_expression_with_undeclared_nulls_loses_no_row() {
    let (folio, pool) = phrases().await;
    let check = async {
        let expected = plain(&pool, "id").await.len();
        let wrong = || Column::<i64>::expr("doubled", Phrase::GRADE.to_expr().mul(2));
        for order in [wrong().erased(), wrong().desc().erased()] {
            for per_page in [3, 29, 100] {
                let list = || Phrase::query().filter(Phrase::ID.ne(3)).order_by(order.clone());
                match walk(list, per_page).await {
                    Ok([forwards, backwards]) => {
                        assert_eq!((forwards.len(), backwards.len()), (expected, expected), "{order:?}");
                    }
                    Err(error) => assert!(error.to_string().contains("make it an `Option`"), "{error}"),
                }
            }
        }
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn a_cursor_is_bound_to_the_name_of_the_expression() {
    let (folio, _pool) = phrases().await;
    let check = async {
        let list = |id: i64| Phrase::query().order_by((pinned(id).not_null(), Phrase::ID));
        let next = list(7).cursor_paginate(5).await.unwrap().next_cursor;
        assert!(list(7).cursor(next.as_deref()).cursor_paginate(5).await.is_ok());
        let renamed = Column::<i64>::expr("first", Expr::from(pinned(7))).not_null();
        let renamed = Phrase::query().order_by((renamed, Phrase::ID)).cursor(next.as_deref());
        assert_eq!(renamed.cursor_paginate(5).await.unwrap_err().status(), 400);
        // An expression with the name of the primary key is not the primary key, which still breaks its ties.
        let thirds = || Phrase::query().order_by(Column::<i64>::expr("id", Expr::cust("phrases.id % 3")));
        let page = thirds().cursor_paginate(5).await.unwrap();
        let rest = thirds().cursor(page.next_cursor.as_deref()).cursor_paginate(50).await.unwrap();
        let mut ids: Vec<i64> = page.data.iter().chain(&rest.data).map(|phrase| phrase.id).collect();
        assert!(ids.is_sorted_by_key(|id| (id % 3, *id)), "{ids:?}");
        ids.sort_unstable();
        assert_eq!(ids, (1..=ROWS).collect::<Vec<_>>());
        // A column of the same name is another order.
        let named = Column::<i64>::expr("id", Phrase::ID.to_expr().mul(-1)).not_null();
        let newest = || Phrase::query().order_by(named.clone());
        let page = newest().cursor_paginate(2).await.unwrap();
        assert_eq!(page.data[0].id, ROWS);
        assert_eq!(newest().cursor(page.next_cursor.as_deref()).cursor_paginate(2).await.unwrap().data[0].id, ROWS - 2);
        let by_id = Phrase::query().order_by(Phrase::ID);
        assert_eq!(by_id.cursor(page.next_cursor.as_deref()).cursor_paginate(2).await.unwrap_err().status(), 400);
    };
    folio.scope(check).await;
}

/// A list by the distance to a price, or by the rank of a word, is another list for another price or word. Its handler
/// does not have to know.
#[tokio::test]
async fn a_cursor_is_bound_to_the_values_of_the_expression() {
    let (folio, _pool) = phrases().await;
    let check = async {
        let distance = |to: i64| {
            let distance = Func::abs(Phrase::ID.to_expr().sub(Expr::val(to)));
            (Column::<i64>::expr("distance", distance).not_null(), Phrase::ID)
        };
        let rank = |word: &str| {
            let rank = CaseStatement::new().case(Phrase::TITLE.contains(word), Expr::val(1_i64)).finally(2_i64);
            (Column::<i64>::expr("rank", rank).not_null().desc(), Phrase::ID)
        };
        let rows = || Query::select().columns(["id", "title", "grade"]).from("phrases").take();
        let orders = |by: usize| -> [Order; 2] { [distance([7, 20][by]).erased(), rank(["1", "1%"][by]).erased()] };
        for at in 0..2 {
            let order = |by: usize| orders(by)[at].clone();
            let model = |by: usize| Phrase::query().order_by(order(by));
            let select = |by: usize| Select::<Phrase>::model(rows()).order_by(order(by));
            let named = |by: usize| Select::<Phrase>::from(rows()).named("phrases").order_by(order(by));
            macro_rules! is_bound {
                ($list:ident) => {{
                    let page = $list(0).with_positions().cursor_paginate(5).await.unwrap();
                    let next = page.next_cursor.as_deref();
                    assert_eq!($list(0).cursor(next).cursor_paginate(5).await.unwrap().data.len(), 5);
                    for refused in [
                        $list(1).cursor(next).cursor_paginate(5).await.map(drop).unwrap_err(),
                        $list(1).after(page.end_cursor.as_deref()).cursor_paginate(5).await.map(drop).unwrap_err(),
                        $list(1).newer_than(&page.end_cursor.unwrap()).exists().await.map(drop).unwrap_err(),
                    ] {
                        assert_eq!((refused.status(), &*refused.to_string()), (400, "Invalid pagination cursor"));
                    }
                }};
            }
            is_bound!(model);
            is_bound!(select);
            is_bound!(named);
        }
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn an_expression_is_a_filter() {
    let (folio, pool) = phrases().await;
    let check = async {
        let count = async |sql: &str| {
            let sql = format!("SELECT COUNT(*) FROM phrases WHERE {sql}");
            sqlx::query_scalar::<_, i64>(sqlx::AssertSqlSafe(sql)).fetch_one(&pool).await.unwrap().unsigned_abs()
        };
        let filters = [
            (lower().eq("word 1"), "LOWER(title) = 'word 1'".to_owned()),
            (lower().is_in(["word 1", "word 2"]), "LOWER(title) IN ('word 1', 'word 2')".to_owned()),
            (replies().gte(6), format!("{REPLIES} >= 6")),
            (
                replies().between(1, 5).and(lower().ne("word 3")),
                format!("{REPLIES} BETWEEN 1 AND 5 AND LOWER(title) <> 'word 3'"),
            ),
            (doubled().is_null().or(doubled().lt(2)), "grade IS NULL OR grade * 2 < 2".to_owned()),
        ];
        for (filter, sql) in filters {
            let expected = count(&sql).await;
            assert!(expected > 0, "{sql}");
            let page = Phrase::query().filter(filter.clone()).order_by(replies().desc()).paginate(3).await.unwrap();
            assert_eq!(page.total, expected, "{sql}");
            let page = Phrase::query().filter(filter).order_by(lower()).counted().cursor_paginate(3).await.unwrap();
            assert_eq!(page.total.unwrap().rows(), expected, "{sql}");
        }
    };
    folio.scope(check).await;
}

/// The names of expressions may equal those of columns and of folio's own aliases.
#[tokio::test]
async fn names_of_expressions_do_not_matter() {
    let (folio, pool) = phrases().await;
    let check = async {
        let named = |name: &'static str, sql: &'static str| Column::<i64>::expr(name, Expr::cust(sql)).not_null();
        for names in [["0", "1"], ["folio_key_1", "folio_total"], ["id", "title"]] {
            let order = || (named(names[0], "phrases.id % 3"), named(names[1], "phrases.id % 5").desc(), Phrase::ID);
            let expected = plain(&pool, "id % 3, id % 5 DESC, id").await;
            let list = || Phrase::query().filter(Phrase::ID.ne(3)).order_by(order());
            let walked = walk(list, 4).await.unwrap();
            assert_eq!(walked, [expected.clone(), expected.clone()], "{names:?}");
            let rows = Query::select()
                .columns(["id", "title", "grade"])
                .from("phrases")
                .and_where(Expr::col("id").ne(3))
                .take();
            let list = || Select::<Phrase>::model(rows.clone()).order_by(order());
            let walked = walk(list, 4).await.unwrap();
            assert_eq!(walked, [expected.clone(), expected], "{names:?}");
        }
        // A column of the expression is the table's, although the result has an alias of that name.
        let swapped = Query::select()
            .column("id")
            .column("title")
            .expr_as(Phrase::ID.to_expr().mul(-1), "grade")
            .from("phrases")
            .take();
        let list = || {
            let by_grade = Column::<Option<i64>>::expr("g", Expr::col("grade")).nulls_last();
            Select::<Phrase>::model(swapped.clone()).order_by((by_grade, Phrase::ID))
        };
        let [forwards, backwards] = walk(list, 7).await.unwrap();
        let sql = "SELECT id FROM phrases ORDER BY grade IS NULL, grade, id";
        let expected: Vec<i64> = sqlx::query_scalar(sql).fetch_all(&pool).await.unwrap();
        assert_eq!((&forwards, &backwards), (&expected, &expected));
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn two_expressions_of_one_name_are_refused() {
    let (folio, _pool) = phrases().await;
    let check = async {
        let named = |sql: &'static str| Column::<i64>::expr("n", Expr::cust(sql)).not_null();
        let order = || (Phrase::TITLE, named("phrases.id % 3"), named("phrases.id % 5").desc(), Phrase::ID);
        let rows = Query::select().columns(["id", "title", "grade"]).from("phrases").take();
        let model = Phrase::query().order_by(order()).cursor_paginate(4).await.unwrap_err();
        let select = Select::<Phrase>::model(rows).order_by(order()).cursor_paginate(4).await.unwrap_err();
        for error in [model, select] {
            let expected = "the terms 2 and 3 of the order are both expressions with the name `n`";
            assert!(error.to_string().contains(expected), "{error}");
        }
    };
    folio.scope(check).await;
}

/// The types of the values inside an expression are part of it.
#[tokio::test]
async fn orders_with_different_values_are_not_mixed_up() {
    let (folio, _pool) = phrases().await;
    let check = async {
        let above = |value: Expr| {
            let first =
                CaseStatement::new().case(Phrase::ID.to_expr().gt(value), Expr::val(0_i64)).finally(Expr::val(1_i64));
            Phrase::query().order_by((Column::<i64>::expr("above", first), Phrase::ID))
        };
        for _ in 0..2 {
            assert_eq!(above(Expr::val(20_i64)).cursor_paginate(1).await.unwrap().data[0].id, 21);
            assert_eq!(above(Expr::val(20_i32)).cursor_paginate(1).await.unwrap().data[0].id, 21);
            assert_eq!(above(Expr::val(30.5_f64)).cursor_paginate(1).await.unwrap().data[0].id, 31);
        }
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn a_value_is_not_an_order() {
    let (folio, _pool) = phrases().await;
    let check = async {
        for value in [Expr::cust("1"), Expr::cust(" 2 "), Expr::val(1_i64), Expr::Constant(1_i64.into())] {
            let order = || Column::<i64>::expr("one", value.clone()).not_null();
            let errors = [
                Phrase::query().order_by(order()).cursor_paginate(5).await.unwrap_err(),
                Phrase::query().order_by(order()).paginate(5).await.unwrap_err(),
                Select::<Phrase>::model(Query::select().columns(["id", "title", "grade"]).from("phrases").take())
                    .order_by(order())
                    .paginate(5)
                    .await
                    .unwrap_err(),
            ];
            for error in errors {
                assert!(error.to_string().contains("an order by a value sorts nothing"), "{error}");
            }
        }
    };
    folio.scope(check).await;
}
