use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "titel")]
struct Post {
    id: i64,
    title: String,
}

fn main() {
    let _page = Post::query().order_by_asc(Post::TITLE).filter(Post::ID.gt(7)).paginate(15);
    let _key: folio::Result<(PostKey, _)> = PostKey::decode("");
}
