use folio::Paginate;

#[derive(Paginate)]
struct Post;
//~^ ERROR: a unit struct has no named fields; derive `Paginate` on a struct with named fields

fn main() {}
