use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "title, id, headline desc")]
//~^ ERROR: `headline` is named twice; keep one
struct Post {
    id: i64,
    #[sqlx(rename = "headline")]
    title: String,
}

fn main() {}
