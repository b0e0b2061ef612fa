use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "author")]
struct Post {
    id: i64,
    #[sqlx(flatten)]
    author: (String,),
}

fn main() {}
