use folio::Paginate;

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
    let _query = Post::query().filter(Post::ID.gt(7).and(Comment::POST_ID.eq(7)));
}
