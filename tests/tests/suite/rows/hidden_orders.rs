//! Lists that are sorted by columns which their rows do not select: all pages together have the rows of the plain ORDER
//! BY.

use folio::{Column, IntoOrder, Order, Paginate, Select};
use sea_query::{Asterisk, Expr, ExprTrait as _, Func, JoinType, Order as By, Query, SelectStatement, UnionType};

use super::{Essay, Writer, check, library, walk};
use crate::suite::db::Pool;

/// A row that is read by name.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow)]
struct Named {
    name: String,
}

/// A model that lacks a column of its table.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "essays")]
struct Ungraded {
    id: i64,
    name: String,
}

/// Essays with their writers.
fn joined() -> SelectStatement {
    Query::select()
        .from("essays")
        .inner_join("writers", Expr::col(("writers", "id")).equals(("essays", "writer")))
        .take()
}

async fn plain(pool: &Pool, sql: &str) -> Vec<String> {
    sqlx::query_scalar(sqlx::AssertSqlSafe(sql.to_owned())).fetch_all(pool).await.unwrap()
}

const JOIN: &str = "FROM essays JOIN writers ON writers.id = essays.writer";

/// Selects whose first column is a text, an order by columns that they lack, and the same in plain SQL.
fn selects() -> Vec<(SelectStatement, Order, String)> {
    let essays = || Query::select().column("name").from("essays").take();
    let (id, grade) = (|| Column::<i64>::new("id"), || Column::<Option<i64>>::new("grade"));
    let inner = Query::select().columns(["id", "name"]).from("essays").take();
    let left = Expr::col(("essays", "writer")).equals(("writers", "id"));
    let left = Query::select().from("writers").join(JoinType::LeftJoin, "essays", left).take();
    let only = |sql: &str| format!("SELECT {sql}");
    vec![
        (essays(), id().desc().erased(), only("name FROM essays ORDER BY id DESC")),
        (essays(), (grade().nulls_last(), id()).erased(), only("name FROM essays ORDER BY grade IS NULL, grade, id")),
        (
            essays(),
            (Essay::GRADE.desc().nulls_first(), Essay::ID).erased(),
            only("name FROM essays ORDER BY grade IS NOT NULL, grade DESC, id"),
        ),
        // The list consists of the rows that remain.
        (
            essays().order_by("name", By::Asc).limit(9).take(),
            id().erased(),
            only("name FROM (SELECT * FROM essays ORDER BY name LIMIT 9) AS firsts ORDER BY id"),
        ),
        (
            essays().and_where(Expr::cust("id > 30 OR id < 20")).take(),
            id().erased(),
            only("name FROM essays WHERE id > 30 OR id < 20 ORDER BY id"),
        ),
        (
            Query::select().expr(Func::upper(Expr::col("name"))).from("essays").take(),
            id().erased(),
            only("UPPER(name) FROM essays ORDER BY id"),
        ),
        // The result has another column under the name of the order's.
        (
            Query::select().expr_as(Expr::col("name"), "id").from("essays").take(),
            Essay::ID.erased(),
            only("name FROM essays ORDER BY essays.id"),
        ),
        (
            Query::select().column("name").from_as("essays", "e").take(),
            Essay::ID.of("e").desc().erased(),
            only("name FROM essays ORDER BY id DESC"),
        ),
        (
            Query::select().column("name").from_subquery(inner, "inner_essays").take(),
            id().erased(),
            only("name FROM essays ORDER BY id"),
        ),
        (
            essays(),
            Column::<i64>::expr("remainder", Expr::cust("id % 7")).not_null().erased().then(id()),
            only("name FROM essays ORDER BY id % 7, id"),
        ),
        // Both tables have an `id` and a `name`.
        (
            joined().column(("writers", "name")).column(("writers", "id")).take(),
            Essay::ID.erased(),
            only(&format!("writers.name {JOIN} ORDER BY essays.id")),
        ),
        (
            joined().column(("essays", "name")).take(),
            (Writer::ID.desc(), Essay::NAME).erased(),
            only(&format!("essays.name {JOIN} ORDER BY writers.id DESC, essays.name, essays.id")),
        ),
        (
            joined().column(("essays", "name")).take(),
            (Writer::NAME.desc(), Essay::ID).erased(),
            only(&format!("essays.name {JOIN} ORDER BY writers.name DESC, essays.id")),
        ),
        (
            joined().column(("writers", "name")).take(),
            (grade().nulls_first(), Essay::ID.desc()).erased(),
            only(&format!("writers.name {JOIN} ORDER BY grade IS NOT NULL, grade, essays.id DESC")),
        ),
        (
            left.clone().column(("writers", "name")).take(),
            (Essay::GRADE.nulls_last(), Essay::ID, Writer::ID).erased(),
            only(
                "writers.name FROM writers LEFT JOIN essays ON essays.writer = writers.id \
                 ORDER BY grade IS NULL, grade, essays.id, writers.id",
            ),
        ),
    ]
}

/// A tuple is read by position, so what folio selects comes after its columns.
#[tokio::test]
async fn a_select_is_sorted_by_columns_that_it_lacks() {
    let (folio, pool) = library().await;
    let work = async {
        for (select, order, sql) in selects() {
            let expected = plain(&pool, &sql).await;
            assert!(!expected.is_empty(), "{sql}");
            let list = || Select::<(String,)>::from(select.clone()).order_by(order.clone());
            check(list, &expected, |(text,)| text.clone(), &sql).await;
        }
    };
    folio.scope(work).await;
}

#[tokio::test]
async fn a_struct_is_read_by_name_beside_the_columns_of_the_order() {
    let (folio, pool) = library().await;
    let work = async {
        let expected =
            plain(&pool, &format!("SELECT writers.name {JOIN} ORDER BY essays.name DESC, essays.id DESC")).await;
        let select = || joined().column(("writers", "name")).take();
        let list = || Select::<Named>::from(select()).order_by((Essay::NAME.desc(), Essay::ID.desc()));
        check(list, &expected, |row| row.name.clone(), "by name").await;
    };
    folio.scope(work).await;
}

/// A cursor has the values of the columns that the row lacks, and is the same as that of a select which has them.
#[tokio::test]
async fn a_cursor_does_not_depend_on_what_the_row_shows() {
    let (folio, _pool) = library().await;
    let work = async {
        let order = || (Essay::GRADE.nulls_last(), Essay::ID);
        let hidden = || Select::<(String,)>::from(Query::select().column("name").from("essays")).order_by(order());
        let star = || Select::<Essay>::from(Query::select().column(Asterisk).from("essays")).order_by(order());
        let first = hidden().cursor_paginate(9).await.unwrap();
        let next = first.next_cursor.as_deref();
        let names = star().cursor(next).cursor_paginate(9).await.unwrap().data;
        let names: Vec<_> = names.into_iter().map(|essay| (essay.name,)).collect();
        assert_eq!(hidden().cursor(next).cursor_paginate(9).await.unwrap().data, names);
    };
    folio.scope(work).await;
}

#[tokio::test]
async fn a_model_is_sorted_by_columns_that_it_lacks() {
    let (folio, pool) = library().await;
    let work = async {
        let grade = || Column::<Option<i64>>::new("grade");
        for (order, sql) in [
            (grade().nulls_last().erased(), "grade IS NULL, grade, id"),
            (grade().desc().nulls_first().erased(), "grade IS NOT NULL, grade DESC, id DESC"),
            ((Column::<i64>::new("writer").desc(), Ungraded::NAME).erased(), "writer DESC, name, id"),
        ] {
            let all = plain(&pool, &format!("SELECT name FROM essays ORDER BY {sql}")).await;
            check(|| Ungraded::query().order_by(order.clone()), &all, |row| row.name.clone(), sql).await;
            let of_two = plain(&pool, &format!("SELECT name FROM essays WHERE writer IN (2, 4) ORDER BY {sql}")).await;
            let writer = || Column::<i64>::new("writer");
            let filtered = || Ungraded::query().filter(writer().is_in([2, 4])).order_by(order.clone());
            check(filtered, &of_two, |row| row.name.clone(), sql).await;
            let feed = || Ungraded::query().among(writer(), [2_i64, 4]).order_by(order.clone());
            let [forwards, backwards] = walk(feed, 3).await.unwrap();
            let names = |rows: &[Ungraded]| rows.iter().map(|row| row.name.clone()).collect::<Vec<_>>();
            assert_eq!((names(&forwards), names(&backwards)), (of_two.clone(), of_two), "{sql}");
        }
    };
    folio.scope(work).await;
}

/// Where a further column would change the rows, the error says what to write.
#[tokio::test]
async fn a_column_that_would_change_the_rows_has_to_be_selected() {
    let (folio, _pool) = library().await;
    let work = async {
        let id = || Column::<i64>::new("id");
        let essays = || Query::select().column("name").from("essays").take();
        let counted = Query::select().column("writer").expr_as(Expr::cust("COUNT(*)"), "n").from("essays").take();
        let whole = [
            Select::<(String,)>::from(essays().distinct().take()).order_by(id()),
            Select::from(essays().group_by_col("name").take()).order_by(id()),
            Select::from(counted.clone().group_by_col("writer").take()).order_by(id()),
            Select::from(essays().union(UnionType::All, essays()).take()).order_by(id()),
            Select::from(essays().distinct().take()).order_by(Essay::ID),
        ];
        for list in whole {
            let errors = [
                list.clone().cursor_paginate(5).await.unwrap_err(),
                list.clone().paginate(5).await.unwrap_err(),
                list.clone().simple_paginate(5).await.unwrap_err(),
                list.first().await.unwrap_err(),
            ];
            for error in errors {
                let message = error.to_string();
                assert!(
                    message.contains("id`, which is not among the columns of the select's result: select it"),
                    "{error}"
                );
                assert!(matches!(error, folio::FrameworkError::Internal { .. }), "{error:?}");
            }
        }
        let text = || Select::<(String,)>::sql("SELECT name FROM essays");
        let error = text().order_by(id()).cursor_paginate(5).await.unwrap_err().to_string();
        assert!(error.contains("has `id`, which is not a column of the SQL text: select it"), "{error}");
        let error = text().order_by(id()).paginate(5).await.unwrap_err().to_string();
        assert!(error.contains("has `id`, which is not a column of the SQL text: select it"), "{error}");
        let error = text().order_by(Essay::ID).cursor_paginate(5).await.unwrap_err().to_string();
        assert!(error.contains("has `essays.id`, which is not among the columns"), "{error}");
        // The names of this result are only known to the database.
        let upper = Query::select().distinct().expr(Func::upper(Expr::col("name"))).from("essays").take();
        let error = Select::<(String,)>::from(upper).order_by(id()).cursor_paginate(5).await.unwrap_err().to_string();
        assert!(error.contains("select it"), "{error}");
    };
    folio.scope(work).await;
}
