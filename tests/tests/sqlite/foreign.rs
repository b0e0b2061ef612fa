//! A column of another table than the rows' is refused before the database is asked, with what to write instead.

use folio::{Column, ExprTrait, FrameworkError, Paginate, Pagination, Result, Select};
use sea_query::{Cond, Expr, Func, Query, SelectStatement};

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

/// Posts that lie elsewhere.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "posts", schema = "archive")]
struct Archived {
    id: i64,
}

/// And elsewhere again.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "posts", schema = "main")]
struct Current {
    id: i64,
}

const POSTS: &str = "CREATE TABLE posts (id INTEGER PRIMARY KEY, author_id INTEGER NOT NULL, title TEXT NOT NULL);
     CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
     INSERT INTO posts VALUES (1, 7, 'a'), (2, 7, 'b'), (3, 8, 'c');
     INSERT INTO users VALUES (7, 'a'), (8, 'd');";

/// What each of the paginators says of a query, where there is neither a database nor a keyring.
async fn said(query: folio::Builder<Post>) -> String {
    let errors = [
        query.clone().paginate(2).await.unwrap_err(),
        query.clone().simple_paginate(2).await.unwrap_err(),
        query.cursor_paginate(2).await.unwrap_err(),
    ];
    let texts = errors.map(|error| {
        assert!(matches!(error, FrameworkError::Internal { .. }), "{error:?}");
        assert_eq!(error.status(), 500);
        error.to_string()
    });
    assert!(texts.iter().all(|text| *text == texts[0]), "{texts:?}");
    texts[0].clone()
}

#[tokio::test]
async fn a_filter_on_another_table_is_refused_however_deep_it_lies() {
    let name = || User::NAME.eq("a");
    let own = || Post::TITLE.eq("a");
    for condition in [
        name(),
        own().and(name()),
        own().or(own().and(name())),
        name().not(),
        Post::TITLE.eq(User::NAME),
        Post::TITLE.is_in([User::NAME]),
        Post::ID.between(1, User::ID),
        Expr::from(Func::lower(User::NAME.expr())).eq("a"),
        User::NAME.expr().cast_as("text").eq("a"),
        User::NAME.expr().as_enum("name").eq("a"),
        Expr::tuple([Post::TITLE.expr(), User::NAME.expr()]).in_tuples([("a", "b")]),
        Expr::cust_with_exprs("? = ?", [Post::TITLE.expr(), User::NAME.expr()]),
    ] {
        let text = said(Post::query().filter(condition.clone())).await;
        assert!(
            text.starts_with("`users.name` is a column of `users`") || text.starts_with("`users.id`"),
            "{condition:?}"
        );
    }
    let any = Cond::any().add(own()).add(Cond::all().add(name()).not());
    assert_eq!(
        said(Post::query().filter(own()).filter(any)).await,
        "`users.name` is a column of `users`, but the rows are those of `posts`: write a column of `posts`, or put \
         `users` into a subquery; for a join, pass a select to `Pagination`"
    );
}

#[tokio::test]
async fn an_order_by_another_table_is_refused() {
    for query in [
        Post::query().order_by_asc(User::NAME),
        Post::query().order_by_asc(Post::TITLE).order_by_desc(Func::lower(User::NAME.expr())),
        Post::query().cursor_by(User::NAME.desc()),
        Post::query().cursor_by((Post::TITLE, User::NAME)),
    ] {
        assert!(
            said(query).await.starts_with("`users.name` is a column of `users`, but the rows are those of `posts`")
        );
    }
    let walk = Post::query().cursor_by(User::NAME).cursor_stream(2);
    let row = futures_util::TryStreamExt::try_next(&mut std::pin::pin!(walk)).await;
    assert!(row.unwrap_err().to_string().starts_with("`users.name`"));
}

/// The rows of a builder have no other name than their table's.
#[tokio::test]
async fn an_alias_is_another_table() {
    for query in [
        Post::query().filter(Post::TITLE.of("p").eq("a")),
        Post::query().order_by_asc(Post::TITLE.of("p")),
        Post::query().cursor_by(Post::TITLE.of("p")),
    ] {
        assert!(said(query).await.starts_with("`p.title` is a column of `p`, but the rows are those of `posts`"));
    }
}

#[tokio::test]
async fn a_table_of_the_same_name_in_another_schema_is_another() {
    let error = Current::query().filter(Archived::ID.eq(1)).paginate(2).await.unwrap_err();
    assert!(error.to_string().starts_with("`archive.posts.id` is a column of `archive.posts`"), "{error}");
    assert!(error.to_string().contains("the rows are those of `main.posts`"), "{error}");
}

/// `order_by_asc("title")` binds a text, by which every row is equal.
#[tokio::test]
async fn an_order_by_a_value_is_refused() {
    for query in [Post::query().order_by_asc("title"), Post::query().order_by_asc(Post::ID).order_by_desc(7)] {
        assert!(said(query).await.contains("an order by a value sorts nothing: write the column"));
    }
}

#[tokio::test]
async fn the_page_size_is_checked_first() {
    let error = Post::query().filter(User::NAME.eq("a")).paginate(0).await.unwrap_err();
    assert!(matches!(error, FrameworkError::ParamError { .. }), "{error:?}");
}

#[tokio::test]
async fn a_subquery_may_be_over_any_table_and_look_at_the_rows() -> Result<()> {
    let (folio, _pool) = db::folio(POSTS).await;
    let users = |condition: Expr| Query::select().column(User::ID).from("users").and_where(condition).take();
    folio
        .scope(async {
            for condition in [
                Post::AUTHOR_ID.expr().in_subquery(users(User::NAME.eq("a"))),
                Expr::exists(users(User::ID.eq(Post::AUTHOR_ID).and(User::NAME.eq("a")))),
                Post::AUTHOR_ID.expr().eq(Expr::SubQuery(None, Box::new(users(User::NAME.eq("a")).into()))),
            ] {
                let page = Post::query().filter(condition).paginate(5).await?;
                assert_eq!(page.data.iter().map(|post| post.id).collect::<Vec<_>>(), [1, 2]);
            }
            Ok(())
        })
        .await
}

#[tokio::test]
async fn the_rows_own_columns_may_be_written_in_any_way() -> Result<()> {
    let (folio, _pool) = db::folio(POSTS).await;
    folio
        .scope(async {
            for title in [
                Post::TITLE.expr(),
                Post::TITLE.of("posts").expr(),
                Column::<String>::new("title").expr(),
                Expr::col("title"),
                Expr::col(("posts", "title")),
                Expr::col(("POSTS", "Title")),
                Expr::col(("main", "posts", "title")),
            ] {
                let page = Post::query().filter(title.clone().ne("b")).order_by_desc(title).paginate(5).await?;
                assert_eq!(page.data.iter().map(|post| post.id).collect::<Vec<_>>(), [3, 1]);
            }
            assert_eq!(Current::query().filter(Post::TITLE.eq("b")).paginate(5).await?.data[0].id, 2);
            let walk = Post::query().cursor_by((Post::TITLE.of("posts").desc(), Column::<i64>::new("id")));
            assert_eq!(walk.cursor_paginate(1).await?.data[0].id, 3);
            Ok(())
        })
        .await
}

#[tokio::test]
async fn a_join_goes_through_the_facade() -> Result<()> {
    let (folio, _pool) = db::folio(POSTS).await;
    let join: SelectStatement = Query::select()
        .columns([Post::ID])
        .columns([Post::TITLE, User::NAME])
        .from("posts")
        .inner_join("users", Post::AUTHOR_ID.eq(User::ID))
        .and_where(User::NAME.ne("b"))
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
