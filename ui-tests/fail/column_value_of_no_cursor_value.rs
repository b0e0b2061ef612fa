use folio::ColumnValue;

#[derive(Debug, Clone, PartialEq)]
struct Money(i64);

#[derive(Debug, Clone, PartialEq, ColumnValue)]
struct Price(Money);

fn main() {}
