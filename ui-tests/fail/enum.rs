use folio::Paginate;

#[derive(Paginate)]
enum Post {
    Draft,
    Published,
}

fn main() {}
