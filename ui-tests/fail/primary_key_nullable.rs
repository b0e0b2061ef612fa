use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "id")]
struct Post {
    id: Option<i64>,
    //~^ ERROR: `id` is in the primary key, which is never NULL; write its type without `Option`
    title: String,
}

fn main() {}
