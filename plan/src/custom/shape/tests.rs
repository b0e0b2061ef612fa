use sea_query::{Condition, Expr, ExprTrait as _, Func, Query, SelectStatement, SqliteQueryBuilder, UnionType};

use super::*;
use crate::custom::lexer::tokens;
use crate::dialect::{Dialect, Sql};
use Dialect::{MySql, Postgres, Sqlite};

fn shape_on(dialect: Dialect, select: &SelectStatement) -> Result<Shape> {
    let text = |select: &SelectStatement| Sql::of_select(dialect, select).text();
    let (whole, without_list) = (text(select), text(select.clone().clear_selects()));
    Shape::of(&Tokens::of(dialect, &whole), &Tokens::of(dialect, &without_list))
}

fn shape(select: &SelectStatement) -> Result<Shape> {
    shape_on(Sqlite, select)
}

fn posts() -> SelectStatement {
    Query::select().column("id").from("posts").take()
}

fn listing(sql: &'static str) -> SelectStatement {
    posts().clear_selects().expr(Expr::cust(sql)).take()
}

fn filtered(sql: &'static str) -> SelectStatement {
    posts().and_where(Expr::cust(sql)).take()
}

#[test]
fn the_kind_is_known_by_the_text() {
    use Kind::{Computed, Disjunction, Plain, Whole};
    let any = || Condition::any().add(Expr::col("a").eq(1)).add(Expr::col("b").eq(1));
    let cases: [(SelectStatement, Kind); 38] = [
        (posts(), Plain),
        (posts().and_where(Expr::col("group").eq("DISTINCT or")).take(), Plain),
        (posts().and_where(Expr::col("id").in_subquery(posts().distinct().take())).take(), Plain),
        (posts().inner_join("users", Expr::col("a").equals("b")).take(), Plain),
        (filtered("a = ' OR (' AND b"), Plain),
        (filtered("a = 'it''s OR ' AND b"), Plain),
        (filtered("a = 1 /* OR */"), Plain),
        (filtered("lower(a) = 'x'"), Plain),
        (listing("title || '!' AS label"), Plain),
        (listing("id, (SELECT COUNT(*) FROM comments) AS comments"), Plain),
        (listing("id, (SELECT name FROM users WHERE id IN (1, 2)) AS name"), Plain),
        (posts().cond_where(any()).take(), Disjunction),
        (filtered("a = 1 OR b = 2"), Disjunction),
        (filtered("a = 1 || b"), Disjunction),
        (posts().distinct().take(), Whole),
        (posts().cond_where(any()).group_by_col("id").take(), Whole),
        (posts().union(UnionType::All, posts()).take(), Whole),
        (posts().union(UnionType::Except, posts()).take(), Whole),
        (posts().clear_selects().expr(Func::max(Expr::col("id"))).take(), Computed),
        (listing("(SUM(id) + 1)"), Computed),
        (listing("CASE WHEN SUM(id) > 1 THEN 1 END"), Computed),
        (listing("COUNT (*)"), Computed),
        (listing("(COUNT(*))"), Computed),
        (listing("(ROW_NUMBER() OVER (ORDER BY id) + 0)"), Computed),
        (listing("(SELECT COUNT(*) OVER () FROM users)"), Computed),
        (listing("(SELECT COUNT(posts.id) FROM users)"), Computed),
        (listing("(SELECT COUNT(id) FROM users)"), Computed),
        (listing("(SELECT SUM(posts.id))"), Computed),
        (listing("\"sum\"(id)"), Computed),
        (listing("_sum(id)"), Computed),
        (Query::select().expr(Expr::val(1)).take(), Whole),
        (Query::select().expr(Expr::cust("* FROM posts")).take(), Whole),
        (listing("* FROM posts JOIN (SELECT 1) AS one ON (SELECT 1)"), Whole),
        (filtered("1 = 1 GROUP BY title"), Whole),
        (filtered("1 = 1 LIMIT 3"), Whole),
        (filtered("1 = 1 ORDER BY title"), Whole),
        (filtered("a = 'C:\\dir' OR b"), Disjunction),
        (filtered("a = '"), Whole),
    ];
    for (select, expected) in cases {
        for dialect in [Sqlite, Postgres, MySql] {
            let sql = select.to_string(SqliteQueryBuilder);
            let found = shape_on(dialect, &select).map(|shape| shape.kind).ok();
            assert_eq!(found, Some(expected), "{dialect:?} {sql}");
        }
    }
}

#[test]
fn raw_sql_in_a_select_is_read_as_its_database_reads_it() {
    use Kind::{Computed, Disjunction, Plain, Whole};
    for (select, [sqlite, postgres, mysql]) in [
        // A backslash before a quote is ambiguous where a setting of the server decides what it means.
        (filtered("a = 'C:\\' OR b"), [Disjunction, Whole, Whole]),
        (filtered("a = E'it\\'s OR ('"), [Whole, Plain, Whole]),
        (filtered("a = $$ OR ( $$"), [Whole, Plain, Whole]),
        (filtered("a = $tag$ it's OR $tag$"), [Whole, Plain, Whole]),
        (filtered("a = ARRAY[1, 2] OR b"), [Disjunction, Disjunction, Disjunction]),
        (filtered("[ OR ( ] = 1"), [Plain, Whole, Whole]),
        (filtered("a = \"it's OR (\""), [Plain, Plain, Plain]),
        (filtered("a = 1 /* /* */ OR b */"), [Disjunction, Plain, Disjunction]),
        (filtered("a = 1 /*! OR b = 2 */"), [Plain, Plain, Whole]),
        (filtered("a = 1 /*M! OR b = 2 */"), [Plain, Plain, Whole]),
        (filtered("a = :name"), [Whole, Plain, Plain]),
        (listing("@n := @n + 1"), [Whole, Computed, Computed]),
        (listing("id, ARRAY[COUNT(*)] AS n"), [Plain, Computed, Computed]),
    ] {
        for (dialect, expected) in [(Sqlite, sqlite), (Postgres, postgres), (MySql, mysql)] {
            let sql = select.to_string(SqliteQueryBuilder);
            let found = shape_on(dialect, &select).map(|shape| shape.kind).ok();
            assert_eq!(found, Some(expected), "{dialect:?} {sql}");
        }
    }
}

#[test]
fn locks_and_comments_that_hide_the_rest_are_refused() {
    for (sql, expected) in [
        ("a = 1 FOR UPDATE", "locks rows"),
        ("a = 1 FOR NO KEY UPDATE", "locks rows"),
        ("a = 1 for share", "locks rows"),
        ("a = 1 LOCK IN SHARE MODE", "locks rows"),
        ("a = 'C:\\' FOR UPDATE", "locks rows"),
        ("a = 1 -- note", "comment"),
        ("a = 5--3", "comment"),
        ("a = 1 # note", "comment"),
        ("a = '\\' -- note '", "comment"),
        ("a = 1 /* note", "comment"),
    ] {
        for dialect in [Sqlite, Postgres, MySql] {
            let error = shape_on(dialect, &filtered(sql)).map_err(|error| error.to_string());
            assert!(matches!(&error, Err(error) if error.contains(expected)), "{dialect:?} {sql}: {error:?}");
        }
    }
    for sql in ["a = ' FOR UPDATE'", "a = '--'", "a = '#'", "a = 1 /* -- # */", "substring(a FROM 1 FOR 3) = 'x'"] {
        for dialect in [Sqlite, Postgres, MySql] {
            assert!(shape_on(dialect, &filtered(sql)).is_ok(), "{dialect:?} {sql}");
        }
    }
}

#[test]
fn a_column_of_the_result_is_found_by_its_name() {
    let found = |name: &str| Lookup::Found(name.to_owned());
    let ambiguous = |name: &str| Lookup::Ambiguous(name.to_owned());
    for (list, name, expected) in [
        ("id, title", "title", found("title")),
        ("id, title AS \"label\"", "label", found("label")),
        ("id, title AS `a``b`", "a`b", found("a`b")),
        ("id, title AS \"label\"", "title", Lookup::Missing),
        ("posts.id, users.id", "id", ambiguous("id")),
        ("DISTINCT posts.id", "id", found("id")),
        ("DISTINCT posts.id", "other", Lookup::Missing),
        ("DISTINCT ON (a, b) posts.id", "id", found("id")),
        ("DISTINCT ON (lower(a), b) posts.id", "id", found("id")),
        ("DISTINCT ON (lower(a), b) posts.id", "b", Lookup::Missing),
        ("ALL id", "id", found("id")),
        ("id, lower(title)", "lower", found("lower")),
        ("*", "anything", found("anything")),
        ("id, title label", "label", found("label")),
        ("id, 1", "other", found("other")),
    ] {
        assert_eq!(shape(&listing(list)).map(|shape| shape.output(name)).ok(), Some(expected), "{list}: {name}");
    }
}

#[test]
fn the_items_of_a_list_are_read_as_its_database_reads_them() {
    let outputs = |dialect, list: &'static str| {
        let items = shape_on(dialect, &listing(list)).unwrap().items.unwrap();
        items.iter().map(|item| item.output().map(str::to_owned)).collect::<Vec<_>>()
    };
    let names = |names: &[&str]| names.iter().map(|name| Some((*name).to_owned())).collect::<Vec<_>>();
    let arrays = "id, ARRAY[1, title, author] AS tags, tags[1] AS first";
    assert_eq!(outputs(Postgres, arrays), names(&["id", "tags", "first"]));
    assert_eq!(outputs(Sqlite, "[id], [a, b] AS [c]"), names(&["id", "c"]));
}

#[test]
fn an_item_has_an_alias_if_it_may_end_in_a_name() {
    for (list, expected) in [
        ("id, title", false),
        ("id, 1", false),
        ("id, lower(title)", false),
        ("id, CASE WHEN a = 1 THEN b END", false),
        ("id, title AS label", true),
        ("id, title label", true),
        ("id, title \"label\"", true),
        ("id, title [label]", true),
        ("id, lower(title) label", true),
        ("", true),
    ] {
        assert_eq!(shape(&listing(list)).map(|shape| shape.has_aliases()).ok(), Some(expected), "{list}");
    }
}

#[test]
fn a_name_is_of_the_result_if_an_alias_or_the_star_of_a_join_may_have_it() {
    let joined = |list| listing(list).from("users").take();
    for (select, expected) in [
        (listing("id"), false),
        (listing("*"), false),
        (listing("id AS name"), true),
        (joined("id"), false),
        (joined("*"), true),
        (joined("name, posts.*"), false),
    ] {
        let sql = select.to_string(SqliteQueryBuilder);
        assert_eq!(shape(&select).map(|shape| shape.is_of_result("name")).ok(), Some(expected), "{sql}");
    }
}

#[test]
fn a_column_of_a_table_is_found_in_the_result() {
    let found = |name: &str| Lookup::Found(name.to_owned());
    for (list, expected) in [
        ("id", found("id")),
        ("posts.id", found("id")),
        ("\"posts\".\"id\" AS \"post\", users.id", found("post")),
        ("blog.posts.id", found("id")),
        ("users.id", Lookup::Missing),
        ("posts.title AS id", Lookup::Missing),
        ("posts.*", found("id")),
        ("users.*", Lookup::Missing),
        ("*", found("id")),
        ("users.id, posts.*", Lookup::Ambiguous("id".to_owned())),
        ("users.id, posts.title label", Lookup::Missing),
        ("posts.id, posts.id", Lookup::Ambiguous("id".to_owned())),
    ] {
        assert_eq!(shape(&listing(list)).map(|shape| shape.output_of("posts", "id")).ok(), Some(expected), "{list}");
    }
}

#[test]
fn a_list_before_ambiguous_text_is_read() {
    for condition in ["title = $$ it's $$", "title = E'it\\'s OR ('", "title = '\\'"] {
        let select = listing("posts.id AS post, users.id").and_where(Expr::cust(condition)).take();
        for dialect in [Sqlite, Postgres, MySql] {
            let found = shape_on(dialect, &select).map(|shape| shape.output_of("posts", "id")).ok();
            assert_eq!(found, Some(Lookup::Found("post".to_owned())), "{dialect:?} {condition}");
        }
    }
    let unread = shape_on(MySql, &listing("users.id, posts.title = '\\' AS same"));
    assert_eq!(unread.map(|shape| shape.output_of("posts", "id")).ok(), Some(Lookup::Missing));
}

#[test]
fn a_single_table_is_known() {
    let table = |schema: Option<&str>, name: &str, alias: Option<&str>| {
        let owned = |text: &str| text.to_owned();
        Some(From { schema: schema.map(owned), name: name.to_owned(), alias: alias.map(owned) })
    };
    let from = |alias: &'static str| Query::select().column("id").from_as("posts", alias).take();
    for (select, expected) in [
        (posts(), table(None, "posts", None)),
        (posts().and_where(Expr::col("a").eq(1)).take(), table(None, "posts", None)),
        (from("p"), table(None, "posts", Some("p"))),
        (Query::select().column("id").from(("blog", "posts")).take(), table(Some("blog"), "posts", None)),
        (posts().from("users").take(), None),
        (posts().left_join("users", Expr::col("a").equals("b")).take(), None),
        (Query::select().column("id").from_subquery(posts(), "p").take(), None),
    ] {
        let sql = select.to_string(SqliteQueryBuilder);
        assert_eq!(shape(&select).map(|shape| shape.table).ok(), Some(expected), "{sql}");
    }
}

#[test]
fn a_text_shows_whether_its_rows_are_computed_and_counted_separately() {
    for (sql, is_computed, counts_apart) in [
        ("SELECT id FROM posts", false, false),
        ("SELECT id FROM posts WHERE a = 1 OR b = 1", false, false),
        ("SELECT id FROM posts UNION ALL SELECT id FROM users", true, true),
        ("SELECT id FROM posts UNION SELECT id FROM users", true, false),
        ("SELECT id FROM (SELECT id FROM posts UNION ALL SELECT id FROM users) AS both", false, false),
        ("SELECT id, @n := @n + 1 AS n FROM posts", false, true),
        ("SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS n FROM posts", true, false),
        ("SELECT id FROM posts GROUP BY id", true, false),
        ("SELECT DISTINCT id FROM posts", true, false),
    ] {
        let shape = tokens(MySql, sql).map(|tokens| Shape::of_text(&tokens));
        let found = shape.map(|shape| (shape.is_computed, shape.counts_apart)).ok();
        assert_eq!(found, Some((is_computed, counts_apart)), "{sql}");
    }
}

#[test]
fn a_select_is_counted_separately_if_it_combines_others_or_has_a_variable() {
    for (select, expected) in [
        (posts(), false),
        (posts().and_where(Expr::col("id").in_subquery(posts().union(UnionType::All, posts()).take())).take(), false),
        (posts().union(UnionType::All, posts()).take(), true),
        (posts().union(UnionType::Except, posts()).take(), true),
        (listing("@n := @n + 1"), true),
    ] {
        let sql = select.to_string(SqliteQueryBuilder);
        assert_eq!(shape_on(MySql, &select).map(|shape| shape.counts_apart).ok(), Some(expected), "{sql}");
    }
}

#[test]
fn clauses_that_nothing_can_follow_are_recognized() {
    // Expected: ends in a WINDOW clause; ORDER BY selects the rows; has ORDER BY or LIMIT in raw SQL.
    for (list, condition, expected) in [
        ("id", "a = 1", [false, false, false]),
        ("id", "a = 1 WINDOW w AS (ORDER BY id)", [true, false, false]),
        ("id", "a IN (SELECT a FROM users WINDOW w AS (ORDER BY id))", [false, false, false]),
        ("DISTINCT ON (author) id", "a = 1", [false, true, false]),
        ("DISTINCT id", "a = 1", [false, false, false]),
        ("id", "a = 1 ORDER BY title", [false, false, true]),
        ("id", "a = 1 LIMIT 3", [false, false, true]),
        ("id", "a IN (SELECT a FROM users LIMIT 3)", [false, false, false]),
    ] {
        let found = shape(&listing(list).and_where(Expr::cust(condition)).take());
        let found = found.map(|shape| [shape.ends_in_window, shape.order_selects_rows, shape.raw_tail]).ok();
        assert_eq!(found, Some(expected), "{list} {condition}");
    }
    // Also if the rest is ambiguous.
    let doubtful = |list, condition| shape_on(Postgres, &listing(list).and_where(Expr::cust(condition)).take());
    let window = doubtful("id", "a = '\\' WINDOW w AS (ORDER BY id)");
    assert_eq!(window.map(|shape| shape.ends_in_window).ok(), Some(true));
    let distinct = doubtful("DISTINCT ON (author) id", "a = '\\'");
    assert_eq!(distinct.map(|shape| shape.order_selects_rows).ok(), Some(true));
}

#[test]
fn the_first_of_several_selects_names_the_columns() {
    let read = |list: &'static str| shape(&listing(list)).unwrap();
    let all = Shape::of_all(vec![read("id AS post"), read("id AS person")]);
    assert_eq!(all.output("post"), Lookup::Found("post".to_owned()));
    assert_eq!(all.output("person"), Lookup::Missing);
    assert!(all.counts_apart && all.is_computed && all.table.is_none());
    assert_eq!(Shape::of_all(vec![read("id")]).kind, Kind::Plain);
}
