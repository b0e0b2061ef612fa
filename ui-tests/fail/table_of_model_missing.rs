use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Model {
    id: i64,
}

fn main() {}
