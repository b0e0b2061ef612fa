use folio::ColumnValue;

#[derive(Debug, Clone, PartialEq, ColumnValue)]
struct Id<T>(T);

fn main() {}
