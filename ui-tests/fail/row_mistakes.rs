use folio::{Paginate, RowOf};

#[derive(sqlx::FromRow, Paginate)]
struct Product {
    id: i64,
}

#[derive(sqlx::FromRow, RowOf)]
struct WithoutModel {
    //~^ ERROR: `WithoutModel` does not say whose rows it reads
    id: i64,
}

#[derive(sqlx::FromRow, RowOf)]
#[paginate(of = "Product")]
//~^ ERROR: `of` takes a model; write `of = Product`
struct Quoted {
    id: i64,
}

#[derive(sqlx::FromRow, RowOf)]
#[paginate(of = Product, table = "products")]
//~^ ERROR: unknown attribute `table`
struct Table {
    #[paginate(primary_key)]
    //~^ ERROR: unknown attribute `primary_key`
    id: i64,
    #[paginate(expr = "")]
    //~^ ERROR: `expr` is empty; write an expression such as `price * 2`
    empty: i64,
    #[paginate(expr = "1 -- one")]
    //~^ ERROR: `expr` has `--`; write an expression without comments and parameters
    commented: i64,
    #[sqlx(rename = "id")]
    again: i64,
    //~^ ERROR: `id` is read from the column `id` as well
}

fn main() {}
