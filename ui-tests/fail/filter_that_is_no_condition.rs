use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
    title: String,
}

fn main() {
    let _query = Post::query().filter("title = 'x'");
}
