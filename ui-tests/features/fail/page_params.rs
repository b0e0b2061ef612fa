use folio::PageParams;

fn main() {}
