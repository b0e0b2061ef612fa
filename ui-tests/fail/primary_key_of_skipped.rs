use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    #[paginate(primary_key)]
    #[sqlx(skip)]
    number: i64,
    title: String,
}

fn main() {}
