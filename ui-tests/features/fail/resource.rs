#[derive(sqlx::FromRow, folio::Paginate)]
#[paginate(resource = "posts")]
struct Post {
    id: i64,
}

fn main() {}
