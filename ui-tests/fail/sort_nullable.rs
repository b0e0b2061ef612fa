use folio::{Paginate, Sorts};

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
    score: Option<i32>,
}

fn main() {
    let _sorts = Sorts::new("newest", Post::ID.desc()).allow("score", Post::SCORE.desc());
}
