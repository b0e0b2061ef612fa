use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "popularity")]
//~^ ERROR: unknown field `popularity`; write `id` or `title`
struct Post {
    id: i64,
    title: String,
}

fn main() {}
