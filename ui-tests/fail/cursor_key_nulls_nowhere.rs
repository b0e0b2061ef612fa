use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "score desc nulls")]
struct Post {
    id: i64,
    score: Option<i32>,
}

fn main() {}
