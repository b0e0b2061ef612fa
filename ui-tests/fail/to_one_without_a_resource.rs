use folio::Paginate;

#[derive(serde::Serialize, sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
    #[paginate(to_one = "people")]
    author_id: i64,
}

fn main() {}
