use folio::{Paginate, RowOf};

#[derive(sqlx::FromRow, Paginate)]
struct Product {
    id: i64,
    #[sqlx(rename = "title")]
    name: String,
}

#[derive(sqlx::FromRow, RowOf)]
#[paginate(of = Product)]
struct Card {
    id: i64,
    name: String,
    //~^ ERROR: `name` is read from the column `name` here, and from another one in `Product`
}

fn main() {}
