use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "title desc id")]
struct Post {
    id: i64,
    title: String,
}

fn main() {}
