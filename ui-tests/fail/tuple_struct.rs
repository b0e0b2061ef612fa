use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post(i64, String);

fn main() {}
