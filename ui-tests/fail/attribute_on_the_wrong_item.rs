use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(column = "posts")]
struct Post {
    #[paginate(cursor_key)]
    id: i64,
}

fn main() {}
