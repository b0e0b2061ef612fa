use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(primary_key = "id desc")]
//~^ ERROR: a primary key has no order; write `id` alone, and its order in `cursor_key`
struct Post {
    id: i64,
    title: String,
}

fn main() {}
