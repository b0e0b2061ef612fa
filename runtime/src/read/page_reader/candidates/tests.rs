use std::sync::Arc;

use folio_plan::dialect::Dialect::Sqlite;
use folio_plan::keyset::{KeysetOrder, KeysetQuery};
use folio_plan::predicate::{Union, union_of};
use folio_plan::statement::select::Select;
use folio_plan::statement::template::PageValues;
use sea_query::{Query, Value};

use super::*;
use crate::read::tests::{posts, query};
use crate::read::window::Window;

#[tokio::test]
async fn groups_are_found_by_their_numbers_from_1_on() {
    let mut connection = posts::connect().await;
    let ids = Query::select().column("id").from("posts").take();
    let rows = rows_of(&mut connection, BoundSql::of(Sqlite, &ids), 9).await.expect("the table exists");
    assert_eq!(places::<sqlx::Sqlite>(&rows).expect("the ids are numbers"), [0, 1, 2]);
}

/// The query with a key of two columns.
fn with_two_columns(query: KeysetQuery) -> KeysetQuery {
    let terms = [query.order.terms.clone(), query.order.terms.clone()].concat();
    let table = query.order.table.expect("it has a table");
    let order = KeysetOrder::of_model(Sqlite, table, terms).expect("its order is stable");
    KeysetQuery { order: Arc::new(order), ..query }
}

/// What a reader does with these heads and numbers. The number is also the second column of the key.
async fn with_heads<V: Clone + Into<Value>, T>(
    heads: &[(V, i64)],
    work: impl FnOnce(&PageReader<'_, '_, sqlx::Sqlite>, &[RowOf<sqlx::Sqlite>]) -> T,
) -> T {
    let (mut connection, query) = (posts::connect().await, with_two_columns(query(Sqlite, false, 0, None)));
    let row = |(head, number): &(V, i64)| {
        let row = Select::new(Sqlite).column_as(|sql| sql.constant(head.clone()), &key_name(0));
        row.column_as(|sql| sql.constant(*number), &key_name(1)).column(|sql| sql.constant(*number))
    };
    let heads =
        BoundSql::of_sql(&union_of(Sqlite, heads.iter().map(row), Union::All).sql(), &[], PageValues::default());
    let window = Window::first(9);
    let heads = rows_of(&mut connection, heads, 9).await.expect("the statement has no table");
    work(&PageReader { connection: &mut connection, query: &query, window: &window }, &heads)
}

/// Adds the groups of a block, with these heads and numbers, for a page of two rows.
async fn add_heads<V: Clone + Into<Value>>(found: &mut Found, heads: &[(V, i64)], block: usize) -> bool {
    let add = |reader: &PageReader<'_, '_, _>, heads: &[_]| reader.add_heads(found, heads, block, 2);
    with_heads(heads, add).await.expect("the numbers are numbers")
}

fn last(value: i64) -> Vec<BoundaryValue> {
    vec![BoundaryValue::plain(value.into())]
}

#[tokio::test]
async fn a_page_reaches_no_further_than_as_many_heads_as_it_has_rows() {
    // Groups that may only have rows that tie with the boundary come first, and do not count.
    let mut found = Found::default();
    assert!(add_heads(&mut found, &[(None, 4), (None, 2), (Some(7), 3)], 0).await);
    assert_eq!((&*found.places, found.first, found.upper.clone()), (&[3, 1, 2][..], Some(2), Vec::new()));
    assert!(add_heads(&mut found, &[(Some(8), 2), (Some(9), 1)], 1).await);
    assert_eq!((&found.places[3..], found.upper.clone()), (&[129, 128][..], last(9)));
    // A statement that finds fewer heads leaves the bound as it is.
    assert!(add_heads(&mut found, &[(None, 5), (Some(6), 1)], 2).await);
    assert_eq!((&found.places[5..], found.upper), (&[260, 256][..], last(9)));

    let mut tied = Found::default();
    assert!(add_heads(&mut tied, &[(None::<i64>, 2), (None, 1)], 0).await);
    assert_eq!((tied.places, tied.first, tied.upper), (vec![1, 0], Some(1), Vec::new()));
}

#[tokio::test]
async fn a_page_is_not_bounded_by_a_value_that_a_cursor_cannot_hold() {
    assert!(add_heads(&mut Found::default(), &[("7", 1)], 0).await, "fewer heads than rows");
    assert!(!add_heads(&mut Found::default(), &[("7", 1), ("8", 2)], 0).await, "the key is a number");
}

#[tokio::test]
async fn the_first_row_after_those_of_a_first_page_tells_how_to_bound_it() {
    let bound = async |heads: &[(Option<i64>, i64)]| {
        let find = |reader: &PageReader<'_, '_, _>, heads: &[_]| reader.by_first_rows(heads, 2);
        let Found { places, upper: last, .. } = with_heads(heads, find).await.expect("the numbers are numbers");
        (places, last)
    };
    assert_eq!(bound(&[(Some(7), 4)]).await, (vec![3], Vec::new()));
    assert_eq!(bound(&[(Some(7), 4), (Some(8), 1)]).await, (vec![3, 0], last(8)));
    assert_eq!(bound(&[(Some(7), 4), (Some(8), 1), (Some(9), 2)]).await, (vec![3, 0], last(8)));
    // The next head may have the same first value, or one that a cursor cannot hold.
    let whole_key = [last(8), last(1)].concat();
    assert_eq!(bound(&[(Some(7), 4), (Some(8), 1), (Some(8), 2)]).await, (vec![3, 0], whole_key.clone()));
    assert_eq!(bound(&[(Some(7), 4), (Some(8), 1), (None, 2)]).await, (vec![3, 0], whole_key));
    assert_eq!(bound(&[(Some(7), 4), (None, 1)]).await, (Vec::new(), Vec::new()), "the key cannot be NULL");
}
