use folio::{Paginate, RowOf};

#[derive(sqlx::FromRow, Paginate)]
struct Product {
    id: i64,
}

#[derive(RowOf)]
#[paginate(of = Product)]
struct Card {
    id: i64,
}

fn main() {}
