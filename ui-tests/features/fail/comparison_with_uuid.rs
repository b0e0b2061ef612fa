use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
    author_id: uuid::Uuid,
}

fn main() {
    let _query = Post::query().filter(Post::AUTHOR_ID.eq(uuid::Uuid::nil()));
}
