use folio::Paginate;

type Score = Option<i32>;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "score")]
//~^ ERROR: `score` may be NULL; write `score nulls first` or `score nulls last`
struct Post {
    id: i64,
    score: Score,
}

fn main() {}
