use sea_query::{Expr, Value};

use super::*;
use crate::access::{KeyLookupFirst, NamedIndex};
use crate::schema::table::Direction;
use crate::schema::table::Nulls;
use crate::statement::template::PageValues;

/// A database, a key, a boundary, and the statement.
type Case = (Dialect, &'static str, Option<&'static [Option<i32>]>, &'static str);

/// `name`, `-name` for descending, and `+first` or `+last` for NULLs.
fn sorts(key: &str) -> Vec<OrderColumn> {
    let sort = |word: &str| {
        let (word, nulls) = match word.split_once('+') {
            Some((word, "first")) => (word, Some(Nulls::First)),
            Some((word, _)) => (word, Some(Nulls::Last)),
            None => (word, None),
        };
        let (name, direction) = word.strip_prefix('-').map_or((word, Direction::Asc), |name| (name, Direction::Desc));
        OrderColumn { expr: Expr::col(name.to_owned()), output: name.to_owned(), direction, nulls, is_computed: false }
    };
    key.split(' ').map(sort).collect()
}

/// The statement of a page.
fn sql(dialect: Dialect, key: &str, boundary: Option<&[Option<i32>]>, inclusive: bool) -> String {
    let [base, _] = bases(dialect);
    let values: Vec<Value> = boundary.unwrap_or_default().iter().map(|value| Value::Int(*value)).collect();
    let values: Vec<BoundaryValue> = values.iter().map(|value| BoundaryValue::plain(value.clone())).collect();
    let boundary = boundary.map(|_| Boundary { values: &values, inclusive });
    let (access, sorts) = (AccessPath::unknown(dialect), sorts(key));
    text(&span(&access, &sorts, boundary).of(&base), &values)
}

/// A page of nine rows.
fn span<'a>(access: &'a AccessPath, sorts: &'a [OrderColumn], boundary: Option<Boundary<'a>>) -> Span<'a> {
    let limit = Limit::of(Number::Page(9));
    Span { access, sorts, boundary, source: ValueSource::Start, end: None, limit }
}

/// The text of a statement with its values, without the parts that all of them share.
fn text(select: &Select, boundary: &[BoundaryValue]) -> String {
    let sql = select.sql();
    let mut texts = sql.text();
    if sql.dialect() == Dialect::Postgres {
        (1..=sql.params().len()).rev().for_each(|number| texts = texts.replace(&format!("${number}"), "?"));
    }
    let page = PageValues { boundary, limit: 9, ..PageValues::default() };
    let mut written = String::new();
    let mut values = page.bind(sql.params(), &[]).into_iter();
    for part in texts.replace("LIMIT +?", "LIMIT ?").split_inclusive('?') {
        written += &part.replace('?', &values.next().map_or_else(String::new, |value| literal(&value)));
    }
    written.replace(['"', '`'], "").replace("SELECT * FROM t", "T").replace("SELECT * FROM ", "")
}

fn literal(value: &Value) -> String {
    match value {
        Value::Int(Some(number)) => number.to_string(),
        Value::BigUnsigned(Some(number)) => number.to_string(),
        other => panic!("{other:?} is not a number"),
    }
}

#[test]
fn each_database_gets_the_form_that_it_walks() {
    use Dialect::{MySql, Postgres, Sqlite};
    let behind: &'static [Option<i32>] = &[Some(5), Some(7)];
    let null: &'static [Option<i32>] = &[None, Some(7)];
    let cases: [Case; 19] = [
        (Postgres, "a id", None, "T ORDER BY a ASC, id ASC LIMIT 9"),
        (Postgres, "a id", Some(behind), "T WHERE (a, id) > (5, 7) ORDER BY a ASC, id ASC LIMIT 9"),
        (Postgres, "-a -id", Some(behind), "T WHERE (a, id) < (5, 7) ORDER BY a DESC, id DESC LIMIT 9"),
        (
            Postgres,
            "-a id",
            Some(behind),
            "(T WHERE a IN (5, 5) AND id > 7 ORDER BY a DESC, id ASC LIMIT 9) AS folio_0 UNION ALL \
             ((T WHERE a < 5 ORDER BY a DESC, id ASC LIMIT 9) AS folio_1) ORDER BY a DESC, id ASC LIMIT 9",
        ),
        (Sqlite, "id", Some(&[Some(7)]), "T WHERE id > + 7 ORDER BY id ASC LIMIT 9"),
        (
            Sqlite,
            "-a id",
            Some(behind),
            "T WHERE (a = + 5) AND (id > + 7) UNION ALL T WHERE a < + 5 ORDER BY a DESC, id ASC LIMIT 9",
        ),
        (
            Sqlite,
            "a+first id",
            Some(null),
            "T WHERE a IS NULL AND (id > + 7) UNION ALL T WHERE a IS NOT NULL ORDER BY a ASC, id ASC LIMIT 9",
        ),
        (Sqlite, "a+last id", Some(null), "T WHERE a IS NULL AND (id > + 7) ORDER BY a ASC, id ASC LIMIT 9"),
        (
            Sqlite,
            "a+last id",
            None,
            "(T WHERE a IS NOT NULL ORDER BY a ASC, id ASC LIMIT 9) AS folio_0 UNION ALL \
             (T WHERE a IS NULL ORDER BY a ASC, id ASC LIMIT 9) AS folio_1 ORDER BY a ASC NULLS LAST, id ASC LIMIT 9",
        ),
        (MySql, "-a id", Some(behind), "T WHERE (a = 5 AND id > 7) OR a < 5 ORDER BY a DESC, id ASC LIMIT 9"),
        (
            MySql,
            "-a+last -id",
            Some(behind),
            "T WHERE (a = 5 AND id < 7) OR a < 5 OR a IS NULL ORDER BY a DESC, id DESC LIMIT 9",
        ),
        (
            MySql,
            "a+last id",
            Some(behind),
            "(T WHERE (a = 5 AND id > 7) OR a < NULL ORDER BY a ASC, id ASC LIMIT 9) AS folio_0 UNION ALL \
             ((T WHERE a > 5 ORDER BY a ASC, id ASC LIMIT 9) AS folio_1) UNION ALL \
             ((T WHERE a IS NULL OR a < NULL ORDER BY a ASC, id ASC LIMIT 9) AS folio_2) ORDER BY a IS NULL ASC, a ASC, id ASC LIMIT 9",
        ),
        (
            MySql,
            "a b+last",
            None,
            "T WHERE (a) IN ((SELECT a AS folio_group_0 FROM t ORDER BY a ASC LIMIT 9) AS folio_groups) \
             ORDER BY a ASC, b IS NULL ASC, b ASC LIMIT 9",
        ),
        (
            MySql,
            "a b+last",
            Some(behind),
            "(T WHERE (a = 5 AND b > 7) OR a < NULL ORDER BY a ASC, b ASC LIMIT 9) AS folio_0 UNION ALL \
             ((T WHERE a = 5 AND b IS NULL ORDER BY a ASC, b ASC LIMIT 9) AS folio_1) UNION ALL \
             ((T WHERE a > 5 AND (a) IN ((SELECT a AS folio_group_0 FROM t WHERE a > 5 ORDER BY a ASC LIMIT 9) AS folio_groups) \
             ORDER BY a ASC, b IS NULL ASC, b ASC LIMIT 9) AS folio_2) ORDER BY a ASC, b IS NULL ASC, b ASC LIMIT 9",
        ),
        (MySql, "a+first b+last", None, "T ORDER BY a ASC, b IS NULL ASC, b ASC LIMIT 9"),
        (
            MySql,
            "a+last b+last",
            None,
            "(T WHERE a IS NOT NULL AND (a) IN ((SELECT a AS folio_group_0 FROM t WHERE a IS NOT NULL ORDER BY a ASC LIMIT 9) \
             AS folio_groups) ORDER BY a ASC, b IS NULL ASC, b ASC LIMIT 9) AS folio_0 UNION ALL \
             ((T WHERE a IS NULL OR a < NULL ORDER BY a ASC, b IS NULL ASC, b ASC LIMIT 9) AS folio_1) \
             ORDER BY a IS NULL ASC, a ASC, b IS NULL ASC, b ASC LIMIT 9",
        ),
        (
            Postgres,
            "a+first id",
            None,
            "(T WHERE a IS NULL ORDER BY a ASC, id ASC LIMIT 9) AS folio_0 UNION ALL \
             ((T WHERE a IS NOT NULL ORDER BY a ASC, id ASC LIMIT 9) AS folio_1) ORDER BY a ASC NULLS FIRST, id ASC LIMIT 9",
        ),
        (Postgres, "a+last", Some(&[None]), "T WHERE 1 = 0 LIMIT 9"),
        (Postgres, "a+last id", None, "T ORDER BY a ASC, id ASC LIMIT 9"),
    ];
    for (dialect, key, boundary, expected) in cases {
        assert_eq!(sql(dialect, key, boundary, false), expected, "{dialect:?}: {key}");
    }
    let with_it = "T WHERE (a = + 5) AND (id >= + 7) UNION ALL T WHERE a > + 5 ORDER BY a ASC, id ASC LIMIT 9";
    assert_eq!(sql(Sqlite, "a id", Some(behind), true), with_it);
    // A row with NULL is equal to no value, and a prefix of the key leaves the other columns free.
    let with_null = "T WHERE a IS NULL AND (id >= + 7) UNION ALL T WHERE a IS NOT NULL ORDER BY a ASC, id ASC LIMIT 9";
    assert_eq!(sql(Sqlite, "a+first id", Some(null), true), with_null);
    assert_eq!(sql(Sqlite, "a+last id", Some(&[None]), true), "T WHERE a IS NULL ORDER BY a ASC, id ASC LIMIT 9");
    assert_eq!(sql(Sqlite, "a id", Some(&[Some(5)]), true), "T WHERE a >= + 5 ORDER BY a ASC, id ASC LIMIT 9");
    assert_eq!(sql(Postgres, "a id", Some(behind), true), "T WHERE (a, id) >= (5, 7) ORDER BY a ASC, id ASC LIMIT 9");
}

#[test]
fn sqlite_does_not_sort_by_an_expression_that_a_range_fixes() {
    let [computed, id] = <[OrderColumn; 2]>::try_from(sorts("a id")).unwrap();
    let sorts = [OrderColumn { is_computed: true, ..computed }, id];
    let values = [5, 7].map(Value::from);
    let values = values.each_ref().map(|value| BoundaryValue::plain(value.clone()));
    let boundary = Some(Boundary { values: &values, inclusive: false });
    let sql = |dialect| {
        let (access, [base, _]) = (AccessPath::unknown(dialect), bases(dialect));
        text(&span(&access, &sorts, boundary).of(&base), &values)
    };
    let fixed = sql(Dialect::Sqlite);
    assert!(fixed.contains("T WHERE (a = + 5) AND (id > + 7) ORDER BY id ASC LIMIT 9"), "{fixed}");
    for dialect in [Dialect::Postgres, Dialect::MySql] {
        assert!(!sql(dialect).contains("ORDER BY id ASC"), "{dialect:?}: {}", sql(dialect));
    }
}

/// The table, and the part of it that a filter selects.
fn bases(dialect: Dialect) -> [Select; 2] {
    let base = Select::from(Sql::new(dialect).name("t")).column(|sql| sql.push("*"));
    let filter = Condition::bare(Sql::new(dialect).name("b").push(" = ").constant(1));
    [base.clone(), base.and(filter)]
}

#[test]
fn a_page_of_several_selects_skips_rows_of_all_of_them() {
    let (access, sorts) = (AccessPath::unknown(Dialect::Sqlite), sorts("id"));
    let limit = Limit { skip: 20, ..Limit::of(Number::Page(9)) };
    let span = Span { limit, ..span(&access, &sorts, None) };
    let page = text(&span.of_all(bases(Dialect::Sqlite).into_iter()), &[]);
    assert_eq!(
        page,
        "(T ORDER BY id ASC LIMIT 29) AS folio_0 UNION ALL (T WHERE b = 1 ORDER BY id ASC LIMIT 29) AS folio_1 \
         ORDER BY id ASC LIMIT 9 OFFSET 20"
    );
}

#[test]
fn mysql_unites_many_selects_in_parentheses_except_the_first() {
    let (access, sorts) = (AccessPath::unknown(Dialect::MySql), sorts("id"));
    let span = span(&access, &sorts, None);
    let page = |union| text(&span.of_many(bases(Dialect::MySql).into_iter(), union), &[]);
    let united = |union: &str| {
        format!(
            "(T ORDER BY id ASC LIMIT 9) AS folio_0 {union} (T WHERE b = 1 ORDER BY id ASC LIMIT 9) ORDER BY id ASC LIMIT 9"
        )
    };
    assert_eq!(page(Union::All), united("UNION ALL"));
    assert_eq!(page(Union::Distinct), united("UNION"));
}

#[test]
fn nulls_out_of_index_order_rule_out_a_literal_limit() {
    let page = |key: &str| {
        let (access, sorts) = (AccessPath::unknown(Dialect::Postgres), sorts(key));
        let limit = Limit { literal_limit: Some(12), ..Limit::of(Number::Page(9)) };
        let span = Span { limit, ..span(&access, &sorts, None) };
        let bases = bases(Dialect::Postgres);
        (text(&span.of(&bases[0]), &[]), text(&span.of_all(bases.into_iter()), &[]))
    };
    let (one, several) = page("a id");
    assert_eq!(one, "(T ORDER BY a ASC, id ASC LIMIT 12) AS folio_0 ORDER BY a ASC, id ASC LIMIT 9");
    assert!(several.contains("(T WHERE b = 1 ORDER BY a ASC, id ASC LIMIT 12)"), "{several}");
    let (one, several) = page("a+first id");
    assert!(!one.contains("LIMIT 12") && !several.contains("LIMIT 12"), "{one}, {several}");
}

#[test]
fn a_limit_includes_the_skipped_rows() {
    const MAX: u64 = i64::MAX as u64;
    let read = |rows, skip| Limit { skip, ..Limit::of(Number::Page(rows)) }.read().get();
    assert_eq!((read(9, 0), read(9, 20)), (9, 29));
    assert_eq!((read(MAX, 20), read(u64::MAX, 20)), (MAX, MAX), "LIMIT is an i64");
    // A page that skips no rows has the page's own limit.
    assert_eq!(Limit::of(Number::Page(9)).read(), Number::Page(9));
}

/// The statement of a page that ends at a boundary, with its rows marked.
fn marked(dialect: Dialect, key: &str, end: Option<&[Option<i32>]>) -> String {
    let values: Vec<Value> = end.unwrap_or_default().iter().map(|value| Value::Int(*value)).collect();
    let values: Vec<BoundaryValue> = values.iter().map(|value| BoundaryValue::plain(value.clone())).collect();
    let end = end.map(|_| Boundary { values: &values, inclusive: false });
    let (access, sorts) = (AccessPath::unknown(dialect), sorts(key));
    let [select, _] = bases(dialect);
    text(&Span { end, ..span(&access, &sorts, None) }.mark(select), &[])
}

#[test]
fn the_rows_before_the_end_of_a_page_are_marked() {
    assert_eq!(
        marked(Dialect::Postgres, "a id", Some(&[Some(5), Some(7)])),
        "SELECT *, (CASE WHEN ((a = 5 AND id < 7) OR a < 5) THEN 1 END) AS folio_within FROM t"
    );
    assert_eq!(
        marked(Dialect::Postgres, "-a+first id", Some(&[None, Some(7)])),
        "SELECT *, (CASE WHEN (a IS NULL AND id < 7) THEN 1 END) AS folio_within FROM t"
    );
    assert_eq!(marked(Dialect::Postgres, "a id", None), "T");
}

#[test]
fn mysql_sorts_only_the_groups_of_the_first_rows_if_the_index_is_sorted_in_part() {
    let values = [5, 7, 9].map(Value::from);
    let values = values.each_ref().map(|value| BoundaryValue::plain(value.clone()));
    let page = |sorted_prefix, boundary: Option<Boundary<'_>>| {
        let access = AccessPath::MySql {
            or_false_branch: false,
            nests_ranges: false,
            index: Some(NamedIndex { name: "t_a".into(), sorted_prefix, key_lookup_first: KeyLookupFirst::Never }),
        };
        let sorts = sorts("a b -id");
        let [base, _] = bases(Dialect::MySql);
        text(&span(&access, &sorts, boundary).of(&base), &values)
    };
    let boundary = Some(Boundary { values: &values, inclusive: false });
    let of_groups = |sql: &str| sql.matches(" IN (").count();
    // Of the ranges after (5, 7, 9), `a > 5` has both sorted columns free, and `a = 5 AND b > 7` has one.
    let sql = page(Some(2), boundary);
    assert_eq!(of_groups(&sql), 2, "{sql}");
    assert!(
        sql.contains("(b) IN ((SELECT b AS folio_group_0 FROM t WHERE a = 5 AND b > 7 ORDER BY b ASC LIMIT 9)"),
        "{sql}"
    );
    assert!(sql.contains("(a, b) IN ((SELECT a AS folio_group_0, b AS folio_group_1 FROM t WHERE a > 5 "), "{sql}");
    // Nothing to limit: an index with the whole order, and a page without a boundary.
    assert_eq!(of_groups(&page(None, boundary)), 0);
    assert_eq!(of_groups(&page(Some(2), None)), 0);
}

#[test]
fn servers_that_are_asked_at_once_get_one_condition() {
    let citus = AccessPath::Postgres {
        row_values: true,
        in_list_equality: true,
        generic_plan: false,
        range_column: None,
        nests_ranges: true,
    };
    let spider = AccessPath::MySql { or_false_branch: true, index: None, nests_ranges: true };
    let values = [Some(5), Some(7), Some(9)].map(Value::Int);
    let page = |access: &AccessPath, key: &str, values: &[Value], inclusive| {
        let values: Vec<BoundaryValue> = values.iter().map(|value| BoundaryValue::plain(value.clone())).collect();
        let sorts = sorts(key);
        let [base, _] = bases(access.dialect());
        text(&span(access, &sorts, Some(Boundary { values: &values, inclusive })).of(&base), &values)
    };
    for (access, key, inclusive, expected) in [
        (&citus, "a", false, "T WHERE a > 5 ORDER BY a ASC LIMIT 9"),
        (&citus, "a id", false, "T WHERE (a, id) > (5, 7) ORDER BY a ASC, id ASC LIMIT 9"),
        (&citus, "-a id", false, "T WHERE a <= 5 AND (a < 5 OR id > 7) ORDER BY a DESC, id ASC LIMIT 9"),
        (
            &citus,
            "-a b id",
            true,
            "T WHERE a <= 5 AND (a < 5 OR (b, id) >= (7, 9)) ORDER BY a DESC, b ASC, id ASC LIMIT 9",
        ),
        (&spider, "a id", false, "T WHERE a >= 5 AND (a > 5 OR id > 7) ORDER BY a ASC, id ASC LIMIT 9"),
        (
            &spider,
            "a -b id",
            true,
            "T WHERE a >= 5 AND (a > 5 OR (b <= 7 AND (b < 7 OR id >= 9))) ORDER BY a ASC, b DESC, id ASC LIMIT 9",
        ),
    ] {
        let values = &values[..sorts(key).len()];
        assert_eq!(page(access, key, values, inclusive), expected, "{key}");
    }
    // With NULLs, the ranges stay apart.
    assert!(page(&citus, "-a+last id", &values[..2], false).contains("UNION ALL"));
}
