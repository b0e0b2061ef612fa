use sea_query::{Expr, ExprTrait as _, OptionEnum};

use super::*;
use crate::dialect::Server;
use crate::dialect::catalog::Index;
use crate::schema::group::Groups;
use crate::schema::table::{Direction, Nulls};
use crate::testing;
use crate::value::Variant;

/// `name`, or `-name` for descending.
fn sorts(key: &str) -> Vec<OrderColumn> {
    let sort = |(name, direction): (String, Direction)| OrderColumn {
        expr: Expr::col(name.clone()),
        output: name,
        direction,
        nulls: None,
        is_computed: false,
    };
    columns(key).into_iter().map(sort).collect()
}

fn columns(key: &str) -> Vec<(String, Direction)> {
    let column = |word: &str| match word.strip_prefix('-') {
        Some(name) => (name.to_owned(), Direction::Desc),
        None => (word.to_owned(), Direction::Asc),
    };
    key.split(' ').map(column).collect()
}

fn info(server: Server, indexes: &[&str]) -> TableInfo {
    let index = |columns_of: &&str| {
        let columns = columns(columns_of);
        let families = columns.iter().map(|_| "integer_ops".to_owned()).collect();
        Index { families, ..Index::new(columns_of, columns) }
    };
    TableInfo { indexes: indexes.iter().map(index).collect(), ..TableInfo::of(server) }
}

fn equality(filters: &[Expr]) -> EqualityColumns {
    EqualityColumns::of(Dialect::Sqlite, filters)
}

fn tenant() -> Expr {
    Expr::tuple([Expr::col("tenant").eq(3)])
}

#[test]
fn mysql_is_told_the_index_that_has_the_order() {
    let all: &[&str] =
        &["id", "moment id", "-tie id", "tie -id", "tenant moment id", "tenant -tie id", "tenant -a -id", "maybe"];
    let one: &[&str] = &["id", "-tie id", "tenant -tie id", "-a -b id"];
    /// Indexes, filters, a key, the index for it, and how many of its columns come sorted.
    type Case<'a> = (&'a [&'a str], &'a [Expr], &'a str, Option<&'a str>, Option<usize>);
    let cases: [Case<'_>; 15] = [
        (all, &[], "id", Some("id"), None),
        (all, &[], "moment id", Some("moment id"), None),
        (all, &[], "-moment -id", Some("moment id"), None),
        (all, &[], "-tie id", Some("-tie id"), None),
        (all, &[], "tie -id", Some("tie -id"), None),
        (all, &[], "tie id", None, None),
        (all, &[], "maybe id", None, None),
        (all, &[tenant()], "moment id", Some("tenant moment id"), None),
        (all, &[tenant()], "-tie id", Some("tenant -tie id"), None),
        (all, &[tenant()], "tenant -tie id", Some("tenant -tie id"), None),
        (all, &[tenant(), Expr::cust("x")], "moment id", None, None),
        (all, &[Expr::col("other").eq(3)], "moment id", None, None),
        (one, &[], "tie -id", Some("-tie id"), Some(1)),
        (one, &[], "a b -id", Some("-a -b id"), Some(2)),
        (all, &[tenant()], "a id", Some("tenant -a -id"), None),
    ];
    for (indexes, filters, key, index, sorted) in cases {
        let access = AccessPath::new(&info(Server::MYSQL, indexes), &equality(filters), &sorts(key));
        let named = access.index().map(|index| &*index.name);
        assert_eq!((named, access.sorted_prefix()), (index, sorted), "{key}, {filters:?}");
    }
}

#[test]
fn mariadb_is_told_an_index_only_for_filtered_lists() {
    let info = info(Server::mariadb(10), &["id", "-tie id", "tenant -tie id"]);
    let index = |filters: &[Expr], key: &str| {
        let access = AccessPath::new(&info, &equality(filters), &sorts(key));
        access.index().map(|index| (index.name.to_string(), index.sorted_prefix))
    };
    assert_eq!(index(&[], "tie -id"), None);
    assert_eq!(index(&[tenant()], "tie -id"), Some(("tenant -tie id".to_owned(), None)));
}

#[test]
fn the_access_path_has_the_dialect_of_the_server() {
    let servers = [Server::SQLITE, Server::postgres(18), Server::MYSQL, Server::mariadb(11)];
    let unknown = servers.map(|server| server.dialect.facts().unknown_server);
    for server in servers.into_iter().chain(unknown) {
        let access = AccessPath::new(&TableInfo::of(server), &EqualityColumns::default(), &[]);
        assert_eq!(access.dialect(), server.dialect, "{server:?}");
    }
}

#[test]
fn the_server_decides_the_form() {
    let of = |server: Server, filters: &[Expr], is_distributed| {
        let info = TableInfo { is_distributed, ..info(server, &["-tie id", "tenant -tie id"]) };
        let access = AccessPath::new(&info, &equality(filters), &sorts("-tie id"));
        (access.row_values(), access.in_list_equality(), access.or_false_branch())
    };
    assert_eq!(of(Server::SQLITE, &[], false), (false, false, false));
    assert_eq!(of(Server::postgres(15), &[], false), (true, true, false));
    assert_eq!(of(Server::postgres(15), &[tenant()], false), (true, false, false));
    assert_eq!(of(Server::postgres(17), &[tenant()], false), (true, true, false));
    assert_eq!(of(Server::postgres(18), &[], true), (false, true, false));
    assert_eq!(of(Server::MYSQL, &[], false), (false, false, false));
    assert_eq!(of(Server::mariadb(10), &[], false), (false, false, true));
    assert_eq!(of(Server::mariadb(11), &[], false), (false, false, false));
}

#[test]
fn one_plan_suits_all_values_if_there_is_no_other_index_to_choose() {
    let of = |indexes: &[&str], filters: &[Expr], key: &str| {
        let info = info(Server::postgres(18), indexes);
        let access = |info: &TableInfo| AccessPath::new(info, &equality(filters), &sorts(key)).generic_plan();
        assert!(!access(&TableInfo { is_distributed: true, ..info.clone() }));
        access(&info)
    };
    let one = &["id", "other", "tenant moment id"];
    assert!(of(one, &[tenant()], "moment id"));
    assert!(of(one, &[tenant()], "-moment -id"));
    assert!(!of(one, &[tenant()], "id"));
    assert!(!of(one, &[tenant(), Expr::col("other").eq(3)], "moment id"));
    assert!(!of(one, &[tenant(), Expr::col("other").gt(3)], "moment id"));
    assert!(!of(one, &[Expr::cust("tenant = 3")], "moment id"));
    for other in ["tenant", "tenant other", "moment", "moment id", "-moment other"] {
        assert!(!of(&["id", other, "tenant moment id"], &[tenant()], "moment id"), "{other}");
    }
}

#[test]
fn one_plan_suits_all_values_on_sqlite_unless_an_index_in_the_order_has_the_filters_columns() {
    let of = |indexes: &[&str], filters: &[Expr], key: &str| {
        let (info, equality) = (info(Server::SQLITE, indexes), equality(filters));
        AccessPath::new(&info, &equality, &sorts(key)).generic_plan()
    };
    for others in [&["", "tenant"][..], &["moment id"], &["-moment other"], &["tenant other moment"], &["other tenant"]]
    {
        let indexes = [others, &["tenant moment id"]].concat();
        assert!(of(&indexes, &[tenant()], "moment id"), "{others:?}");
        assert!(of(&indexes, &[tenant()], "-moment -id"), "{others:?}");
        assert!(!of(&indexes, &[tenant(), Expr::col("other").gt(3)], "moment id"), "{others:?}");
        assert!(!of(&indexes, &[Expr::cust("tenant = 3")], "moment id"), "{others:?}");
        assert!(!of(&indexes, &[], "moment id"), "{others:?}");
    }
    for rival in ["moment id tenant", "-moment TENANT id"] {
        assert!(!of(&[rival, "tenant moment id"], &[tenant()], "moment id"), "{rival}");
    }
    // An index that does not begin with the filters' columns.
    assert!(!of(&["moment tenant id"], &[tenant()], "moment id"));
    assert!(!of(&["tenant moment other id", "other"], &[tenant(), Expr::col("other").eq(3)], "moment id"));
    assert!(of(&["tenant id"], &[tenant()], "id"));
}

#[test]
fn mysql_reads_ahead_at_the_ends_of_a_filtered_list() {
    let indexes: &[&str] = &["id", "tenant moment id", "tenant -tie id"];
    let of = |server, key: &str| AccessPath::new(&info(server, indexes), &equality(&[tenant()]), &sorts(key));
    for (key, with_boundary) in [
        ("moment id", false),
        ("-moment -id", false),
        ("-tie id", false),
        // Backwards along columns of both directions, it sorts a range.
        ("tie -id", true),
        // Without an index.
        ("other id", true),
    ] {
        let applies = |server, has_boundary| {
            of(server, key).index().is_none_or(|index| index.key_lookup_first.applies(has_boundary))
        };
        assert!(applies(Server::MYSQL, false), "{key}");
        assert_eq!(applies(Server::MYSQL, true), with_boundary, "{key}");
        assert_eq!(applies(Server::mariadb(10), false), key == "other id", "{key}");
    }
}

#[test]
fn mysql_does_not_read_ahead_if_it_expects_few_rows() {
    let key_lookup_first = |selective_prefix, filters: &[Expr], key: &str| {
        let mut info =
            info(Server::MYSQL, &["tenant moment id", "tenant -tie id", "tenant kind id", "score tenant id"]);
        info.indexes.iter_mut().for_each(|index| index.selective_prefix = selective_prefix);
        AccessPath::new(&info, &equality(filters), &sorts(key)).index().map(|index| index.key_lookup_first)
    };
    let both = [tenant(), Expr::col("kind").eq(1)];
    for (selective_prefix, filters, key, expected) in [
        (Some(1), &[tenant()][..], "moment id", Some(KeyLookupFirst::Never)),
        (Some(1), &[tenant()], "-moment -id", Some(KeyLookupFirst::Never)),
        (Some(2), &[tenant()], "moment id", Some(KeyLookupFirst::AtAnEnd)),
        (None, &[tenant()], "moment id", Some(KeyLookupFirst::AtAnEnd)),
        (Some(2), &both, "id", Some(KeyLookupFirst::Never)),
        // It sorts a range.
        (Some(1), &[tenant()], "tie -id", Some(KeyLookupFirst::Always)),
        // The index does not begin with the filter's column.
        (Some(1), &[tenant()], "score id", Some(KeyLookupFirst::AtAnEnd)),
        (Some(1), &[], "score tenant id", Some(KeyLookupFirst::AtAnEnd)),
    ] {
        assert_eq!(key_lookup_first(selective_prefix, filters, key), expected, "{selective_prefix:?}, {key}");
    }
}

#[test]
fn groups_are_read_one_by_one_along_an_index_that_begins_with_them() {
    let of = |index: &str, filters: &[Expr], groups: &[&'static str], key: &str| {
        let groups = testing::groups(groups, [7_i64, 8].into_iter().take(groups.len()));
        let equality = equality(filters).with_groups(&groups);
        has_index_of_groups(&info(Server::postgres(18), &["id", index]), &equality, &groups, &sorts(key))
    };
    assert!(of("author moment id", &[], &["author"], "moment id"));
    assert!(of("Author moment id", &[], &["author"], "-moment -id"));
    assert!(of("tag author moment id", &[], &["author", "tag"], "moment id"));
    assert!(of("tenant author moment id", &[tenant()], &["author"], "moment id"));
    assert!(!of("moment id", &[], &["author"], "moment id"), "without the groups' column");
    assert!(!of("author", &[], &["author"], "moment id"), "without the order");
    assert!(!of("moment author id", &[], &["author"], "moment id"), "with the groups' column inside the order");
    assert!(!of("moment id author", &[], &["author"], "moment id"), "with the groups' column after the order");
    assert!(!of("author moment id", &[], &["author", "tag"], "moment id"), "with one of two columns");
}

#[test]
fn groups_are_not_read_along_an_index_that_cannot_find_their_values() {
    let integers = testing::groups(&["author"], [7_i64]);
    let floats = testing::groups(&["author"], [7.5_f64]);
    let texts = testing::groups(&["author"], ["a"]);
    let finds = |family: &str, groups: &Groups| {
        let mut info = info(Server::postgres(18), &["author moment id"]);
        info.indexes[0].families[0] = family.to_owned();
        has_index_of_groups(&info, &equality(&[]).with_groups(groups), groups, &sorts("moment id"))
    };
    // PostgreSQL converts the value, but not if that is of the more general type.
    assert!(finds("integer_ops", &integers) && finds("numeric_ops", &integers) && finds("float_ops", &integers));
    assert!(finds("float_ops", &floats) && !finds("numeric_ops", &floats) && !finds("integer_ops", &floats));
    assert!(finds("citext_ops", &texts), "a text is compared in the type of its column");
}

#[test]
fn conditions_that_are_not_understood_are_counted_as_others() {
    let both = Expr::tuple([Expr::col("a").eq(1), Expr::col("b").eq(2)]);
    for equality in [equality(std::slice::from_ref(&both)), EqualityColumns::of_raw("a = 1 AND b = 2".to_owned())] {
        assert!(equality.others && equality.columns.is_empty() && !equality.has("a"), "{equality:?}");
    }
    let raw = EqualityColumns::of_raw("A = 1 AND lower(_b) = 'c'".to_owned());
    assert!(raw.may_have("a") && raw.may_have("_b") && !raw.may_have("b"));
    assert!(equality(&[tenant()]).has("TENANT") && !equality(&[tenant()]).others);
}

#[test]
fn the_extremes_of_groups_are_in_an_index_that_begins_with_all_equality_columns() {
    let has = |index: &str, filters: &[Expr], key: &str| {
        let groups = testing::groups(&["author"], [7_i64, 8]);
        has_extremes(&info(Server::MYSQL, &[index]), &equality(filters).with_groups(&groups), &sorts(key))
    };
    assert!(has("author moment id", &[], "moment id"));
    assert!(has("author moment id", &[], "-moment -id"));
    assert!(has("author tenant moment id", &[tenant()], "moment id"));
    assert!(has("tenant author -moment id", &[tenant()], "-moment id"));
    assert!(!has("author moment tenant id", &[tenant()], "moment id"), "rows of other tenants are in between");
    assert!(!has("author moment id", &[tenant()], "moment id"), "the index does not have the filter's column");
    assert!(!has("author moment id", &[Expr::col("kind").gt(1)], "moment id"));
    assert!(!has("author moment id", &[], "author moment id"), "the order's first column is an equality column");
    assert!(!has("moment author id", &[], "moment id"));
}

#[test]
fn a_page_is_one_range_from_the_last_equality_column_on() {
    let of = |indexes: &[&str], filters: &[Expr], key: &str| {
        let info = info(Server::postgres(18), indexes);
        let access = |info: &TableInfo| AccessPath::new(info, &equality(filters), &sorts(key)).range_column().cloned();
        assert_eq!(access(&TableInfo { is_distributed: true, ..info.clone() }), None);
        assert_eq!(access(&TableInfo { needs_equalities: true, ..info.clone() }), None);
        access(&info)
    };
    let (one, both) = ([tenant()], [Expr::col("other").eq(3), tenant()]);
    for (indexes, filters, key, column) in [
        (&["tenant id"][..], &one[..], "id", Some("tenant")),
        (&["id", "moment id", "tenant moment id"], &one, "moment id", Some("tenant")),
        (&["tenant moment id"], &one, "-moment -id", Some("tenant")),
        (&["-tenant -moment -id"], &one, "moment id", Some("tenant")),
        (&["tenant moment id more"], &one, "moment id", Some("tenant")),
        (&["other tenant id"], &both, "id", Some("tenant")),
        (&["tenant other id"], &both, "id", Some("other")),
        // Other directions than the filter's column, or between the order's columns.
        (&["tenant -moment -id"], &one, "-moment -id", None),
        (&["tenant -moment id"], &one, "-moment id", None),
        // Columns of the filter after those of the order, or in the order.
        (&["moment tenant id"], &one, "moment id", None),
        (&["tenant moment id"], &one, "tenant moment id", None),
        // Other rows, and no filter.
        (&["tenant id"], &both, "id", None),
        (&["tenant id"], &[], "id", None),
    ] {
        let expected = column.map(|name| RangeColumn { name: name.to_owned(), family: "integer_ops".to_owned() });
        assert_eq!(of(indexes, filters, key), expected, "{indexes:?}, {key}");
    }
    let mut with_nulls = sorts("maybe id");
    with_nulls.iter_mut().take(1).for_each(|sort| sort.nulls = Some(Nulls::Last));
    let info = info(Server::postgres(18), &["tenant maybe id"]);
    assert_eq!(AccessPath::new(&info, &equality(&one), &with_nulls).range_column(), None);
}

#[test]
fn the_columns_of_a_filter_are_known_if_it_only_compares_them_with_plain_values() {
    let of = |filters: &[Expr]| {
        let mut comparisons = Comparisons::default();
        filters.iter().for_each(|filter| comparisons.add(Dialect::Sqlite, filter));
        let columns = comparisons.all()?;
        assert!(columns.iter().all(|equal| equal.variant == Some(Variant::Int)));
        Some(columns.len())
    };
    let other = || Expr::col("other").eq(3);
    assert_eq!(of(&[]), Some(0));
    assert_eq!(of(&[tenant(), other()]), Some(2));
    assert_eq!(of(&[tenant().and(other()), other()]), Some(3));
    let mood = sea_query::Value::Enum(OptionEnum::None("mood".into()));
    for filter in [
        Expr::col("other").gt(3),
        Expr::col("other").eq(Expr::col("tenant")),
        Expr::cust("tenant = 3"),
        tenant().or(other()),
        Expr::col("other").eq(Expr::Value(mood)),
    ] {
        assert_eq!(of(&[tenant(), filter.clone()]), None, "{filter:?}");
    }
}
