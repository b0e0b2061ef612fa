use folio::ColumnValue;

#[derive(Debug, Clone, PartialEq, ColumnValue)]
struct Score(Option<i32>);
//~^ ERROR: `Score` is in an `Option` if its column may be NULL; write the type without `Option` here, and `Option<Score>` in the model

fn main() {}
