use sea_query::{ExprTrait as _, Func, Query};

use super::*;
use crate::schema::table::Table;
use crate::statement::template::PageValues;
use crate::testing::{by, by_column_of, by_expression};

static POSTS: Table = Table::new("posts", &[], &["id"], &[]);

fn id() -> Term {
    by_column_of(&POSTS, "id")
}

fn posts() -> SelectStatement {
    Query::select().column("id").column("title").from("posts").take()
}

/// The number of posts of each author.
fn counts() -> SelectStatement {
    let count = Func::count(Expr::col("id"));
    Query::select().column("author").expr_as(count, "posts").from("posts").group_by_col("author").take()
}

/// The select, keyed by this order. The terms of `ties` only break ties.
fn keyed(select: SelectStatement, order: impl IntoIterator<Item = Term>, tie: Term) -> Result<Keyed> {
    let mut terms: Vec<Term> = order.into_iter().collect();
    let given = terms.len();
    terms.push(tie);
    CallerSelect::new(Listing::Select(Box::new(select)), false, Dialect::Sqlite)?.0.keyed(terms, given)
}

/// Whether pages are read from the select itself, and not from a derived table.
fn is_in_place(select: SelectStatement, by: Term) -> bool {
    let Keyed { base, .. } = keyed(select, [by], id()).unwrap();
    !base.sql().contains("FROM (SELECT")
}

#[test]
fn conditions_are_added_in_place_if_their_meaning_stays_the_same() {
    let lower = || by_expression("lower", Func::lower(Expr::col("title")));
    assert!(is_in_place(posts(), id()));
    assert!(is_in_place(posts(), lower()));
    assert!(is_in_place(posts().and_where(Expr::col("a").eq(1)).take(), id()));
    assert!(!is_in_place(posts().limit(3).take(), id()));
    assert!(!is_in_place(posts().cond_where(Expr::col("a").eq(1).or(Expr::col("b").eq(1))).take(), id()));
    assert!(!is_in_place(posts().distinct().take(), by("id")));
    assert!(!is_in_place(counts(), by("posts")), "grouped rows");
    let labelled = || Query::select().column("id").expr_as(Expr::col("slug"), "label").from("posts").take();
    assert!(!is_in_place(labelled(), by("label")), "a column of the result");
    // ORDER BY would read `title` in the expression as the alias.
    let with_alias = || Query::select().column("id").expr_as(Expr::col("slug"), "title").from("posts").take();
    assert!(!is_in_place(with_alias(), lower()));
    assert!(is_in_place(with_alias(), id()));
}

#[test]
fn a_condition_is_added_to_raw_sql_that_its_database_reads_in_one_way() {
    let base = |dialect, condition: &'static str| {
        let select = posts().and_where(Expr::cust(condition)).take();
        let select = CallerSelect::new(Listing::Select(Box::new(select)), false, dialect).unwrap().0;
        select.keyed(vec![id()], 1).unwrap().base.sql().text()
    };
    for condition in
        ["title <> $$it's OR ($$", "title <> E'it\\'s OR ('", "tags @> ARRAY['a', 'b']", "a = 1 /* /* */ OR b */"]
    {
        let select = r#"SELECT "id", "title", "posts"."id" AS "folio_key_0" FROM "posts" WHERE "#;
        assert_eq!(base(Dialect::Postgres, condition), format!("{select}{condition}"));
    }
    for condition in ["title <> 'C:\\'", "[title] <> 'C:\\dir'"] {
        let select = r#"SELECT "id", "title", "posts"."id" AS "folio_key_0" FROM "posts" WHERE "#;
        assert_eq!(base(Dialect::Sqlite, condition), format!("{select}{condition}"));
    }
    let select = "SELECT `id`, `title`, `posts`.`id` AS `folio_key_0` FROM `posts` WHERE ";
    assert_eq!(base(Dialect::MySql, "title <> 'C:\\dir'"), format!("{select}title <> 'C:\\dir'"));
    let ambiguous = "SELECT `id`, `title` FROM `posts` WHERE title <> 'it\\'s OR ('";
    assert!(base(Dialect::MySql, "title <> 'it\\'s OR ('").contains(&format!("FROM ({ambiguous}) AS")));
}

#[test]
fn tie_breakers_are_dropped_if_the_select_does_not_have_them() {
    let terms = |keyed: Keyed| keyed.terms.iter().map(|term| term.key.name).collect::<Vec<_>>();
    let count = || by("posts");
    let grouped = keyed(counts(), [count(), by("author")], id()).unwrap();
    assert!(grouped.table.is_none());
    assert_eq!(terms(grouped), ["posts", "author"]);
    assert!(keyed(counts(), [count(), id()], count()).is_err(), "a column that the caller wrote");
    assert_eq!(terms(keyed(posts(), [by("title")], id()).unwrap()), ["title", "id"]);
}

#[test]
fn rows_of_one_table_do_not_tie_in_its_primary_key() {
    let table = |select: SelectStatement| keyed(select, [id()], id()).unwrap().table.map(|table| table.name);
    assert_eq!(table(posts()), Some("posts"));
    assert_eq!(table(posts().cond_where(Expr::col("a").eq(1).or(Expr::col("b").eq(1))).take()), Some("posts"));
    // A join repeats rows.
    let comments = posts().inner_join("comments", Expr::col("post").eq(1)).take();
    assert_eq!(table(comments), None);
}

#[test]
fn several_texts_have_an_arm_each_and_a_single_one_has_none() {
    let arms = |texts: &[&'static str]| {
        let texts = texts.iter().map(|text| (*text).into()).collect();
        let listing = Listing::Text(RawSql { texts, values: Vec::new(), checked_for: None });
        let select = CallerSelect::new(listing, false, Dialect::Sqlite).unwrap().0;
        select.keyed(vec![by("id")], 1).unwrap().arms.len()
    };
    assert_eq!(arms(&["SELECT id FROM posts", "SELECT id FROM pages"]), 2);
    assert_eq!(arms(&["SELECT id FROM posts"]), 0);
}

#[test]
fn rows_are_counted_without_the_select_list_where_that_changes_nothing() {
    let is_derived = |select: SelectStatement, dialect| {
        let select = CallerSelect::new(Listing::Select(Box::new(select)), false, dialect).unwrap().0;
        select.count(None).sql().contains("FROM (SELECT")
    };
    for dialect in [Dialect::Sqlite, Dialect::Postgres, Dialect::MySql] {
        assert!(!is_derived(posts(), dialect), "{dialect:?}");
        assert!(is_derived(posts().limit(3).take(), dialect), "{dialect:?}");
        assert!(is_derived(posts().offset(3).take(), dialect), "{dialect:?}");
        assert!(is_derived(counts(), dialect), "{dialect:?}");
        let newest = Query::select().expr(Func::max(Expr::col("id"))).from("posts").take();
        assert!(is_derived(newest, dialect), "{dialect:?}");
    }
    // Without the list, SQLite would read the alias in a condition as a text.
    let with_alias = || Query::select().expr_as(Expr::col("slug"), "label").from("posts").take();
    assert!(is_derived(with_alias(), Dialect::Sqlite));
    assert!(!is_derived(with_alias(), Dialect::Postgres) && !is_derived(with_alias(), Dialect::MySql));
}

#[test]
fn a_limit_or_an_offset_alone_gets_the_other_one() {
    let window = |select: SelectStatement| {
        let select = CallerSelect::new(Listing::Select(Box::new(select)), false, Dialect::Sqlite).unwrap().0;
        PageValues::default().bind(select.all().params(), &[])
    };
    let [limit, offset] = [3_u64, 0].map(Value::from);
    assert_eq!(window(posts().limit(3).take()), [limit, offset]);
    let offset = window(posts().offset(7).take());
    assert_eq!((offset.len(), offset.last()), (2, Some(&7_u64.into())));
    assert_eq!(window(posts().limit(5).offset(7).take()), [5_u64, 7].map(Value::from));
    assert!(window(posts()).is_empty());
}
