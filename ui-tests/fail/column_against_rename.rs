use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
    #[sqlx(rename = "headline")]
    #[paginate(column = "caption")]
    title: String,
}

fn main() {}
