use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    #[paginate(primary_key)]
    //~^ ERROR: `number` is skipped and has no column; choose another field
    #[sqlx(skip)]
    number: i64,
    title: String,
}

fn main() {}
