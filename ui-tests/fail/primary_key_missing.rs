use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    number: i64,
    title: String,
}

fn main() {}
