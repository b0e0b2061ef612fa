use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
    author_id: i64,
}

fn main() {
    let _query = Post::query().among(Post::AUTHOR_ID, ["7"]);
}
