use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "score desc")]
//~^ ERROR: `score` may be NULL; write `score desc nulls first` or `score desc nulls last`
struct Post {
    id: i64,
    score: std::option::Option<i32>,
}

fn main() {}
