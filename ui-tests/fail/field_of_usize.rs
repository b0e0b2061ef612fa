use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
    views: usize,
}

fn main() {
    let _filter = Post::VIEWS.eq(7_usize);
}
