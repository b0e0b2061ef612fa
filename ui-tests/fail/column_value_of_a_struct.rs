use folio::ColumnValue;

#[derive(Debug, Clone, PartialEq, ColumnValue)]
struct Money {
    cents: i64,
    currency: String,
}

fn main() {}
