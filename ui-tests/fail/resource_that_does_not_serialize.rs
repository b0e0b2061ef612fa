use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(resource = "articles")]
struct Post {
    id: i64,
}

fn main() {}
