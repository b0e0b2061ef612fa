use folio::{Filters, Paginate};

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
}

fn main() {
    let _filters = Filters::new().allow("id", Post::ID.nulls());
}
