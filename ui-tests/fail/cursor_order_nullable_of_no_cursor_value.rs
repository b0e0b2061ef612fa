use folio::Paginate;

#[derive(Debug, Clone, PartialEq, sqlx::Type)]
#[sqlx(transparent)]
struct Money(i64);

#[derive(sqlx::FromRow, Paginate)]
struct Product {
    id: i64,
    price: Option<Money>,
}

fn main() {
    let _query = Product::query().cursor_by(Product::PRICE.desc().nulls_last());
}
