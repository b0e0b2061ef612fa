use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(crate = "a crate")]
struct Post {
    id: i64,
}

fn main() {}
