use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
    #[sqlx(skip)]
    #[paginate(column = "headline")]
    title: String,
}

fn main() {}
