use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(tabel = "posts", cursor_key = "score, titel")]
struct Post {
    #[paginate(key)]
    id: i64,
    title: String,
    score: Option<i32>,
}

fn main() {}
