use folio::ColumnValue;

#[derive(Debug, Clone, PartialEq)]
struct Money(i64);

#[derive(Debug, Clone, PartialEq, ColumnValue)]
struct Price(Money);
//~^ ERROR: `Money` cannot be used in a cursor key

fn main() {}
