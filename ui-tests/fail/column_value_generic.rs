use folio::ColumnValue;

#[derive(Debug, Clone, PartialEq, ColumnValue)]
struct Id<T>(T);
//~^ ERROR: `Id` is generic, but a column has one type; remove the parameters

fn main() {}
