use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "score desc nulls")]
//~^ ERROR: `nulls` has no position; write `nulls first` or `nulls last`
struct Post {
    id: i64,
    score: Option<i32>,
}

fn main() {}
