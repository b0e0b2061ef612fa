//! Rows with the values of expressions.

use folio::page_tokens::TokenRequest;
use folio::relay::Window;
use folio::{Column, ExprTrait as _, FrameworkError, IntoOrder, NamedExpr, Order};
use futures_util::TryStreamExt as _;
use sea_query::{Asterisk, Expr, Func, Query};

use super::{Essay, EssayKey, Writer, check, library};
use crate::suite::db::Pool;

/// How many essays of the same writer have at least this grade; the grade is a value of the statement.
fn siblings(grade: i64) -> NamedExpr<i64> {
    let of = Query::select()
        .expr(Func::count(Expr::col(Asterisk)))
        .from_as("essays", "other")
        .and_where(Expr::col(("other", "writer")).equals(("essays", "writer")))
        .and_where(Expr::col(("other", "grade")).gte(grade))
        .take();
    Column::expr("siblings", of)
}

fn doubled() -> NamedExpr<Option<i64>> {
    // The name of a column of the table.
    Column::expr("grade", Essay::GRADE.to_expr().mul(2))
}

fn upper() -> NamedExpr<String> {
    Column::expr("upper", Func::upper(Expr::col(Essay::NAME)))
}

type Values = (i64, String, i64, Option<i64>, String);

/// The rows that a plain statement has under a condition and in an order.
async fn plain(pool: &Pool, condition: &str, order: &str) -> Vec<Values> {
    let siblings = "(SELECT COUNT(*) FROM essays AS o WHERE o.writer = essays.writer AND o.grade >= 2)";
    let sql = format!(
        "SELECT id, name, {siblings} AS siblings, grade * 2, UPPER(name) FROM essays WHERE {condition} ORDER BY {order}"
    );
    sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(pool).await.unwrap()
}

type Row = (((Essay, i64), Option<i64>), String);

fn values((((essay, siblings), doubled), upper): &Row) -> Values {
    (essay.id, essay.name.clone(), *siblings, *doubled, upper.clone())
}

/// Orders by the expressions and by columns, and the same in plain SQL.
fn orders() -> Vec<(Order, &'static str)> {
    vec![
        (Essay::ID.erased(), "id"),
        ((Essay::GRADE.nulls_last(), Essay::ID.desc()).erased(), "grade IS NULL, grade, id DESC"),
        (siblings(2).not_null().desc().erased(), "siblings DESC, id DESC"),
        ((doubled().nulls_first(), upper()).erased(), "grade IS NOT NULL, grade * 2, UPPER(name), id"),
        (
            (siblings(2).not_null(), doubled().desc().nulls_last()).erased(),
            "siblings, grade IS NULL, grade * 2 DESC, id DESC",
        ),
    ]
}

#[tokio::test]
async fn each_row_has_the_values_of_its_expressions() {
    let (folio, pool) = library().await;
    let work = async {
        for (order, sql) in orders() {
            let expected = plain(&pool, "1 = 1", sql).await;
            let all = || Essay::query().with(siblings(2)).with(doubled()).with(upper()).order_by(order.clone());
            check(all, &expected, values, sql).await;
            let expected = plain(&pool, "writer = 2 AND name <> 'essay 11'", sql).await;
            let one = || {
                let own = Essay::query().filter(Essay::WRITER.eq(2)).with(siblings(2)).with(doubled()).with(upper());
                own.filter(Essay::NAME.ne("essay 11")).order_by(order.clone())
            };
            check(one, &expected, values, sql).await;
            let expected = plain(&pool, "writer IN (1, 4, 5)", sql).await;
            let feed = || {
                let feed = Essay::query().among(Essay::WRITER, [1_i64, 4, 5]).with(siblings(2)).with(doubled());
                feed.with(upper()).order_by(order.clone())
            };
            check(feed, &expected, values, sql).await;
        }
    };
    folio.scope(work).await;
}

/// The other reads of a list.
#[tokio::test]
async fn a_value_is_read_wherever_a_row_is() {
    let (folio, pool) = library().await;
    let work = async {
        let expected: Vec<_> = plain(&pool, "1 = 1", "id").await.into_iter().map(|row| (row.0, row.2)).collect();
        let pairs = |rows: &[(Essay, i64)]| rows.iter().map(|(essay, count)| (essay.id, *count)).collect::<Vec<_>>();
        let list = || Essay::query().with(siblings(2));

        let streamed: Vec<_> = list().cursor_stream(7).try_collect().await.unwrap();
        assert_eq!(pairs(&streamed), expected);
        let chunks: Vec<_> = list().cursor_chunks(7).map_ok(|chunk| pairs(&chunk.data)).try_collect().await.unwrap();
        assert_eq!(chunks.concat(), expected);
        assert_eq!(pairs(&list().last_page(3).await.unwrap().data), expected[37..]);

        let (id, count) = expected[5];
        let found = list().find(id).await.unwrap();
        assert_eq!(found.map(|(essay, count)| (essay.id, count)), Some((id, count)));
        let around = list().around(&EssayKey { id }, 2, 2).await.unwrap();
        assert_eq!((pairs(&around.page.data), around.index), (expected[3..8].to_vec(), Some(2)));
        let around = list().order_by(siblings(2).not_null()).around_id(id, 1, 1).await.unwrap();
        assert_eq!(pairs(&around.page.data)[1], (id, count));

        let connection = list().connection(Window::first(4)).await.unwrap();
        let nodes: Vec<_> = connection.edges.into_iter().map(|edge| edge.node).collect();
        assert_eq!(pairs(&nodes), expected[..4]);
        let token = list().token_page(TokenRequest::default().limits(4, 9)).await.unwrap();
        assert_eq!(pairs(&token.rows), expected[..4]);
        let groups = list().each_of(Essay::WRITER, [1_i64, 3]).cursor_paginate(50).await.unwrap();
        let firsts = list().each_of(Essay::WRITER, [1_i64, 3]).first(50).await.unwrap();
        for writer in [1, 3] {
            let own = plain(&pool, &format!("writer = {writer}"), "id").await;
            let own: Vec<_> = own.into_iter().map(|row| (row.0, row.2)).collect();
            assert_eq!((pairs(&groups[&writer].data), pairs(&firsts[&writer])), (own.clone(), own), "{writer}");
        }
        assert!(list().exists().await.unwrap());
        assert_eq!(list().count_after(&EssayKey { id }).await.unwrap(), 34);
        assert_eq!(list().count_by(Essay::WRITER, 1).await.unwrap(), [(1, 8)]);
    };
    folio.scope(work).await;
}

/// The values are not part of the list's order, so the cursors are those of the model, even if they are bound to
/// filters.
#[tokio::test]
async fn the_cursors_are_those_of_the_model() {
    let (folio, _pool) = library().await;
    let work = async {
        let model =
            || Essay::query().filter(Essay::WRITER.ne(3)).order_by((Essay::NAME.desc(), Essay::ID)).bind_filters();
        let first = model().with(siblings(2)).cursor_paginate(9).await.unwrap();
        let next = first.next_cursor.as_deref();
        let own = model().cursor(next).cursor_paginate(9).await.unwrap();
        let with = model().with(siblings(1)).with(upper()).cursor(next).cursor_paginate(9).await.unwrap();
        assert_eq!(own.data, with.data.iter().map(|((essay, _), _)| essay.clone()).collect::<Vec<_>>());
        let back = model().cursor(with.prev_cursor.as_deref()).cursor_paginate(9).await.unwrap();
        assert_eq!(back.data, first.data.iter().map(|(essay, _)| essay.clone()).collect::<Vec<_>>());
        let other = Essay::query().filter(Essay::WRITER.ne(2)).order_by((Essay::NAME.desc(), Essay::ID)).bind_filters();
        assert_eq!(other.cursor(next).with(siblings(2)).cursor_paginate(9).await.unwrap_err().status(), 400);
    };
    folio.scope(work).await;
}

/// Statements whose values differ in a constant have different texts.
#[tokio::test]
async fn values_without_parameters_are_not_mixed_up() {
    let (folio, _pool) = library().await;
    let work = async {
        let add = |sql: &'static str| Column::<i64>::expr("sum", Expr::cust(sql));
        for (sql, more) in [("essays.id + 1", 1), ("essays.id + 2", 2), ("essays.id + 1", 1)] {
            for (essay, sum) in Essay::query().with(add(sql)).cursor_paginate(5).await.unwrap().data {
                assert_eq!(sum, essay.id + more, "{sql}");
            }
            for (essay, sum) in Essay::query().with(add(sql)).paginate(5).await.unwrap().data {
                assert_eq!(sum, essay.id + more, "{sql}");
            }
        }
        assert_eq!(Essay::query().cursor_paginate(5).await.unwrap().data.len(), 5);
    };
    folio.scope(work).await;
}

#[tokio::test]
async fn an_expression_that_is_no_value_of_a_row_is_an_error() {
    let (folio, _pool) = library().await;
    let work = async {
        let numbered = || Column::<i64>::expr("n", Expr::cust("ROW_NUMBER() OVER (ORDER BY id)"));
        let total = || Column::<i64>::expr("n", Func::count(Expr::col(Essay::ID)));
        // On SQLite the first, and on MariaDB the second, would make one row of a page without an error.
        let [json, bits] = ["json_group_object(essays.id, 1)", "bit_or(essays.id)"]
            .map(|sql| Column::<i64>::expr("n", Expr::cust(sql)));
        for value in [numbered(), total(), json, bits] {
            let list = || Essay::query().with(value.clone());
            let errors = [
                list().cursor_paginate(3).await.unwrap_err(),
                list().paginate(3).await.unwrap_err(),
                list().find(1).await.unwrap_err(),
            ];
            for error in errors {
                assert!(error.to_string().contains("write it in a subquery"), "{error}");
            }
        }
        let foreign = Essay::query().with(Column::<String>::expr("n", Func::upper(Expr::col(Writer::NAME))));
        let error = foreign.cursor_paginate(3).await.unwrap_err();
        assert!(error.to_string().contains("`writers.name` is a column of `writers`"), "{error}");
        // The grade of some essays is NULL, and a name is not a number.
        let null = Essay::query().with(Column::<i64>::expr("grade", Essay::GRADE.to_expr()));
        let text = Essay::query().with(doubled()).with(Column::<i64>::expr("name", Essay::NAME.to_expr()));
        let errors = [
            (null.paginate(40).await.unwrap_err(), "folio_with_1"),
            (text.paginate(3).await.unwrap_err(), "folio_with_2"),
        ];
        for (error, column) in errors {
            assert!(matches!(error, FrameworkError::Database(_)) && error.to_string().contains(column), "{error}");
        }
    };
    folio.scope(work).await;
}
