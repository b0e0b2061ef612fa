use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: uuid::Uuid,
}

fn main() {}
