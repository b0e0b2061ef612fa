use folio::Paginate;

#[derive(Debug, Clone, PartialEq, sqlx::Type)]
#[sqlx(transparent)]
struct ProductId(i64);

#[derive(Debug, sqlx::FromRow, Paginate)]
struct Product {
    id: ProductId,
    name: String,
}

fn main() {}
