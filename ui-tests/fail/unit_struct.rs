use folio::Paginate;

#[derive(Paginate)]
struct Post;

fn main() {}
