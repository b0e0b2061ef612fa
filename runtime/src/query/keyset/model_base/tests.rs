use sea_query::ExprTrait as _;

use super::*;
use crate::model::column::Column;
use crate::model::order::CursorOrder as _;
use crate::query::access::ReadsAhead;
use crate::query::predicate::{Bound, Boundary, Limit};

static POSTS: Table = Table::new("posts", &[], &["id"], &[]);

#[test]
fn pages_of_similar_sizes_have_the_same_limit() {
    let cases = [(1, 4), (4, 4), (15, 16), (16, 16), (17, 24), (32, 32), (33, 48), (64, 64), (65, 96), (101, 128)];
    for (limit, expected) in cases {
        assert_eq!(rounded(limit), expected, "{limit}");
    }
    assert_eq!(rounded(u64::MAX), u64::MAX);
}

#[test]
fn mysql_finds_keys_first_where_it_would_read_whole_rows_ahead() {
    let sorts = [OrderColumn::of_table(0, &Column::<i64>::new("id").terms().remove(0))];
    let value = 7.into();
    let values = [Bound { value: &value, cast: None }];
    let boundary = Boundary { values: &values, inclusive: false };
    let finds = |access: &Access, is_filtered: bool, boundary, skip| {
        let filters = if is_filtered { vec![Expr::col("author").eq(7)] } else { Vec::new() };
        let rows = ModelRows { table: &POSTS, filters, expressions: Vec::new() };
        let limit = Limit { skip, ..Limit::of(9) };
        finds_keys_first(&rows, Span { access, sorts: &sorts, boundary, end: None, limit })
    };
    let unknown = Access::unknown(Dialect::MySql);
    let along = |reads_ahead| Access { index: Some("posts_id".into()), reads_ahead, ..unknown.clone() };
    let [never, at_an_end] = [ReadsAhead::Never, ReadsAhead::AtAnEnd].map(along);
    let partly_sorted = Access { sorted_prefix: Some(1), ..never.clone() };

    assert!(finds(&unknown, true, None, 0) && !finds(&unknown, false, None, 0));
    assert!(!finds(&never, true, None, 0) && !finds(&never, true, Some(boundary), 0));
    assert!(finds(&never, true, None, 3), "rows that are skipped");
    assert!(finds(&at_an_end, true, None, 0) && !finds(&at_an_end, true, Some(boundary), 0));
    assert!(!finds(&at_an_end, false, None, 0));
    assert!(finds(&partly_sorted, false, Some(boundary), 0), "rows that are sorted");
    for dialect in [Dialect::Sqlite, Dialect::Postgres] {
        assert!(!finds(&Access::unknown(dialect), true, None, 0), "{dialect:?}");
    }
}
