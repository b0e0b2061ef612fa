use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "title,")]
//~^ ERROR: empty item; remove the extra comma
struct Post {
    id: i64,
    title: String,
}

fn main() {}
