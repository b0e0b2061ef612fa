use folio::Paginator;
use folio::inertia::Inertia;

struct Post {
    id: i64,
}

fn main() {
    Inertia::paginate("Posts", "posts", Paginator::new(vec![Post { id: 7 }], 1, 15, false));
}
