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

fn main() -> folio::Result<()> {
    let filters = Filters::new().allow("post", Comment::POST_ID.eq_any()).from_request()?;
    let _query = Post::query().filter(filters);
    Ok(())
}
