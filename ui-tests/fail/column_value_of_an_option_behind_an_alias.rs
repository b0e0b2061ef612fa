use folio::ColumnValue;

type Maybe = Option<i32>;

#[derive(Debug, Clone, PartialEq, ColumnValue)]
struct Score(Maybe);

fn main() {}
