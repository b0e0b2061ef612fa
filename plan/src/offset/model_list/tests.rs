use std::sync::Arc;

use sea_query::{ExprTrait as _, Func, Value};

use super::*;
use crate::dialect::Dialect;
use crate::dialect::Dialect::{MySql, Postgres, Sqlite};
use crate::schema::table::{Field, KeyColumn, Table};
use crate::testing::id;

const fn field(column: &'static str) -> Field {
    Field { column, kind: || "i64", sqlite: true, postgres: true, mysql: true, postgres_type: None }
}

const ID: KeyColumn = id("id");
static POSTS: Table = Table::new("posts", &[field("id"), field("title")], &["id"], &[ID]);

fn list(dialect: Dialect, filters: Vec<Expr>, orders: Vec<OrderColumn>) -> ModelList {
    ModelList::new(FilteredRows::new(dialect, &POSTS, filters, &orders), orders)
}

fn sorted(dialect: Dialect, orders: Vec<OrderColumn>) -> ModelList {
    list(dialect, Vec::new(), orders)
}

fn by(expr: impl Into<Expr>, direction: Direction) -> OrderColumn {
    OrderColumn::by(expr.into(), direction)
}

fn asc(name: &'static str) -> OrderColumn {
    by(Expr::col(name), Direction::Asc)
}

fn desc(name: &'static str) -> OrderColumn {
    by(Expr::col(name), Direction::Desc)
}

fn slice(offset: u64, limit: u64) -> Slice {
    Slice { offset, limit, backwards: false }
}

/// A statement without quotes and the comment with its types, and its values.
fn written(statement: BoundSql) -> (String, Vec<Value>) {
    let sql = statement.sql.replace(['"', '`'], "");
    (sql.split(" /*").next().unwrap_or_default().to_owned(), statement.values.0)
}

fn numbers<const N: usize>(numbers: [u64; N]) -> Vec<Value> {
    numbers.map(Value::from).to_vec()
}

const ROWS: &str = "SELECT id, title FROM posts";

#[test]
fn a_count_binds_where_it_ends() {
    for limit in [9, 10] {
        let (sql, values) = written(sorted(MySql, Vec::new()).count(Some(limit)));
        assert_eq!(sql, "SELECT COUNT(*) FROM (SELECT 1 FROM posts LIMIT ?) AS folio_rows");
        assert_eq!(values, numbers([limit]));
    }
    let (sql, values) = written(sorted(MySql, Vec::new()).count(None));
    assert_eq!((&*sql, values.len()), ("SELECT COUNT(*) FROM posts", 0));
}

#[test]
fn a_page_with_its_total_binds_where_the_count_ends() {
    let page = |up_to| written(sorted(MySql, Vec::new()).page(slice(4, 2), Some(Count { up_to })));
    let (sql, values) = page(Some(9));
    assert!(sql.contains("LIMIT ?) AS folio_rows) AS folio_total FROM posts"), "{sql}");
    assert_eq!(values, numbers([9, 2, 4]));
    assert_eq!(page(None).1, numbers([2, 4]));
}

#[test]
fn postgres_reads_a_page_near_the_beginning_with_a_cached_plan() {
    let order = "ORDER BY posts.title ASC, posts.id ASC";
    let within = format!("SELECT * FROM ({ROWS} {order} LIMIT 128) AS folio_rows ORDER BY title ASC, id ASC LIMIT $1");
    let page = |list: ModelList, offset| written(list.page(slice(offset, 5), None));
    let title = || vec![by(Expr::col(("posts", "title")), Direction::Asc)];
    assert_eq!(page(sorted(Postgres, title()), 0), (within.clone(), numbers([5])));
    assert_eq!(page(sorted(Postgres, title()), 123), (format!("{within} OFFSET $2"), numbers([5, 123])));

    // The page is too deep, the filters have values, or the result does not have the order's columns.
    let (deep, values) = page(sorted(Postgres, title()), 124);
    assert_eq!((deep, values), (format!("{ROWS} {order} LIMIT $1 OFFSET $2"), numbers([5, 124])));
    let (filtered, values) = page(list(Postgres, vec![Expr::col("author").eq(7)], title()), 0);
    assert_eq!(filtered, format!("{ROWS} WHERE author = $1 {order} LIMIT $2"));
    assert_eq!(values, [7.into(), 5_u64.into()]);
    let (other, values) = page(sorted(Postgres, vec![asc("author")]), 0);
    assert_eq!((other, values), (format!("{ROWS} ORDER BY author ASC, posts.id ASC LIMIT $1"), numbers([5])));
    let (of_expression, _) = page(sorted(Postgres, vec![by(Func::lower(Expr::col("title")), Direction::Asc)]), 0);
    assert!(!of_expression.contains("folio_rows"), "{of_expression}");
    let computed = OrderColumn { is_computed: true, ..asc("title") };
    assert!(!page(sorted(Postgres, vec![computed]), 0).0.contains("folio_rows"));
}

#[test]
fn the_keys_of_a_deep_page_are_found_first_if_the_order_sorts_by_columns() {
    let finds = |expr: Expr| {
        let list = sorted(MySql, vec![by(expr, Direction::Asc)]);
        let at = |offset| written(list.page(slice(offset, 5), None)).0.contains("folio_key_0");
        assert!(!at(199));
        at(200)
    };
    let call = |args: Vec<Expr>| Expr::from(Func::cust("f").args(args));
    let (column, constant) = (|| Expr::col("title"), || Expr::val(1));
    assert!(finds(column()));
    assert!(finds(call(vec![column()])) && finds(call(vec![column(), constant()])));
    assert!(finds(call(vec![call(vec![column()]), constant()])));
    assert!(!finds(call(vec![])), "the same call may return something else");
    assert!(!finds(call(vec![constant()])) && !finds(call(vec![call(vec![constant()])])));
    assert!(!finds(call(vec![column(), Expr::cust("title")])));
    assert!(!finds(Expr::cust("title, id")) && !finds(constant()));
}

#[test]
fn the_rows_of_found_keys_repeat_the_equalities_on_postgres() {
    let page = |dialect, kinds: [i32; 2], title: &str, author: i32, tenant: i32| {
        let lower = Expr::from(Func::lower(Expr::col("title")));
        let both = Expr::col("author").eq(author).and(Expr::col("state").is_in([5, 6]));
        let filters = vec![Expr::col("kind").is_in(kinds), lower.eq(title), both, Expr::col("tenant").eq(tenant)];
        written(list(dialect, filters, vec![asc("title")]).page(slice(300, 5), None))
    };
    // The second and the third page are written by the template of the first.
    for (kinds, author, tenant) in [([1, 2], 7, 8), ([7, 7], 7, 7), ([3, 8], 8, 3)] {
        let (sql, values) = page(Postgres, kinds, "a", author, tenant);
        let (_, outer) = sql.split_once("ON posts.id = folio_rows.folio_key_0 ").expect("a join");
        assert_eq!(outer, "AND author = $10 AND tenant = $11 ORDER BY title ASC, posts.id ASC");
        let own = [kinds[0].into(), kinds[1].into(), "a".into(), author.into(), 5.into(), 6.into(), tenant.into()];
        assert_eq!(values, [&own[..], &numbers([5, 300]), &[author.into(), tenant.into()]].concat());
        for dialect in [Sqlite, MySql] {
            let (sql, values) = page(dialect, kinds, "a", author, tenant);
            assert!(!sql.contains("folio_key_0 AND"), "{sql}");
            assert_eq!(values.len(), own.len() + 2);
        }
    }
}

#[test]
fn the_primary_key_decides_between_equal_rows() {
    let order = |orders: Vec<OrderColumn>| {
        let (sql, _) = written(sorted(Sqlite, orders).page(slice(0, 5), None));
        sql.split_once("ORDER BY ").unwrap().1.split_once(" LIMIT").unwrap().0.to_owned()
    };
    let id = |direction| by(Expr::col(("posts", "id")), direction);
    assert_eq!(order(vec![]), "posts.id ASC");
    assert_eq!(order(vec![asc("title")]), "title ASC, posts.id ASC");
    assert_eq!(order(vec![desc("title")]), "title DESC, posts.id DESC");
    assert_eq!(order(vec![desc("title"), id(Direction::Asc)]), "title DESC, posts.id ASC");
    assert_eq!(order(vec![id(Direction::Desc), asc("title")]), "posts.id DESC, title ASC");
}

#[test]
fn a_list_is_reversible_if_an_index_can_be_read_from_both_ends() {
    let is = |dialect, orders: Vec<OrderColumn>| sorted(dialect, orders).is_reversible();
    for dialect in [Sqlite, Postgres, MySql] {
        assert!(is(dialect, vec![]) && is(dialect, vec![desc("title"), desc("id")]), "{dialect:?}");
        assert!(!is(dialect, vec![by(Expr::cust("title, id"), Direction::Asc)]), "{dialect:?}");
        assert_eq!(is(dialect, vec![desc("title"), asc("id")]), dialect != MySql, "{dialect:?}");
    }
}

#[test]
fn pages_with_other_values_share_their_text() {
    for dialect in [Sqlite, Postgres, MySql] {
        for filters in [vec![], vec![Expr::col("author").eq(7)]] {
            let list = list(dialect, filters.clone(), vec![asc("title")]);
            let bound = |statement: BoundSql| statement.values.0.into_iter().skip(filters.len()).collect::<Vec<_>>();
            let (first, second) = (list.count(Some(8)), list.count(Some(9)));
            assert!(Arc::ptr_eq(&first.sql, &second.sql), "{dialect:?}");
            assert_eq!((bound(first), bound(second)), (numbers([8]), numbers([9])));
            // The first rows, some further on, and those whose keys are found first.
            for offset in [10, 100, 1_000] {
                for count in [None, Some(Count { up_to: None }), Some(Count { up_to: Some(2_000) })] {
                    let (first, second) = (list.page(slice(offset, 5), count), list.page(slice(offset + 1, 6), count));
                    assert!(Arc::ptr_eq(&first.sql, &second.sql), "{dialect:?}, {offset}, {count:?}");
                    assert_ne!(first.values, second.values);
                }
            }
        }
    }
}
