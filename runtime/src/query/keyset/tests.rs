use super::*;
use crate::cursor::BoundaryValue;
use crate::model::column::Column;
use crate::model::order::CursorOrder;

static POSTS: Table = Table::new("posts", &[], &["id"], &[]);
const ID: Column<i64> = Column::__of_table(&POSTS, "id");
const SCORE: Column<Option<i32>> = Column::__of_table(&POSTS, "score");

fn order(order: impl CursorOrder) -> KeysetOrder {
    KeysetOrder::of_model(&POSTS, order.terms())
}

#[test]
fn an_index_has_nulls_where_its_database_puts_them() {
    let first = order((SCORE.asc().nulls_first(), ID));
    let last = order((SCORE.asc().nulls_last(), ID));
    for dialect in [Dialect::Sqlite, Dialect::MySql] {
        assert!(first.matches_index(dialect) && !last.matches_index(dialect), "{dialect:?}");
    }
    assert!(!first.matches_index(Dialect::Postgres) && last.matches_index(Dialect::Postgres));
    assert!(order(ID).matches_index(Dialect::Postgres));
}

#[test]
fn an_order_with_more_columns_takes_more_memory() {
    let (one, two) = (order(ID).size(), order((SCORE.asc().nulls_first(), ID)).size());
    assert!(size_of::<KeysetOrder>() < one && one < two, "{one} and {two} bytes");
}

#[test]
fn a_boundary_has_values_of_the_columns_types() {
    let value = |value: sea_query::Value| BoundaryValue { value, stored: None };
    let order = order((SCORE.asc().nulls_first(), ID));
    assert!(order.has_values(&[value(5_i32.into()), value(7_i64.into())]));
    assert!(order.has_values(&[value(None::<i32>.into()), value(7_i64.into())]));
    assert!(!order.has_values(&[value(5_i32.into()), value("seven".into())]));
    assert!(!order.has_values(&[value(5_i32.into()), value(None::<i64>.into())]));
}
