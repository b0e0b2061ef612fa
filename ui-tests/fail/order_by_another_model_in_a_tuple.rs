use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
    title: String,
}

#[derive(sqlx::FromRow, Paginate)]
struct Author {
    id: i64,
}

fn main() {
    let _query = Post::query().order_by((Post::TITLE, Author::ID.desc()));
}
