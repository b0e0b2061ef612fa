use folio::Paginate;

#[derive(Debug, Clone, PartialEq, sqlx::Type)]
#[sqlx(transparent)]
struct ProductId(i64);

#[derive(Debug, sqlx::FromRow, Paginate)]
struct Product {
    id: ProductId,
    //~^ ERROR: `ProductId` cannot be used in a cursor key
    name: String,
}

fn main() {}
