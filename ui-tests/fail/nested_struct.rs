use folio::Paginate;

#[derive(Debug, sqlx::FromRow)]
struct Author {
    name: String,
}

#[derive(Debug, sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
    author: Author,
}

fn main() {}
