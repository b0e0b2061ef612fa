//! Columns are what sqlx reads: renamed, skipped, optional, JSON, flattened, converted.
use folio::{Column, Paginate};

#[derive(Debug, Clone, Default, PartialEq)]
enum Status {
    #[default]
    Draft,
    Other(String),
}

impl From<String> for Status {
    fn from(text: String) -> Self {
        if text == "draft" { Self::Draft } else { Self::Other(text) }
    }
}

#[derive(Debug, sqlx::FromRow)]
struct Author {
    name: String,
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[sqlx(rename_all = "camelCase")]
#[paginate(cursor_key = "createdAt desc, headline")]
struct Post {
    #[sqlx(rename = "id")]
    post_id: i64,
    created_at: i64,
    #[sqlx(rename = "headline")]
    title: String,
    #[sqlx(default)]
    #[paginate(column = "viewCount")]
    view_count: i64,
    #[sqlx(json)]
    tags: Vec<String>,
    #[sqlx(json(nullable))]
    meta: Option<Vec<String>>,
    #[sqlx(try_from = "String")]
    status: Status,
    #[sqlx(skip)]
    draft: Option<Status>,
    #[sqlx(default)]
    #[paginate(skip)]
    rank: i64,
    #[sqlx(flatten)]
    author: Author,
}

#[test]
fn columns_are_what_sqlx_reads() {
    assert_eq!(Post::POST_ID.name(), "id");
    assert_eq!(Post::CREATED_AT.name(), "createdAt");
    assert_eq!(Post::TITLE.name(), "headline");
    assert_eq!(Post::VIEW_COUNT.name(), "viewCount");
    let _: Column<Vec<String>, Post> = Post::TAGS;
    let _: Column<Option<Vec<String>>, Post> = Post::META;
    // A column has the type that the database sends.
    let _: Column<String, Post> = Post::STATUS;
    let _ = |key: PostKey| (key.created_at, key.title, key.post_id);
}
