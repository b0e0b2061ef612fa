use folio::Paginate;

#[derive(Paginate)]
union Post {
//~^ ERROR: a union has no named fields; derive `Paginate` on a struct with named fields
    id: i64,
}

fn main() {}
