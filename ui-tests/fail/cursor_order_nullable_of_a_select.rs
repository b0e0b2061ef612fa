use folio::{Column, Pagination, sea_query::SelectStatement};

const SCORE: Column<Option<i32>> = Column::new("score");

fn main() {
    let _page = Pagination::cursor::<(i64,)>(SelectStatement::new(), None, 5, SCORE);
}
