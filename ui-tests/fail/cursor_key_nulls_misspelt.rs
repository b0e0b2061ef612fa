use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "score nulls lst")]
//~^ ERROR: NULLs cannot be `lst`; write `nulls first` or `nulls last`
struct Post {
    id: i64,
    score: Option<i32>,
}

fn main() {}
