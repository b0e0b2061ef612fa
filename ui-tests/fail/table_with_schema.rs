#[derive(sqlx::FromRow, folio::Paginate)]
#[paginate(table = "blog.posts")]
struct Post {
    id: i64,
}

fn main() {}
