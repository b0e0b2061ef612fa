use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "title, id, headline desc")]
struct Post {
    id: i64,
    #[sqlx(rename = "headline")]
    title: String,
}

fn main() {}
