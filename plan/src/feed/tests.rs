use sea_query::{Expr, ExprTrait as _, OptionEnum, Value};

use super::*;
use crate::access::EqualityColumns;
use crate::boundary::{Boundary, BoundaryValue};
use crate::dialect::catalog::Index;
use crate::dialect::{Dialect, Param, Server};
use crate::predicate::ValueSource;
use crate::schema::table::{Direction, Nulls, Table};
use crate::testing::groups;

static POSTS: Table = Table::new("posts", &[], &["id"], &[]);

const MARIADB: Server = Server::mariadb(11);
const POSTGRES: Server = Server::postgres(18);

fn feed(server: Server, groups: Groups) -> Feed {
    Feed { groups, dialect: server.dialect }
}

/// All posts.
fn posts(server: Server) -> FilteredRows {
    FilteredRows::new(server.dialect, &POSTS, Vec::new(), &[])
}

/// A page of nine rows.
fn span<'a>(access: &'a AccessPath, sorts: &'a [OrderColumn], boundary: Option<Boundary<'a>>) -> Span<'a> {
    let limit = Limit::of(Number::Page(9));
    Span { access, sorts, boundary, source: ValueSource::Start, end: None, limit }
}

fn numbers(count: i64) -> Groups {
    groups(&["author"], 0..count)
}

/// Groups of texts. The database may consider two of them equal, and they are not passed as JSON.
fn texts(count: i64) -> Groups {
    groups(&["author"], (0..count).map(|number| number.to_string()))
}

fn sort(name: &str, nulls: Option<Nulls>) -> OrderColumn {
    let expr = Expr::col(name.to_owned());
    OrderColumn { expr, output: name.to_owned(), direction: Direction::Asc, nulls, is_computed: false }
}

/// The order of the index.
fn in_order() -> Vec<OrderColumn> {
    vec![sort("moment", None), sort("id", None)]
}

/// The same order, with the NULLs where no index has them.
fn with_nulls_last() -> Vec<OrderColumn> {
    vec![sort("moment", Some(Nulls::Last)), sort("id", None)]
}

fn info(server: Server, index: &[&str]) -> TableInfo {
    let columns = index.iter().map(|name| ((*name).to_owned(), Direction::Asc)).collect();
    let index = Index::new("posts_feed", columns);
    TableInfo { indexes: vec![index], ..TableInfo::of(server) }
}

const LATERAL: Option<FeedForm> = Some(FeedForm::Lateral { heads_first: false });
const HEADS_FIRST: Option<FeedForm> = Some(FeedForm::Lateral { heads_first: true });
const BRANCHES: Option<FeedForm> = Some(FeedForm::Branches);

#[test]
fn the_server_and_the_number_of_groups_decide_the_form() {
    // SQLite merges the groups of an IN itself. A row can be the head of two groups of texts, if the database considers
    // them equal.
    let cases = [
        // Groups, and the forms of a first page and of one after a cursor.
        (Server::SQLITE, numbers(10), [None, None]),
        (POSTGRES, numbers(1), [LATERAL, LATERAL]),
        (POSTGRES, numbers(63), [LATERAL, LATERAL]),
        (POSTGRES, numbers(64), [HEADS_FIRST, HEADS_FIRST]),
        (POSTGRES, texts(64), [LATERAL, LATERAL]),
        (Server::MYSQL, numbers(63), [LATERAL, BRANCHES]),
        (Server::MYSQL, numbers(64), [HEADS_FIRST, BRANCHES]),
        (Server::MYSQL, numbers(128), [HEADS_FIRST, BRANCHES]),
        (Server::MYSQL, numbers(129), [HEADS_FIRST, HEADS_FIRST]),
        (Server::MYSQL, texts(128), [BRANCHES, BRANCHES]),
        (Server::MYSQL, texts(129), [None, None]),
        (MARIADB, numbers(128), [BRANCHES, BRANCHES]),
        (MARIADB, numbers(129), [None, None]),
    ];
    for (server, groups, forms) in cases {
        let feed = feed(server, groups);
        let sorts = in_order();
        let of = |index: &[&str], has_boundary| {
            let page = FeedPage { info: &info(server, index), sorts: &sorts, has_boundary, is_nearest: false };
            feed.plan(&posts(server), page).map(|plan| plan.shape.form)
        };
        let index = ["author", "moment", "id"];
        assert_eq!([of(&index, false), of(&index, true)], forms, "{server:?}, {} groups", feed.groups.len());
        assert_eq!(of(&index[1..], false), None, "without an index of the groups");
    }
}

#[test]
fn mysql_joins_groups_only_in_the_order_of_the_index() {
    let info = info(Server::MYSQL, &["author", "moment", "id"]);
    let form = |count, sorts: &[OrderColumn]| {
        let page = FeedPage { info: &info, sorts, has_boundary: false, is_nearest: false };
        feed(Server::MYSQL, numbers(count)).plan(&posts(Server::MYSQL), page).map(|plan| plan.shape.form)
    };
    assert_eq!(form(128, &in_order()), HEADS_FIRST);
    assert_eq!(form(128, &with_nulls_last()), BRANCHES);
    assert_eq!(form(129, &with_nulls_last()), None);
}

#[test]
fn groups_that_were_chosen_by_their_heads_have_a_select_each() {
    for server in [MARIADB, Server::MYSQL] {
        let (info, sorts) = (info(server, &["author", "moment", "id"]), in_order());
        let page = FeedPage { info: &info, sorts: &sorts, has_boundary: true, is_nearest: true };
        assert_eq!(
            feed(server, numbers(129)).plan(&posts(server), page).map(|plan| plan.shape.form),
            BRANCHES,
            "{server:?}"
        );
    }
}

/// Whether separate statements find the groups of a first page, and of one after a cursor: by MariaDB's heads, or by
/// those that tell how far a page reaches.
fn finds_groups(feed: &Feed, rows: &FilteredRows, info: &TableInfo, sorts: &[OrderColumn]) -> [(bool, bool); 2] {
    let access = AccessPath::unknown(info.server.dialect);
    let values = [5, 7].map(Value::from);
    let values = values.each_ref().map(|value| BoundaryValue::plain(value.clone()));
    let key = HeadKey { variants: vec![Variant::BigInt; 2], not_null: "id".to_owned() };
    [None, Some(Boundary { values: &values, inclusive: false })].map(|boundary| {
        let page = FeedPage { info, sorts, has_boundary: boundary.is_some(), is_nearest: false };
        let span = span(&access, sorts, boundary);
        let has_heads = feed.may_find_heads() && feed.heads(rows, page, span, &key).is_some();
        let blocks = (0..9).take_while(|block| feed.block_of_heads(rows, page, *block).is_some()).count();
        assert!(blocks == 0 || blocks == feed.groups.len().div_ceil(128), "{blocks} blocks");
        (has_heads, blocks > 0)
    })
}

#[test]
fn separate_statements_find_the_groups_of_a_page_on_mariadb_and_mysql() {
    let neither = [(false, false); 2];
    let index = ["author", "moment", "id"];
    for (server, groups, expected) in [
        (MARIADB, numbers(33), [(true, false); 2]),
        (MARIADB, numbers(32), neither),
        // Texts are not passed as JSON.
        (MARIADB, texts(33), neither),
        (Server::MYSQL, numbers(7), neither),
        (Server::MYSQL, numbers(8), [(false, false), (false, true)]),
        (Server::MYSQL, numbers(128), [(false, false), (false, true)]),
        (Server::MYSQL, numbers(300), [(false, false), (false, true)]),
        // The database may consider two texts equal, so two heads may be one row.
        (Server::MYSQL, texts(33), neither),
        (POSTGRES, numbers(33), neither),
        (Server::SQLITE, numbers(33), neither),
    ] {
        let feed = feed(server, groups);
        let case = format!("{server:?}, {} groups", feed.groups.len());
        let rows = posts(server);
        assert_eq!(finds_groups(&feed, &rows, &info(server, &index), &in_order()), expected, "{case}");
        assert_eq!(finds_groups(&feed, &rows, &info(server, &index), &with_nulls_last()), neither, "{case}");
        assert_eq!(finds_groups(&feed, &rows, &info(server, &index[1..]), &in_order()), neither, "{case}");
    }
    let feed = feed(Server::MYSQL, numbers(33));
    let filtered = FilteredRows::new(Dialect::MySql, &POSTS, vec![Expr::col("kind").gt(1)], &[]);
    let found = finds_groups(&feed, &filtered, &info(Server::MYSQL, &index), &in_order());
    assert_eq!(found, neither, "the index lacks the kind");
}

#[test]
fn heads_come_with_what_the_server_says_about_their_column() {
    let info = info(Server::MYSQL, &["author", "moment", "id"]);
    let (feed, sorts) = (feed(Server::MYSQL, numbers(9)), in_order());
    let value = BoundaryValue::plain(Value::from("a"));
    let rows = posts(Server::MYSQL);
    let boundary = Some(Boundary { values: std::slice::from_ref(&value), inclusive: false });
    let of = |first| {
        let page = FeedPage { info: &info, sorts: &sorts, has_boundary: true, is_nearest: false };
        let (block, plan) = feed.block_of_heads(&rows, page, 0).unwrap();
        let span = span(&plan.access, &sorts, boundary);
        let keys = FeedKeys { rows: &rows, feed: &block, plan: &plan, span, upper: &[] };
        let start = (&sorts[0], &value);
        [keys.nearest_heads(start, first), keys.last_row(first)].map(|select| select.sql().text())
    };
    let [heads, last] = of(Variant::String);
    // The number comes last.
    assert!(heads.contains("COLLATION(`folio_head`)"), "{heads}");
    assert!(heads.contains("AS `folio_fact_0`, CAST(`folio_group`"), "{heads}");
    assert!(last.contains("COLLATION(`moment`)"), "{last}");
    assert!(of(Variant::BigInt).iter().all(|text| !text.contains("folio_fact_0")));
}

#[test]
fn pages_of_groups_are_read_along_an_index_if_there_is_one() {
    let each = |server, info: Option<&TableInfo>, groups: Groups, sorts: &[OrderColumn]| {
        let FeedPlan { shape, access } = feed(server, groups).plan_of_each(&posts(server), info, sorts);
        assert!(shape.is_each);
        (Some(shape.form), access.index().is_some())
    };
    let of = |server, groups, sorts: &[OrderColumn]| {
        each(server, Some(&info(server, &["author", "moment", "id"])), groups, sorts)
    };
    assert_eq!(of(POSTGRES, numbers(100), &in_order()), (LATERAL, false));
    assert_eq!(of(MARIADB, numbers(100), &in_order()), (BRANCHES, true));
    assert_eq!(of(Server::MYSQL, numbers(100), &in_order()), (LATERAL, true));
    assert_eq!(of(Server::MYSQL, texts(100), &in_order()), (BRANCHES, true));
    assert_eq!(of(Server::MYSQL, numbers(100), &with_nulls_last()).0, BRANCHES);
    assert_eq!(each(Server::MYSQL, None, numbers(100), &in_order()), (BRANCHES, false));
    assert_eq!(each(POSTGRES, None, numbers(100), &in_order()), (LATERAL, false));
}

#[test]
fn groups_are_read_in_blocks_of_128_unless_they_are_arrays() {
    let sizes = |server, groups| feed(server, groups).blocks().map(|feed| feed.groups.len()).collect::<Vec<_>>();
    assert_eq!(sizes(Server::MYSQL, numbers(300)), [128, 128, 44]);
    assert_eq!(sizes(MARIADB, texts(129)), [128, 1]);
    assert_eq!(sizes(Server::SQLITE, numbers(128)), [128]);
    #[cfg(feature = "postgres")]
    assert_eq!(sizes(POSTGRES, numbers(300)), [300]);
}

/// Their text names the type, so they are constants, and the statement has no template.
#[test]
fn statements_with_enums_have_no_template() {
    let mood = Value::Enum(OptionEnum::None("mood".into()));
    let has_constant = |value: Value| {
        let sql = source::value_of(Dialect::Postgres, 0, &value);
        sql.params().any(|param| matches!(param, Param::Constant(_)))
    };
    assert!(!has_constant(7_i64.into()) && !has_constant("x".into()));
    assert!(has_constant(mood));
}

#[test]
fn the_rows_of_a_group_are_read_along_the_index_of_the_groups() {
    let descending = OrderColumn { direction: Direction::Desc, ..sort("moment", None) };
    let sorts = [descending, sort("id", None)];
    let values = [5, 7].map(Value::from);
    let values = values.each_ref().map(|value| BoundaryValue::plain(value.clone()));
    let feed = feed(Server::postgres(15), numbers(2));
    let text = |info: &TableInfo| {
        let fixed = EqualityColumns::default();
        // The access path to the rows of all groups.
        let access = AccessPath::new(info, &fixed, &sorts);
        let boundary = Some(Boundary { values: &values, inclusive: false });
        let span = span(&access, &sorts, boundary);
        let rows = posts(Server::postgres(15));
        let page = FeedPage { info, sorts: &sorts, has_boundary: true, is_nearest: false };
        let plan = feed.plan(&rows, page).unwrap();
        let keys = FeedKeys { rows: &rows, feed: &feed, plan: &plan, span, upper: &[] };
        keys.select().sql().text()
    };
    let author = ("author".to_owned(), Direction::Asc);
    let order = [("moment".to_owned(), Direction::Desc), ("id".to_owned(), Direction::Asc)];
    let index = Index::new("posts_feed", [&[author][..], &order].concat());
    let info = TableInfo { indexes: vec![index], ..info(Server::postgres(15), &[]) };
    // Before version 17, the planner sorts after `moment IN (..)` in an index that begins with another column.
    let text = text(&info);
    assert!(text.contains(r#""moment" = $"#) && !text.contains(r#""moment" IN"#), "{text}");
}
