use folio::ColumnValue;

type Maybe = Option<i32>;

#[derive(Debug, Clone, PartialEq, ColumnValue)]
struct Score(Maybe);
//~^ ERROR: `Score` is in an `Option` if its column may be NULL; write the type without `Option` here, and `Option<Score>` in the model

fn main() {}
