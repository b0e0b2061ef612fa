use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
    views: usize,
    //~^ ERROR: no enabled sqlx driver supports the type `usize`
}

fn main() {
    let _filter = Post::VIEWS.eq(7_usize);
    //~^ ERROR: `usize` is not a column type, so it cannot be compared
}
