use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "author")]
//~^ ERROR: `author` is flattened and has no column of its own; choose another field
struct Post {
    id: i64,
    #[sqlx(flatten)]
    author: (String,),
}

fn main() {}
