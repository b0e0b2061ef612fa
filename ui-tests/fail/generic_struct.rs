use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post<T, const N: usize> {
    id: i64,
    tags: [T; N],
}

fn main() {}
