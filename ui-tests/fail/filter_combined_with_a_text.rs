use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
}

fn main() {
    let _query = Post::query().filter(Post::ID.gt(7).or("title = 'x'"));
}
