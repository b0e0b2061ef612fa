use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "score desc")]
struct Post {
    id: i64,
    score: std::option::Option<i32>,
}

fn main() {}
