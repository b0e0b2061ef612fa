use folio::Paginate;

type Id = Option<i64>;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: Id,
    title: String,
}

fn main() {}
