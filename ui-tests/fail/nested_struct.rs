use folio::Paginate;

#[derive(Debug, sqlx::FromRow)]
struct Author {
    name: String,
}

#[derive(Debug, sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
    author: Author,
    //~^ ERROR: no enabled sqlx driver supports this type; write `#[sqlx(flatten)]` on a struct of further columns, `#[sqlx(json)]` on a value that is stored as JSON, or `#[derive(sqlx::Type, folio::ColumnValue)]` on an enum or a newtype; for a library's type, enable the driver or feature that supports it
}

fn main() {}
