use std::sync::Arc;

use sea_query::{Expr, ExprTrait as _, Value};

use super::*;
use crate::access::{KeyLookupFirst, NamedIndex};
use crate::boundary::{Boundary, BoundaryValue};
use crate::cursor::CursorDirection;
use crate::dialect::Dialect::{MySql, Postgres, Sqlite};
use crate::dialect::catalog::{Index, SharedInfo, TableInfo};
use crate::dialect::{Dialect, Server};
use crate::keyset::KeysetOrder;
use crate::predicate::{Limit, ValueSource};
use crate::schema::table::{Direction, Field, KeyColumn};
use crate::statement::select::Number;
use crate::testing::{by, by_column_of, groups, id};

const ID: KeyColumn = id("id");
static POSTS: Table = Table::new("posts", &[], &["id"], &[ID]);
/// The same table for a model that selects the columns of its filters.
static OF_AUTHORS: Table = Table::new("posts", &[field("author"), field("kind")], &["id"], &[ID]);

const fn field(column: &'static str) -> Field {
    Field { column, kind: || "i64", sqlite: true, postgres: true, mysql: true, postgres_type: None }
}

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
    let sorts = [OrderColumn::of_table(0, &by("id"))];
    let values = [BoundaryValue::plain(7.into())];
    let boundary = Boundary { values: &values, inclusive: false };
    let finds = |access: &AccessPath, is_filtered: bool, boundary, skip| {
        let filters = if is_filtered { vec![Expr::col("author").eq(7)] } else { Vec::new() };
        let rows = FilteredRows::new(access.dialect(), &POSTS, filters, &[]);
        let limit = Limit { skip, ..Limit::of(Number::Page(9)) };
        finds_keys_first(&rows, Span { access, sorts: &sorts, boundary, source: ValueSource::Start, end: None, limit })
    };
    let unknown = AccessPath::unknown(MySql);
    let along = |key_lookup_first, sorted_prefix| AccessPath::MySql {
        or_false_branch: false,
        nests_ranges: false,
        index: Some(NamedIndex { name: "posts_id".into(), sorted_prefix, key_lookup_first }),
    };
    let [never, at_an_end] = [KeyLookupFirst::Never, KeyLookupFirst::AtAnEnd].map(|first| along(first, None));
    let partly_sorted = along(KeyLookupFirst::Never, Some(1));

    assert!(finds(&unknown, true, None, 0) && !finds(&unknown, false, None, 0));
    assert!(!finds(&never, true, None, 0) && !finds(&never, true, Some(boundary), 0));
    assert!(finds(&never, true, None, 3), "rows that are skipped");
    assert!(finds(&at_an_end, true, None, 0) && !finds(&at_an_end, true, Some(boundary), 0));
    assert!(!finds(&at_an_end, false, None, 0));
    assert!(finds(&partly_sorted, false, Some(boundary), 0), "rows that are sorted");
    for dialect in [Sqlite, Postgres] {
        assert!(!finds(&AccessPath::unknown(dialect), true, None, 0), "{dialect:?}");
    }
}

#[test]
fn rows_after_a_key_are_counted_in_each_range() {
    let key: [Value; 2] = [3.into(), 9.into()];
    let values: Vec<BoundaryValue> = key.iter().map(|value| BoundaryValue::plain(value.clone())).collect();
    let key = Boundary { values: &values, inclusive: false };
    let count = |dialect, direction, up_to| {
        let order = KeysetOrder::of_model(dialect, &POSTS, vec![by("moment"), by("id")]).unwrap();
        let order = order.for_page(None);
        let BoundSql { sql, values, .. } = base(dialect, true, None).count_after(&order, direction, key, up_to);
        (sql.replace(['"', '`'], "").replace("posts.", ""), values.0.len())
    };
    let (sql, values) = count(Sqlite, CursorDirection::Next, None);
    assert_eq!(
        sql,
        "SELECT (SELECT COUNT(*) FROM posts WHERE author = + ? AND ((moment = + ?) AND (id > + ?))) \
         + (SELECT COUNT(*) FROM posts WHERE author = + ? AND (moment > + ?))"
    );
    assert_eq!(values, 5);
    // Rows with NULL are counted where the database sorts them.
    let (sql, _) = count(MySql, CursorDirection::Prev, None);
    assert_eq!(
        sql,
        "SELECT (SELECT COUNT(*) FROM posts WHERE author = ? AND (moment = ? AND id < ?)) \
         + (SELECT COUNT(*) FROM posts WHERE author = ? AND (moment = ? AND id IS NULL)) \
         + (SELECT COUNT(*) FROM posts WHERE author = ? AND moment < ?) \
         + (SELECT COUNT(*) FROM posts WHERE author = ? AND moment IS NULL)"
    );
    let (sql, values) = count(MySql, CursorDirection::Next, Some(100));
    assert_eq!(
        sql,
        "SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM posts WHERE author = ? AND (moment = ? AND id > ?) LIMIT ?) \
         AS folio_rows) + (SELECT COUNT(*) FROM (SELECT 1 FROM posts WHERE author = ? AND moment > ? LIMIT ?) \
         AS folio_rows)"
    );
    assert_eq!(values, 7);
}

/// The model's query: with a filter by an author, with groups of authors, or with neither.
pub(super) fn base(dialect: Dialect, is_filtered: bool, groups: Option<Groups>) -> ModelBase {
    let filters = if is_filtered { vec![Expr::col("author").eq(7)] } else { Vec::new() };
    base_of(&POSTS, dialect, filters, groups)
}

fn base_of(table: &'static Table, dialect: Dialect, filters: Vec<Expr>, groups: Option<Groups>) -> ModelBase {
    ModelBase::new(FilteredRows::new(dialect, table, filters, &[]), groups)
}

pub(super) fn authors(count: i64) -> Option<Groups> {
    Some(groups(&["author"], 0..count))
}

/// What the catalog says, with an index on these columns. The server is in front of several shards, so that the
/// statements do not verify that they leave no row out.
pub(super) fn catalog(server: Server, index: &[&str]) -> Option<SharedInfo> {
    let columns = index.iter().map(|name| ((*name).to_owned(), Direction::Asc)).collect();
    let families = index.iter().map(|_| "integer_ops".to_owned()).collect();
    let indexes = vec![Index { families, ..Index::new("posts_feed", columns) }];
    Some(SharedInfo::from(TableInfo { indexes, is_sharded: true, ..TableInfo::of(server) }))
}

pub(super) const FEED: [&str; 3] = ["author", "moment", "id"];

pub(super) fn order(dialect: Dialect) -> KeysetOrder {
    KeysetOrder::of_model(dialect, &POSTS, ["moment", "id"].map(|name| by_column_of(&POSTS, name)).to_vec()).unwrap()
}

/// The statement of a page of nine rows after these values of the key, or of the first page.
fn statement_after(
    base: &ModelBase,
    info: &Option<SharedInfo>,
    order: &KeysetOrder,
    after: Option<[i64; 2]>,
) -> BoundSql {
    let values = after.unwrap_or_default().map(Value::from);
    let values = values.each_ref().map(|value| BoundaryValue::plain(value.clone()));
    let start = after.map(|_| Boundary { values: &values, inclusive: false });
    base.page(&order.for_page(info.clone()), PageRequest { start, ..FIRST })
}

pub(super) const FIRST: PageRequest<'_> =
    PageRequest { direction: CursorDirection::Next, start: None, end: None, skip: 0, limit: 9, candidates: None };

/// The text of a statement, without quotes.
pub(super) fn text(statement: &BoundSql) -> String {
    statement.sql.replace(['"', '`'], "")
}

/// The text of the page after `[5, 7]`, with the order and the keys abbreviated.
fn after(base: &ModelBase, info: &Option<SharedInfo>) -> String {
    text(&statement_after(base, info, &order(base.rows.plan.dialect), Some([5, 7])))
        .replace("ORDER BY posts.moment ASC, posts.id ASC", "ORDER")
        .replace("posts.moment AS folio_key_0, posts.id AS folio_key_1", "KEYS")
}

#[test]
fn sqlite_compares_row_values_only_in_a_feed() {
    let known = catalog(Server::SQLITE, &FEED);
    let ranges = after(&base(Sqlite, true, None), &known);
    assert!(ranges.contains("UNION ALL") && !ranges.contains("(posts.moment, posts.id)"), "{ranges}");
    let feed = after(&base(Sqlite, false, authors(2)), &known);
    assert!(feed.ends_with("AND (posts.moment, posts.id) > (?, ?) ORDER LIMIT +?"), "{feed}");
    let row_value = "WHERE (posts.moment, posts.id) > ($1, $2) ORDER LIMIT 128";
    let postgres = after(&base(Postgres, false, None), &catalog(Server::postgres(18), &FEED));
    assert!(postgres.contains(row_value), "{postgres}");
}

#[test]
fn postgres_has_a_literal_limit_where_a_generic_plan_is_right() {
    let (known, other) = (catalog(Server::postgres(18), &FEED), catalog(Server::postgres(18), &["moment", "id"]));
    let unfiltered = after(&base(Postgres, false, None), &known);
    assert!(unfiltered.contains("ORDER LIMIT 128) AS folio_0 ORDER BY moment ASC, id ASC LIMIT $3 /*"), "{unfiltered}");
    let filtered = after(&base(Postgres, true, None), &known);
    assert!(filtered.contains("> ($2, $3) ORDER LIMIT 12) AS folio_0 ORDER BY moment ASC, id ASC LIMIT $4 /*"));
    let without = after(&base(Postgres, true, None), &other);
    assert!(without.contains("> ($2, $3) ORDER LIMIT $4 /*"), "{without}");

    let feed = after(&base(Postgres, false, authors(2)), &known);
    assert!(feed.contains("> ($2, $3) ORDER LIMIT 12) AS folio_firsts ON TRUE"), "{feed}");
    assert!(feed.contains("ORDER BY folio_rows.folio_key_0 ASC, folio_rows.folio_key_1 ASC LIMIT $4 /*"), "{feed}");
    let filtered = after(&base(Postgres, true, authors(2)), &known);
    assert!(filtered.contains("> ($3, $4) ORDER LIMIT $5) AS folio_firsts ON TRUE"), "{filtered}");
    assert!(filtered.contains("ORDER BY folio_rows.folio_key_0 ASC, folio_rows.folio_key_1 ASC /*"), "{filtered}");
}

/// A page of nine rows as PostgreSQL reads it with this index: its conditions and order, and its values.
fn range(
    filters: &[Expr],
    index: &[&str],
    direction: CursorDirection,
    after: Option<[i64; 2]>,
) -> (String, Vec<Value>) {
    let (base, order) = (base_of(&OF_AUTHORS, Postgres, filters.to_vec(), None), order(Postgres));
    let values = after.unwrap_or_default().map(Value::from);
    let values = values.each_ref().map(|value| BoundaryValue::plain(value.clone()));
    let start = after.map(|_| Boundary { values: &values, inclusive: false });
    let order = order.for_page(catalog(Server::postgres(18), index));
    let statement = base.page(&order, PageRequest { direction, start, ..FIRST });
    let sql = text(&statement).replace("posts.", "");
    let (_, sql) = sql.split_once("author, kind FROM posts WHERE ").expect("the rows are selected once");
    let (sql, _) = sql.split_once(" /*").expect("the types of the values follow");
    (sql.to_owned(), statement.values.0)
}

#[test]
fn postgres_reads_one_range_of_an_index_that_begins_with_the_filters_column() {
    use CursorDirection::{Next, Prev};
    let author = [Expr::col("author").eq(7)];
    let limits = |order: &str| format!("ORDER BY {order} LIMIT 12) AS folio_0 ORDER BY {order} LIMIT");
    let (forwards, backwards) = (limits("author ASC, moment ASC, id ASC"), limits("author DESC, moment DESC, id DESC"));
    let (seven, five, eight, nine) = (Value::from(7), Value::from(5_i64), Value::from(8_i64), Value::from(9_u64));

    let (sql, values) = range(&author, &FEED, Next, None);
    assert_eq!(sql, format!("author <= $1 AND author >= $2 {forwards} $3"));
    assert_eq!(values, [seven.clone(), seven.clone(), nine.clone()]);
    let (sql, values) = range(&author, &FEED, Next, Some([5, 8]));
    assert_eq!(sql, format!("author <= $1 AND (author, moment, id) > ($2, $3, $4) {forwards} $5"));
    assert_eq!(values, [seven.clone(), seven.clone(), five.clone(), eight.clone(), nine.clone()]);
    let (sql, values) = range(&author, &FEED, Prev, Some([5, 8]));
    assert_eq!(sql, format!("author >= $1 AND (author, moment, id) < ($2, $3, $4) {backwards} $5"));
    assert_eq!(values, [seven.clone(), seven, five, eight, nine]);
}

/// PostgreSQL casts the column to the type of the value, so the index does not have the rows in order.
#[test]
fn a_filter_by_a_value_of_another_type_stays_an_equality() {
    for value in [Value::from(7.0), Value::from("7"), Value::from(true)] {
        let author = [Expr::col("author").eq(value)];
        let (sql, _) = range(&author, &FEED, CursorDirection::Next, None);
        assert!(sql.starts_with("author = $1 ORDER BY moment ASC, id ASC LIMIT"), "{sql}");
    }
}

#[test]
fn a_range_begins_with_the_last_column_that_the_filters_fix() {
    use CursorDirection::Next;
    let (author, kind) = (Expr::col("author").eq(7), Expr::col("kind").eq(3));
    let index = ["kind", "author", "moment", "id"];
    for filters in [[author.clone(), kind.clone()], [kind, author]] {
        let (sql, values) = range(&filters, &index, Next, Some([5, 8]));
        assert!(sql.starts_with("kind = $1 AND author <= $2 AND (author, moment, id) > ($3, $4, $5) ORDER"), "{sql}");
        assert_eq!(values, [3.into(), 7.into(), 7.into(), 5_i64.into(), 8_i64.into(), Value::from(9_u64)]);
    }
}

#[test]
fn a_statement_for_pages_of_several_groups_limits_each_group_alone() {
    let (base, order) = (base(Postgres, false, authors(2)), order(Postgres));
    let order = order.for_page(catalog(Server::postgres(18), &FEED));
    let sql = text(&base.page_of_each(base.feed.as_ref().unwrap(), &order, FIRST));
    assert_eq!(sql.matches("LIMIT").count(), 1, "{sql}");
    assert!(sql.contains("LIMIT 9) AS folio_firsts"), "{sql}");
}

#[test]
fn mysql_names_the_index_that_has_the_rows_in_order() {
    let known = catalog(Server::MYSQL, &FEED);
    let range = "WHERE author = ? AND ((posts.moment = ? AND posts.id > ?) OR posts.moment > ?) ORDER LIMIT ?";
    let along_index = after(&base(MySql, true, None), &known);
    assert_eq!(along_index, format!("SELECT  FROM posts FORCE INDEX (posts_feed) {range}"));
    let keys_first = after(&base(MySql, true, None), &None);
    let join = "LEFT JOIN posts ON posts.id = folio_rows.folio_key_1 ORDER";
    assert_eq!(keys_first, format!("SELECT  FROM (SELECT KEYS FROM posts {range}) AS folio_rows {join}"));
    let feed = after(&base(MySql, false, authors(2)), &known);
    assert_eq!(feed.matches("FORCE INDEX (posts_feed)").count(), 2, "{feed}");
    let first = text(&statement_after(&base(MySql, false, authors(2)), &known, &order(MySql), None));
    let whole_index = "ORDER BY author ASC, posts.moment ASC, posts.id ASC LIMIT ?) AS folio_firsts";
    assert!(first.contains(whole_index), "{first}");
}

#[test]
fn a_statement_knows_that_it_finds_keys_first() {
    let (order, known) = (order(MySql), catalog(Server::MYSQL, &FEED));
    let finds = |is_filtered, groups, info: &Option<SharedInfo>| {
        let base = base(MySql, is_filtered, groups);
        let values = [5_i64, 7].map(Value::from);
        let values = values.each_ref().map(|value| BoundaryValue::plain(value.clone()));
        let page = PageRequest { start: Some(Boundary { values: &values, inclusive: false }), ..FIRST };
        // A page that skips rows has no template.
        let pages = [page, PageRequest { skip: 3, ..page }];
        pages.map(|page| base.page(&order.for_page(info.clone()), page).finds_keys_first)
    };
    assert_eq!(finds(true, None, &None), [true, true]);
    assert_eq!(finds(false, None, &None), [false, false]);
    assert_eq!(finds(true, None, &known), [false, true]);
    assert_eq!(finds(false, authors(2), &known), [true, true]);
}

#[test]
fn pages_with_other_values_share_their_text() {
    for (dialect, server) in [
        (Sqlite, Server::SQLITE),
        (Postgres, Server::postgres(18)),
        (MySql, Server::MYSQL),
        (MySql, Server::mariadb(11)),
    ] {
        let order = order(dialect);
        // From 64 groups on, PostgreSQL and MySQL find the first row of each group before the others.
        let groups = [None, authors(3), authors(70)];
        for (is_filtered, groups) in groups.into_iter().flat_map(|groups| [(false, groups.clone()), (true, groups)]) {
            for catalog in [None, catalog(server, &FEED)] {
                let page = |after| {
                    let base = base(dialect, is_filtered, groups.clone());
                    statement_after(&base, &catalog, &order, after)
                };
                let case = format!("{server:?}, {is_filtered}, {groups:?}, {catalog:?}");
                let (first, later) = (page(None), page(Some([-5, -7])));
                assert!(Arc::ptr_eq(&first.sql, &page(None).sql), "{case}");
                assert!(!Arc::ptr_eq(&first.sql, &later.sql), "{case}");
                let other = page(Some([-6, -8]));
                assert!(Arc::ptr_eq(&later.sql, &other.sql), "{case}");
                let replaced = other.values.0.iter().map(|value| match value {
                    Value::BigInt(Some(-6)) => Value::from(-5_i64),
                    Value::BigInt(Some(-8)) => Value::from(-7_i64),
                    value => value.clone(),
                });
                assert_eq!(replaced.collect::<Vec<_>>(), later.values.0, "{case}");
            }
        }
    }
}

/// A page verifies that it leaves no row out, with the conditions of its own rows.
#[test]
fn a_page_verifies_that_it_leaves_no_row_out() {
    let (values, null) = ([5_i64, 7].map(Value::from), Value::BigInt(None));
    let values = values.each_ref().map(|value| BoundaryValue::plain(value.clone()));
    let null = [BoundaryValue::plain(null.clone())];
    let page = |base: &ModelBase, info: &Option<SharedInfo>, direction, values| {
        let start = Some(Boundary { values, inclusive: false });
        base.page(&order(base.rows.plan.dialect).for_page(info.clone()), PageRequest { direction, start, ..FIRST })
    };
    let found = |base: &ModelBase, info: &Option<SharedInfo>, direction| {
        let sql = text(&page(base, info, direction, &values));
        let (_, sql) = sql.split_once("WHEN (EXISTS(SELECT TRUE FROM posts")?;
        Some(
            sql.split_once(")) THEN TRUE END) AS folio_left_out")?
                .0
                .trim()
                .replace("posts.", "")
                .replace("(moment = + ?)", "moment = ?")
                .replace("author = + ?", "author = ?"),
        )
    };
    use CursorDirection::{Next, Prev};
    // Rows with NULL come last in this direction.
    let known = |server| Some(SharedInfo::from(TableInfo::of(server)));
    for (info, dialect, last) in
        [(None, Postgres, Next), (known(Server::mariadb(11)), MySql, Prev), (None, Sqlite, Prev)]
    {
        let [first, second] = if dialect == Postgres { ["$1", "$2"] } else { ["?", "?"] };
        let filtered = base(dialect, true, None);
        let is_left_out = format!("WHERE author = {first} AND moment = {second} AND id IS NULL");
        assert_eq!(found(&filtered, &info, last), Some(is_left_out), "{dialect:?}");
        let all = base(dialect, false, None);
        assert_eq!(found(&all, &info, last), Some(format!("WHERE moment = {first} AND id IS NULL")), "{dialect:?}");
        assert_eq!(found(&all, &info, last.flip()), None, "{dialect:?}");
        assert!(!text(&page(&all, &info, last, &null)).contains("folio_left_out"), "{dialect:?}");
    }
    // MySQL would read rows ahead, and the server may be one.
    for info in [known(Server::MYSQL), None] {
        assert_eq!(found(&base(MySql, false, None), &info, Prev), None);
    }
    // Spider would read only the first of the page's ranges: with a subquery, along an index, or for keys.
    let spider = SharedInfo::from(TableInfo { is_spider: true, ..TableInfo::of(Server::mariadb(11)) });
    let sql = text(&page(&base(MySql, true, None), &Some(spider), Prev, &values));
    assert!(sql.contains("FROM posts USE INDEX FOR ORDER BY () WHERE") && !sql.contains("(SELECT"), "{sql}");
    let sharded = catalog(Server::postgres(18), &FEED);
    let usual = sharded.as_deref().map(|info| SharedInfo::from(TableInfo { is_sharded: false, ..info.clone() }));
    assert_eq!(found(&base(Postgres, true, None), &sharded, Next), None);
    // As one range of the index, and group by group.
    let range = base_of(&OF_AUTHORS, Postgres, vec![Expr::col("author").eq(7)], None);
    assert_eq!(found(&range, &usual, Next).as_deref(), Some("WHERE author = $1 AND moment = $2 AND id IS NULL"));
    let feed = found(&base(Postgres, false, authors(2)), &usual, Next).expect("a feed verifies it, too");
    assert!(feed.starts_with("INNER JOIN (SELECT unnest($1) AS folio_group_0) AS folio_groups"), "{feed}");
    assert!(feed.ends_with("moment = $2 AND id IS NULL"), "{feed}");
}
