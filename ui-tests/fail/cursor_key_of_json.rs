use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "tags")]
struct Post {
    id: i64,
    #[sqlx(json)]
    tags: Vec<String>,
}

fn main() {}
