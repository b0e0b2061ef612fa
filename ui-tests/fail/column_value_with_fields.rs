use folio::ColumnValue;

#[derive(Debug, Clone, PartialEq, ColumnValue)]
enum State {
    Open,
    Closed(i64),
    //~^ ERROR: `Closed` has fields, which a column of an enum does not store; remove them, or read the column with `#[sqlx(json)]`
}

fn main() {}
