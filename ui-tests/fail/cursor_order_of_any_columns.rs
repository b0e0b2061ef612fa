use folio::{IntoOrder, Paginate};

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
}

fn sorted(order: impl IntoOrder) {
    let _query = Post::query().cursor_by(order);
}

fn main() {
    sorted(Post::ID);
}
