use folio::Paginate;

#[derive(Paginate)]
//~^ ERROR: no enabled sqlx driver can read this struct from a row; derive `sqlx::FromRow` on it, or enable the driver that supports all its types
struct Post {
    id: i64,
    title: String,
}

fn main() {}
