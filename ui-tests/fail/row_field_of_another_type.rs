use folio::{Paginate, RowOf};

#[derive(sqlx::FromRow, Paginate)]
struct Product {
    id: i64,
    price: Option<i64>,
}

#[derive(sqlx::FromRow, RowOf)]
#[paginate(of = Product)]
struct Card {
    id: i64,
    price: i64,
}

fn main() {}
