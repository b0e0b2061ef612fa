use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "id")]
struct Post {
    id: Option<i64>,
    title: String,
}

fn main() {}
