use super::*;
use crate::schema::column::Column;
use crate::schema::order::IntoOrder as _;

#[test]
fn texts_and_bytes_are_compared_by_rules_of_their_column() {
    let terms = (Column::<String>::new("name"), Column::<Vec<u8>>::new("hash"), Column::<i64>::new("id")).terms();
    let are_texts: Vec<bool> = terms
        .iter()
        .map(|term| {
            let sort = OrderColumn::of_table(0, term);
            SortedColumn { term, sort: &sort, result_column: ResultColumn { at: 0, name: "name" } }.is_text()
        })
        .collect();
    assert_eq!(are_texts, [true, true, false]);
}
