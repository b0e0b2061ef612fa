use folio::Paginate;

type Score = Option<i32>;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "score")]
struct Post {
    id: i64,
    score: Score,
}

fn main() {}
