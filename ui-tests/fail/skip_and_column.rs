use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
    #[sqlx(skip)]
    #[paginate(column = "headline")]
    //~^ ERROR: this field has no column of its own; remove `column`
    title: String,
}

fn main() {}
