//! Connections inside connections, whose rows are read together.

use std::sync::Arc;

use async_graphql::connection::Connection;
use async_graphql::{ComplexObject, Context, EmptyMutation, EmptySubscription, Object, Schema, SimpleObject};
use folio::async_graphql::{ConnectionLoader, Errors, TotalCount};
use folio::relay::Window;
use folio::{Folio, FrameworkError, Key, Keyring, Paginate};
use folio_tests::recorder::{record_statements, take_statements};
use serde_json::{Value, json};
use tokio::sync::Mutex;

#[derive(Debug, Clone, sqlx::FromRow, Paginate, SimpleObject)]
#[paginate(table = "loaded_posts")]
#[graphql(complex)]
struct Post {
    id: i64,
}

#[derive(Debug, Clone, sqlx::FromRow, Paginate, SimpleObject)]
#[paginate(table = "loaded_comments", cursor_key = "id desc")]
struct Comment {
    id: i64,
    post_id: i64,
}

/// The tests run one after the other, because one counts the statements of the process.
static TURN: Mutex<()> = Mutex::const_new(());

/// Whether the comments are counted.
type Comments = ConnectionLoader<Comment, i64, bool>;

#[ComplexObject]
impl Post {
    async fn comments(
        &self,
        ctx: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
    ) -> async_graphql::Result<Connection<String, Comment, TotalCount>> {
        let window = Window::from_arguments(first, after, None::<i32>, None).at_most(100);
        let is_counted = ctx.look_ahead().field("totalCount").exists();
        Ok(ctx.data_unchecked::<Comments>().load(self.id, window, is_counted).await?.into())
    }
}

struct Query;

#[Object]
impl Query {
    async fn posts(&self, first: i32) -> folio::Result<Connection<String, Post, TotalCount>> {
        Ok(Post::query().connection(Window::first(first.into())).await?.into())
    }
}

/// The answer to a query.
async fn answer(folio: &Folio, query: &str) -> Value {
    let comments = Comments::new(folio, |posts, is_counted: &bool| {
        let comments = Comment::query();
        let comments = if *is_counted { comments.counted() } else { comments };
        Ok(comments.each_of(Comment::POST_ID, posts))
    });
    let schema = Schema::build(Query, EmptyMutation, EmptySubscription).extension(Errors).data(comments).finish();
    serde_json::to_value(folio.scope(schema.execute(query)).await).unwrap()
}

/// 25 posts, and 8 comments of each.
async fn folio() -> Folio {
    let pool = folio_tests::sqlite::pool(2).await;
    let posts: Vec<String> = (1..=25).map(|id| format!("({id})")).collect();
    let comments: Vec<String> = (1..=200).map(|id| format!("({id}, {})", id % 25 + 1)).collect();
    let sql = format!(
        "CREATE TABLE loaded_posts (id INTEGER PRIMARY KEY); \
         CREATE TABLE loaded_comments (id INTEGER PRIMARY KEY, post_id INTEGER NOT NULL); \
         CREATE INDEX loaded_comments_post ON loaded_comments (post_id, id); \
         INSERT INTO loaded_posts VALUES {}; INSERT INTO loaded_comments VALUES {}",
        posts.join(", "),
        comments.join(", ")
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&pool).await.unwrap();
    Folio::new(pool).keyring(Keyring::new(Key::generate()))
}

fn selects() -> Vec<String> {
    take_statements(|sql| sql.starts_with("SELECT") && sql.contains("\"loaded_"))
}

#[tokio::test]
async fn two_statements_read_twenty_posts_with_their_first_comments() {
    let _turn = TURN.lock().await;
    record_statements();
    let folio = folio().await;
    let query =
        "{ posts(first: 20) { nodes { id comments(first: 5) { nodes { id postId } pageInfo { hasNextPage } } } } }";
    // The first page of a table also reads its catalog.
    answer(&folio, query).await;
    selects();
    let answer = answer(&folio, query).await;
    let statements = selects();
    assert_eq!(statements.len(), 2, "{statements:?}");
    let posts = answer["data"]["posts"]["nodes"].as_array().unwrap();
    assert_eq!(posts.len(), 20);
    for post in posts {
        let id = post["id"].as_i64().unwrap();
        let newest = (1..=200).rev().filter(|comment| comment % 25 + 1 == id).take(5);
        let newest: Vec<Value> = newest.map(|comment| json!({ "id": comment, "postId": id })).collect();
        assert_eq!(post["comments"]["nodes"], json!(newest));
        assert_eq!(post["comments"]["pageInfo"]["hasNextPage"], true);
    }

    let answer = self::answer(&folio, "{ posts(first: 3) { nodes { comments(first: 1) { totalCount } } } }").await;
    assert_eq!(selects().len(), 3);
    assert_eq!(answer["data"]["posts"]["nodes"][2]["comments"]["totalCount"], 8);
}

#[tokio::test]
async fn posts_that_are_read_together_share_the_error() {
    let _turn = TURN.lock().await;
    let folio = folio().await;
    let comments = Comments::new(&folio, |_, _| Err(sqlx::Error::Protocol("secret".into()).into()));
    let load = |post| comments.load(post, Window::first(1), false);
    let (one, other) = tokio::join!(load(1), load(2));
    let (one, other) = (one.unwrap_err(), other.unwrap_err());
    assert!(Arc::ptr_eq(&one, &other) && matches!(*one, FrameworkError::Database(_)), "{one:?}");

    let schema = Schema::build(Query, EmptyMutation, EmptySubscription).extension(Errors).data(comments).finish();
    let query = "{ posts(first: 2) { nodes { comments(first: 1) { totalCount } } } }";
    let answer = serde_json::to_value(folio.scope(schema.execute(query)).await).unwrap();
    assert_eq!(answer["errors"][0]["message"], "Internal Server Error", "{answer}");
    assert!(!answer.to_string().contains("secret"), "{answer}");
}

#[tokio::test]
async fn windows_are_read_apart_and_each_has_its_own_error() {
    let _turn = TURN.lock().await;
    let folio = folio().await;
    let first = answer(&folio, "{ posts(first: 1) { nodes { comments(first: 2) { pageInfo { endCursor } } } } }").await;
    let cursor = first["data"]["posts"]["nodes"][0]["comments"]["pageInfo"]["endCursor"].as_str().unwrap().to_owned();
    let query = format!(
        "{{ posts(first: 1) {{ nodes {{ two: comments(first: 2) {{ nodes {{ id }} }} \
         next: comments(first: 2, after: \"{cursor}\") {{ nodes {{ id }} }} all: comments(first: 9) {{ nodes {{ id }} }} }} }} }}"
    );
    let answer = answer(&folio, &query).await;
    let post = &answer["data"]["posts"]["nodes"][0];
    let ids = |name: &str| -> Vec<i64> {
        post[name]["nodes"].as_array().unwrap().iter().map(|node| node["id"].as_i64().unwrap()).collect()
    };
    assert_eq!(ids("all").len(), 8);
    assert_eq!((ids("two"), ids("next")), (ids("all")[..2].to_vec(), ids("all")[2..4].to_vec()));

    let query = "{ posts(first: 1) { nodes { id } } bad: posts(first: 1) { nodes { comments(first: 1, after: \"x\") { nodes { id } } } } }";
    let answer = self::answer(&folio, query).await;
    assert_eq!(answer["errors"][0]["message"], "Invalid pagination cursor");
    assert_eq!(answer["errors"][0]["extensions"]["code"], "BAD_USER_INPUT");
    let negative = "{ posts(first: 1) { nodes { comments(first: -1) { nodes { id } } } } }";
    assert_eq!(self::answer(&folio, negative).await["errors"][0]["extensions"]["code"], "BAD_USER_INPUT");
}
