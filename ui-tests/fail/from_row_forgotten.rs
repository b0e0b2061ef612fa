use folio::Paginate;

#[derive(Paginate)]
struct Post {
    id: i64,
    title: String,
}

fn main() {}
