use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(filter = "deleted_at IS NULL -- not deleted")]
//~^ ERROR: `filter` has `--`; write a condition without comments and parameters, such as `deleted_at IS NULL`
struct Product {
    id: i64,
}

#[derive(sqlx::FromRow, Paginate)]
#[paginate(filter = " ")]
//~^ ERROR: `filter` is empty; write a condition such as `deleted_at IS NULL`, or leave `filter` out
struct Order {
    id: i64,
}

fn main() {}
