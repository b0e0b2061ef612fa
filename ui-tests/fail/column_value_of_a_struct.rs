use folio::ColumnValue;

#[derive(Debug, Clone, PartialEq, ColumnValue)]
struct Money {
//~^ ERROR: a column stores one value; derive `ColumnValue` on a struct with one field
    cents: i64,
    currency: String,
}

fn main() {}
