use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
    #[sqlx(default)]
    #[paginate(skip, primary_key)]
    number: i64,
}

fn main() {}
