use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "titel desc")]
//~^ ERROR: unknown field `titel`; did you mean `title`?
struct Post {
    id: i64,
    title: String,
}

fn main() {}
