use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(tabel = "posts", cursor_key = "score, titel")]
//~^ ERROR: unknown attribute `tabel`; did you mean `table`?
//~| ERROR: unknown field `titel`; did you mean `title`?
//~| ERROR: `score` may be NULL; write `score nulls first` or `score nulls last`
struct Post {
    #[paginate(key)]
    //~^ ERROR: unknown attribute `key`; write `primary_key`, `column`, `skip` or `to_one`
    id: i64,
    title: String,
    score: Option<i32>,
}

fn main() {}
