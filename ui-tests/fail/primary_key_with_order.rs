use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(primary_key = "id desc")]
struct Post {
    id: i64,
    title: String,
}

fn main() {}
