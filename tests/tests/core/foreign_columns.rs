//! A column of a table other than the rows' is refused before the database is asked, with what to write instead.
//! Filters that the compiler refuses are written as expressions of sea-query here.

use folio::{ExprTrait, FrameworkError, IntoOrder as _, Paginate};
use sea_query::{Cond, Expr, Func};

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

/// The posts of another schema.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "posts", schema = "archive")]
struct Archived {
    id: i64,
}

/// The posts of a third schema.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "posts", schema = "main")]
struct Current {
    id: i64,
}

/// The error of every paginator, which needs neither a database nor a keyring.
async fn refusal(query: folio::Builder<Post>) -> String {
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
async fn a_filter_on_another_table_is_refused_at_any_depth() {
    let name = || Expr::from(User::NAME.eq("a"));
    let own = || Expr::from(Post::TITLE.eq("a"));
    for condition in [
        name(),
        own().and(name()),
        own().or(own().and(name())),
        name().not(),
        Post::TITLE.eq(User::NAME).into(),
        Post::TITLE.is_in([User::NAME]).into(),
        Post::ID.between(1, User::ID).into(),
        User::NAME.any_model().eq("a").into(),
        Expr::from(Func::lower(User::NAME.to_expr())).eq("a"),
        User::NAME.to_expr().cast_as("text").eq("a"),
        User::NAME.to_expr().as_enum("name").eq("a"),
        Expr::tuple([Post::TITLE.to_expr(), User::NAME.to_expr()]).in_tuples([("a", "b")]),
        Expr::cust_with_exprs("? = ?", [Post::TITLE.to_expr(), User::NAME.to_expr()]),
    ] {
        let text = refusal(Post::query().filter(condition.clone())).await;
        assert!(
            text.starts_with("`users.name` is a column of `users`") || text.starts_with("`users.id`"),
            "{condition:?}"
        );
    }
    let any = Cond::any().add(own()).add(Cond::all().add(name()).not());
    assert_eq!(
        refusal(Post::query().filter(own()).filter(any)).await,
        "`users.name` is a column of `users`, but the rows are those of `posts`: write a column of `posts`, or put \
         `users` into a subquery; for a join, pass a select to `Pagination`"
    );
}

#[tokio::test]
async fn an_order_by_another_table_is_refused() {
    for query in [
        Post::query().order_by_asc(User::NAME),
        Post::query().order_by_asc(Post::TITLE).order_by_desc(Func::lower(User::NAME.to_expr())),
        Post::query().cursor_by(User::NAME.any_model().desc()),
        Post::query().cursor_by((Post::TITLE, User::NAME.any_model())),
        Post::query().order_by(User::NAME.erased()),
    ] {
        assert!(
            refusal(query).await.starts_with("`users.name` is a column of `users`, but the rows are those of `posts`")
        );
    }
    let walk = Post::query().cursor_by(User::NAME.any_model()).cursor_stream(2);
    let row = futures_util::TryStreamExt::try_next(&mut std::pin::pin!(walk)).await;
    assert!(row.unwrap_err().to_string().starts_with("`users.name`"));
}

/// The rows of a builder go by the name of their table only.
#[tokio::test]
async fn an_alias_is_another_table() {
    for query in [
        Post::query().filter(Post::TITLE.of("p").eq("a")),
        Post::query().order_by_asc(Post::TITLE.of("p")),
        Post::query().cursor_by(Post::TITLE.of("p")),
    ] {
        assert!(refusal(query).await.starts_with("`p.title` is a column of `p`, but the rows are those of `posts`"));
    }
}

#[tokio::test]
async fn a_table_of_the_same_name_in_another_schema_is_another_table() {
    let error = Current::query().filter(Archived::ID.any_model().eq(1)).paginate(2).await.unwrap_err();
    assert!(error.to_string().starts_with("`archive.posts.id` is a column of `archive.posts`"), "{error}");
    assert!(error.to_string().contains("the rows are those of `main.posts`"), "{error}");
}

/// `order_by_asc("title")` binds a text, and all rows are equal by it.
#[tokio::test]
async fn an_order_by_a_value_is_refused() {
    for query in [Post::query().order_by_asc("title"), Post::query().order_by_asc(Post::ID).order_by_desc(7)] {
        assert!(refusal(query).await.contains("an order by a value sorts nothing: write the column"));
    }
}

#[tokio::test]
async fn the_page_size_is_checked_first() {
    let error = Post::query().filter(User::NAME.any_model().eq("a")).paginate(0).await.unwrap_err();
    assert!(matches!(error, FrameworkError::ParamError { .. }), "{error:?}");
}
