use folio::RowOf;

struct Product;

#[derive(sqlx::FromRow, RowOf)]
//~^ ERROR: `Product` is not a folio model
//~| ERROR: `Product` is not a folio model
//~| ERROR: `Product` is not a folio model
#[paginate(of = Product)]
//~^ ERROR: `Product` is not a folio model
struct Card {
    #[paginate(expr = "1 + 1")]
    two: i64,
}

fn main() {}
