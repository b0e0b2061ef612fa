use folio::Paginate;

#[derive(Debug, Clone)]
struct Money(i64);

#[derive(sqlx::FromRow, Paginate)]
struct Product {
    id: i64,
    price: Money,
    //~^ ERROR: no enabled sqlx driver supports this type; write `#[sqlx(flatten)]` on a struct of further columns, `#[sqlx(json)]` on a value that is stored as JSON, or `#[derive(sqlx::Type, folio::ColumnValue)]` on an enum or a newtype; for a library's type, enable the driver or feature that supports it
}

fn main() {}
