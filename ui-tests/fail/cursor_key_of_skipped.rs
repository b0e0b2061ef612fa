use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "draft")]
//~^ ERROR: `draft` is skipped and has no column; choose another field
struct Post {
    id: i64,
    #[sqlx(skip)]
    draft: String,
}

fn main() {}
