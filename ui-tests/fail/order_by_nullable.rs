use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
    score: Option<i32>,
}

fn main() {
    let _query = Post::query().order_by(Post::SCORE);
}
