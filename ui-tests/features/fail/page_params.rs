use folio::openapi::PageParams;
//~^ E0432

fn main() {}
