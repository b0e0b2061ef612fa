use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(tabel = "posts", order_by = "title")]
struct Post {
    id: i64,
    #[paginate(ignore)]
    title: String,
}

fn main() {}
