use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "title desc id")]
//~^ ERROR: `id` does not belong here; write a comma before it or remove it
struct Post {
    id: i64,
    title: String,
}

fn main() {}
