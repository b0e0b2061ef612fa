use folio::Paginate;

#[derive(Debug, Clone, sqlx::Type)]
#[sqlx(transparent)]
struct Money(i64);

#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "price")]
struct Product {
    id: i64,
    price: Money,
}

fn main() {}
