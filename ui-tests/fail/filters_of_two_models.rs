use folio::{Filters, Paginate};

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
}

#[derive(sqlx::FromRow, Paginate)]
struct Comment {
    id: i64,
    post_id: i64,
}

fn main() {
    let _filters = Filters::new().allow("id", Post::ID.eq_any()).allow("post", Comment::POST_ID.eq_any());
}
