use folio::Paginate;

#[derive(Paginate)]
union Post {
    id: i64,
}

fn main() {}
