use folio::{Paginate, RowOf};

#[derive(sqlx::FromRow, Paginate)]
struct Product {
    id: i64,
}

#[derive(sqlx::FromRow, Paginate)]
struct Order {
    id: i64,
}

#[derive(sqlx::FromRow, RowOf)]
#[paginate(of = Product)]
struct Card {
    id: i64,
}

fn main() {
    let _query = Order::query().rows::<Card>();
}
