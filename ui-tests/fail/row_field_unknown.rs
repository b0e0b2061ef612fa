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
    title: String,
}

fn main() {}
