use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post<T, const N: usize> {
//~^ ERROR: `Post` is generic, but a table has one type of row; remove the parameters
    id: i64,
    tags: [T; N],
}

fn main() {}
