use folio::ColumnValue;

#[derive(Debug, Clone, PartialEq, ColumnValue)]
struct Score(Option<i32>);

fn main() {}
