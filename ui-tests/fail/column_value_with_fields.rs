use folio::ColumnValue;

#[derive(Debug, Clone, PartialEq, ColumnValue)]
enum State {
    Open,
    Closed(i64),
}

fn main() {}
