use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "")]
//~^ ERROR: `cursor_key` is empty; write a name, or leave `cursor_key` out
struct Post {
    id: i64,
}

fn main() {}
