use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "tags")]
//~^ ERROR: `tags` is JSON, which has no order; choose another field
struct Post {
    id: i64,
    #[sqlx(json)]
    tags: Vec<String>,
}

fn main() {}
