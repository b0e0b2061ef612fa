use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(filter = "deleted_at IS NULL -- not deleted")]
struct Product {
    id: i64,
}

#[derive(sqlx::FromRow, Paginate)]
#[paginate(filter = " ")]
struct Order {
    id: i64,
}

fn main() {}
