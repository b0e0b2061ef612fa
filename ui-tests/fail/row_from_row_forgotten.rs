use folio::{Paginate, RowOf};

#[derive(sqlx::FromRow, Paginate)]
struct Product {
    id: i64,
}

#[derive(RowOf)]
//~^ ERROR: no enabled sqlx driver can read `Card` from a row
#[paginate(of = Product)]
struct Card {
    id: i64,
}

fn main() {}
