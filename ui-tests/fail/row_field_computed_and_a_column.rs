use folio::{Paginate, RowOf};

#[derive(sqlx::FromRow, Paginate)]
struct Product {
    id: i64,
    name: String,
}

#[derive(sqlx::FromRow, RowOf)]
#[paginate(of = Product)]
struct Card {
    id: i64,
    #[paginate(expr = "upper(name)")]
    name: String,
    //~^ ERROR: `name` is computed, but `Product` has a column of this name
}

fn main() {}
