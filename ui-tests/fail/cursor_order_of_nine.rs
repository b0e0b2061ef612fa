use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
    title: String,
}

fn main() {
    let id = Post::ID;
    let _query = Post::query().cursor_by((id, id, id, id, id, id, id, id, id));
}
