use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
}

#[derive(sqlx::FromRow, Paginate)]
struct Author {
    id: i64,
}

fn main() {
    let _query = Post::query().cursor_by(Author::ID);
}
