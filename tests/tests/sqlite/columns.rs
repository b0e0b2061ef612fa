//! Columns in conditions and orders: of the rows' own table in any spelling, and of other tables in subqueries and
//! joins.

use folio::{Column, ExprTrait, FilterExpr, Paginate, Pagination, Result, Select};
use sea_query::{Expr, Query, SelectStatement};

use crate::suite::db;

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
    author_id: i64,
    title: String,
}

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
struct User {
    id: i64,
    name: String,
}

/// The posts, with the schema named.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "posts", schema = "main")]
struct Current {
    id: i64,
}

const POSTS: &str = "CREATE TABLE posts (id INTEGER PRIMARY KEY, author_id INTEGER NOT NULL, title TEXT NOT NULL);
     CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
     INSERT INTO posts VALUES (1, 7, 'a'), (2, 7, 'b'), (3, 8, 'c');
     INSERT INTO users VALUES (7, 'a'), (8, 'd');";

#[tokio::test]
async fn a_subquery_may_read_any_table_and_refer_to_the_rows() -> Result<()> {
    let (folio, _pool) = db::folio(POSTS).await;
    let users =
        |condition: FilterExpr<User>| Query::select().column(User::ID).from("users").cond_where(condition).take();
    folio
        .scope(async {
            for condition in [
                Post::AUTHOR_ID.to_expr().in_subquery(users(User::NAME.eq("a"))),
                Expr::exists(users(User::ID.eq(Post::AUTHOR_ID).and(User::NAME.eq("a")))),
                Post::AUTHOR_ID.to_expr().eq(Expr::SubQuery(None, Box::new(users(User::NAME.eq("a")).into()))),
            ] {
                let page = Post::query().filter(condition).paginate(5).await?;
                assert_eq!(page.data.iter().map(|post| post.id).collect::<Vec<_>>(), [1, 2]);
            }
            Ok(())
        })
        .await
}

#[tokio::test]
async fn a_column_of_the_rows_may_be_written_in_any_way() -> Result<()> {
    let (folio, _pool) = db::folio(POSTS).await;
    folio
        .scope(async {
            for title in [
                Post::TITLE.to_expr(),
                Post::TITLE.of("posts").to_expr(),
                Column::<String>::new("title").to_expr(),
                Expr::col("title"),
                Expr::col(("posts", "title")),
                Expr::col(("POSTS", "Title")),
                Expr::col(("main", "posts", "title")),
            ] {
                let page = Post::query().filter(title.clone().ne("b")).order_by_desc(title).paginate(5).await?;
                assert_eq!(page.data.iter().map(|post| post.id).collect::<Vec<_>>(), [3, 1]);
            }
            assert_eq!(Current::query().filter(Post::TITLE.any_model().eq("b")).paginate(5).await?.data[0].id, 2);
            let walk = Post::query().cursor_by((Post::TITLE.of("posts").desc(), Column::<i64>::new("id")));
            assert_eq!(walk.cursor_paginate(1).await?.data[0].id, 3);
            Ok(())
        })
        .await
}

#[tokio::test]
async fn a_join_is_read_through_the_facade() -> Result<()> {
    let (folio, _pool) = db::folio(POSTS).await;
    let join: SelectStatement = Query::select()
        .column(Post::ID)
        .column(Post::TITLE)
        .column(User::NAME)
        .from("posts")
        .inner_join("users", Post::AUTHOR_ID.eq(User::ID))
        .cond_where(User::NAME.ne("b"))
        .take();
    folio
        .scope(async {
            let select: Select<(i64, String, String)> = join.into();
            let order = (User::NAME.desc(), Post::ID);
            let page = Pagination::cursor(select.clone(), None, 5, order).await?;
            assert_eq!(page.data.iter().map(|(id, ..)| *id).collect::<Vec<_>>(), [3, 1, 2]);
            assert_eq!(Pagination::length_aware(select, 5, 1).await?.total, 3);
            Ok(())
        })
        .await
}
