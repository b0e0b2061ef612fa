use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate("posts")]
struct Post {
    id: i64,
}

fn main() {}
