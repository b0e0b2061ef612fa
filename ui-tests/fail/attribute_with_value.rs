use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    #[paginate(primary_key = true)]
    id: i64,
}

fn main() {}
