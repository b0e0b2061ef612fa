use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "")]
struct Post {
    id: i64,
}

fn main() {}
