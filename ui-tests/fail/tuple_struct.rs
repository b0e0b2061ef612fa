use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post(i64, String);
//~^ ERROR: a tuple struct has no named fields; derive `Paginate` on a struct with named fields

fn main() {}
