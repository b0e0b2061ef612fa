use folio::json_api::Resource;
use folio::{Paginate, Paginator};

#[derive(sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
}

fn main() {
    Resource::paginated(Paginator::new(vec![Post { id: 7 }], 1, 1, false));
}
