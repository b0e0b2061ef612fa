use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "draft")]
struct Post {
    id: i64,
    #[sqlx(skip)]
    draft: String,
}

fn main() {}
