use folio::Paginate;

#[derive(Debug, Clone)]
struct Money(i64);

#[derive(sqlx::FromRow, Paginate)]
struct Product {
    id: i64,
    price: Money,
    discounts: std::vec::Vec<Money>,
}

fn main() {}
