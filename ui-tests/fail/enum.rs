use folio::Paginate;

#[derive(Paginate)]
enum Post {
//~^ ERROR: an enum has no named fields; derive `Paginate` on a struct with named fields
    Draft,
    Published,
}

fn main() {}
