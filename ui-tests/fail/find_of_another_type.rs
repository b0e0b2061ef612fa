use folio::Paginate;

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
}

#[derive(sqlx::FromRow, Paginate)]
#[paginate(primary_key = "tenant, word")]
struct Word {
    tenant: i64,
    word: String,
}

fn main() {
    let _text = Post::query().find("7");
    let _part = Word::query().find(7);
    let _both = Word::query().find((7, 8));
    let _around = Post::query().around_id(None::<i64>, 1, 1);
}
