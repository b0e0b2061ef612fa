use folio::{CursorOrder, Paginate};

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
}

fn sorted(order: impl CursorOrder) {
    let _query = Post::query().cursor_by(order);
    //~^ ERROR: `impl CursorOrder` cannot sort a query over `Post`
}

fn main() {
    sorted(Post::ID);
}
