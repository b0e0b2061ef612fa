use folio::openapi::PageParams;

fn main() {}
