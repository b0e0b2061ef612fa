use folio::{Paginate, RowOf};

#[derive(sqlx::FromRow, Paginate)]
struct Product {
    id: i64,
}

#[derive(sqlx::FromRow, RowOf)]
struct WithoutModel {
    id: i64,
}

#[derive(sqlx::FromRow, RowOf)]
#[paginate(of = "Product")]
struct Quoted {
    id: i64,
}

#[derive(sqlx::FromRow, RowOf)]
#[paginate(of = Product, table = "products")]
struct Table {
    #[paginate(primary_key)]
    id: i64,
    #[paginate(expr = "")]
    empty: i64,
    #[paginate(expr = "1 -- one")]
    commented: i64,
    #[sqlx(rename = "id")]
    again: i64,
}

fn main() {}
