use folio::{Select, sea_query::Query};

struct Post {
    id: i64,
}

fn main() {
    let _select: Select<Post> = Query::select().column("id").from("posts").take().into();
}
