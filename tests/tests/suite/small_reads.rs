//! Counts, single rows and facets of a list: each has what a sorted list in memory has, in one statement.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

use folio::sea_query::{Expr, Func, Query};
use folio::{Builder, Column, DB, Folio, Paginate, Select};
use folio_tests::recorder::record_statements;

use crate::server::{ID, TEXT};
use crate::suite::db::{self, Pool};

/// A row of the table, with ties and NULLs in the columns that the models are ordered by.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Row {
    id: i64,
    author: i64,
    score: Option<i64>,
    moment: i64,
}

const ROWS: i64 = 240;

fn rows() -> Vec<Row> {
    let row =
        |id: i64| Row { id, author: id * 7 % 11, score: (id % 5 != 0).then_some(id * 13 % 4), moment: id * 3 % 7 };
    (1..=ROWS).map(row).collect()
}

fn schema(table: &str) -> String {
    let number = |number: Option<i64>| number.map_or("NULL".to_owned(), |number| number.to_string());
    let literal = |row: &Row| format!("({}, {}, {}, {})", row.id, row.author, number(row.score), row.moment);
    let rows: Vec<String> = rows().iter().map(literal).collect();
    format!(
        "CREATE TABLE {table} (id {ID}, author BIGINT NOT NULL, score BIGINT, moment BIGINT NOT NULL); \
         CREATE INDEX {table}_key ON {table} (score, moment, id); INSERT INTO {table} VALUES {}",
        rows.join(", ")
    )
}

/// The order of a model: where NULL scores are, and the directions.
#[derive(Clone, Copy)]
struct Sorted {
    nulls_first: bool,
    descends: [bool; 3],
}

impl Sorted {
    fn compare(self, one: &Row, other: &Row) -> Ordering {
        let scores = match (one.score, other.score) {
            (Some(one), Some(other)) => directed(one.cmp(&other), self.descends[0]),
            (one, other) if self.nulls_first => one.is_some().cmp(&other.is_some()),
            (one, other) => one.is_none().cmp(&other.is_none()),
        };
        let moments = directed(one.moment.cmp(&other.moment), self.descends[1]);
        scores.then(moments).then(directed(one.id.cmp(&other.id), self.descends[2]))
    }
}

fn directed(ordering: Ordering, descends: bool) -> Ordering {
    if descends { ordering.reverse() } else { ordering }
}

/// The restrictions of a list, in the query and in memory.
#[derive(Debug, Clone, Copy)]
enum Only {
    All,
    Score(i64),
    Authors([i64; 3]),
    ScoreOfAuthors(i64, [i64; 2]),
    Nothing,
}

impl Only {
    fn has(self, row: &Row) -> bool {
        match self {
            Self::All => true,
            Self::Score(score) => row.score == Some(score),
            Self::Authors(authors) => authors.contains(&row.author),
            Self::ScoreOfAuthors(least, authors) => row.score >= Some(least) && authors.contains(&row.author),
            Self::Nothing => false,
        }
    }
}

const LISTS: [Only; 5] =
    [Only::All, Only::Score(2), Only::Authors([3, 4, 99]), Only::ScoreOfAuthors(1, [0, 7]), Only::Nothing];

/// A model in each order, and a function that compares its small reads with the rows in memory.
macro_rules! orders {
    ($($model:ident $key:ident $check:ident = $order:literal, $nulls_first:literal, $descends:expr;)*) => {$(
        #[derive(Debug, Clone, sqlx::FromRow, Paginate)]
        #[paginate(table = "small_reads", cursor_key = $order)]
        #[expect(dead_code, reason = "`author` is only filtered by")]
        struct $model {
            id: i64,
            author: i64,
            score: Option<i64>,
            moment: i64,
        }

        async fn $check() {
            let order = Sorted { nulls_first: $nulls_first, descends: $descends };
            let list = |only: Only| match only {
                Only::All => $model::query(),
                Only::Score(score) => $model::query().filter($model::SCORE.eq(score)),
                Only::Authors(authors) => $model::query().among($model::AUTHOR, authors),
                Only::ScoreOfAuthors(least, authors) => {
                    $model::query().filter($model::SCORE.gte(least)).among($model::AUTHOR, authors)
                }
                Only::Nothing => $model::query().filter($model::ID.lt(0)),
            };
            for only in LISTS {
                let mut expected: Vec<Row> = rows().into_iter().filter(|row| only.has(row)).collect();
                expected.sort_by(|one, other| order.compare(one, other));
                let len = u64::try_from(expected.len()).unwrap();
                let what = format!("{} of {only:?}", $order);
                assert_eq!(list(only).count().await.unwrap(), len, "{what}");
                assert_eq!(list(only).count_up_to(9).count().await.unwrap(), len.min(9), "{what}");
                assert_eq!(list(only).exists().await.unwrap(), len > 0, "{what}");
                let first = list(only).first().await.unwrap().map(|row| row.id);
                assert_eq!(first, expected.first().map(|row| row.id), "{what}");
                let page = list(only).cursor_paginate(1).await.unwrap();
                assert_eq!(first, page.data.first().map(|row| row.id), "{what}");

                // Rows of the list, rows of others, and rows that were deleted.
                let gone = [(Some(2), 3), (None, 3), (Some(9), 0), (Some(-9), 9), (None, -1), (None, 99)];
                let gone = gone.map(|(score, moment)| Row { id: 1_000, author: 0, score, moment });
                for seen in rows().into_iter().step_by(17).chain(gone) {
                    let key = $key { score: seen.score, moment: seen.moment, id: seen.id };
                    let are = |side| expected.iter().filter(|row| order.compare(row, &seen) == side).count();
                    let [before, after] = [Ordering::Less, Ordering::Greater].map(|side| u64::try_from(are(side)).unwrap());
                    assert_eq!(list(only).count_after(&key).await.unwrap(), after, "{what} after {seen:?}");
                    assert_eq!(list(only).count_before(&key).await.unwrap(), before, "{what} before {seen:?}");
                    let limited = list(only).count_up_to(5).count_after(&key).await.unwrap();
                    assert_eq!(limited, after.min(5), "{what} after {seen:?}");
                }
                for row in rows().into_iter().step_by(31) {
                    let found = list(only).find(row.id).await.unwrap().map(|found| found.id);
                    assert_eq!(found, only.has(&row).then_some(row.id), "{what}");
                }
                assert!(list(only).find(ROWS + 1).await.unwrap().is_none());

                let mut scores: BTreeMap<Option<i64>, u64> = BTreeMap::new();
                expected.iter().for_each(|row| *scores.entry(row.score).or_default() += 1);
                let mut counted = list(only).count_by($model::SCORE, 100).await.unwrap();
                assert!(counted.is_sorted_by_key(|(_, count)| Reverse(*count)), "{what}: {counted:?}");
                counted.sort_unstable();
                assert_eq!(counted, scores.into_iter().collect::<Vec<_>>(), "{what}");
            }
        }
    )*};
}
orders! {
    Best BestKey best = "score desc nulls last, moment, id", false, [true, false, false];
    BestOrNone BestOrNoneKey best_or_none = "score desc nulls first, moment desc", true, [true, true, true];
    Worst WorstKey worst = "score nulls last, moment", false, [false, false, false];
    WorstOrNone WorstOrNoneKey worst_or_none = "score nulls first, moment desc", true, [false, true, true];
}

#[tokio::test]
async fn each_read_has_what_the_list_has() {
    let (folio, _pool) = db::folio(&schema("small_reads")).await;
    folio
        .scope(async {
            best().await;
            best_or_none().await;
            worst().await;
            worst_or_none().await;
        })
        .await;
}

/// Its own table, so that the recorder can tell its statements from those of other tests.
#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(table = "small_said", cursor_key = "score nulls last, moment")]
#[expect(dead_code, reason = "`author` is only filtered by")]
struct Said {
    id: i64,
    author: i64,
    score: Option<i64>,
    moment: i64,
}

#[tokio::test]
async fn each_read_is_one_statement() {
    record_statements();
    let (folio, _pool) = db::folio(&schema("small_said")).await;
    folio
        .scope(async {
            let list = || Said::query().filter(Said::AUTHOR.lt(9));
            let key = SaidKey { score: Some(2), moment: 3, id: 7 };
            // The catalog of the table is known from here on.
            list().count_after(&key).await.unwrap();
            db::selects("small_said");
            macro_rules! one {
                ($read:expr) => {{
                    $read.await.unwrap();
                    let run = db::selects("small_said");
                    assert_eq!(run.len(), 1, "{}: {run:#?}", stringify!($read));
                    run.into_iter().next().unwrap()
                }};
            }
            one!(list().count());
            one!(list().count_up_to(5).count());
            assert!(one!(list().exists()).contains("LIMIT"));
            one!(list().first());
            one!(list().order_by_asc(Said::MOMENT).first());
            assert!(one!(list().find(7)).contains("LIMIT"));
            assert!(one!(list().count_by(Said::MOMENT, 3)).contains("LIMIT"));
            let after = one!(list().count_after(&key));
            assert!(!after.contains("LIMIT") && !after.contains("ORDER BY"), "{after}");
            assert!(one!(list().count_up_to(5).count_before(&key)).contains("LIMIT"));

            // A known total is not asked for.
            assert_eq!(list().with_total(7).count().await.unwrap(), 7);
            assert!(db::selects("small_said").is_empty());
        })
        .await;
}

#[tokio::test]
async fn the_first_row_is_that_of_the_pages() {
    let (folio, _pool) = db::folio(&schema("small_reads")).await;
    folio
        .scope(async {
            let id = async |query: Builder<Best>| query.first().await.unwrap().map(|row| row.id);
            let query = Best::query;
            let first = async |query: Builder<Best>| query.page(1).paginate(1).await.unwrap().data[0].id;
            for query in [
                query().order_by((Best::MOMENT.desc(), Best::AUTHOR)),
                query().order_by_desc(Best::MOMENT).order_by_asc(Best::AUTHOR),
                query().order_by_desc(Expr::from(Func::abs(Best::AUTHOR.to_expr()))),
                query().order_by(Best::SCORE.nulls_first()),
            ] {
                assert_eq!(id(query.clone()).await, Some(first(query).await));
            }
            let by_author = query().cursor_by(Best::AUTHOR.desc());
            let page = by_author.clone().cursor_paginate(1).await.unwrap();
            assert_eq!(id(by_author.clone()).await, Some(page.data[0].id));
            for two in [by_author.clone().order_by(Best::ID), by_author.order_by_asc(Best::ID)] {
                let error = two.first().await.unwrap_err();
                assert!(error.status() == 500 && error.to_string().contains("write one `order_by`"), "{error}");
            }
        })
        .await;
}

#[tokio::test]
async fn a_setting_that_would_be_ignored_is_an_error() {
    let (folio, _pool) = db::folio(&schema("small_reads")).await;
    folio
        .scope(async {
            let key = BestKey { score: Some(2), moment: 3, id: 7 };
            let query = Best::query;
            let placed = [
                query().page(1),
                query().cursor(Some("x")),
                query().after(Some("x")),
                query().before(Some("x")),
                query().seek(3),
                query().skip(1),
            ];
            macro_rules! refused {
                ($read:expr, $says:expr) => {{
                    let error = $read.await.map(drop).unwrap_err();
                    assert!(error.status() == 500 && error.to_string().contains($says), "{error}");
                }};
            }
            for query in placed {
                refused!(query.clone().count(), "`count` cannot be combined");
                refused!(query.clone().exists(), "`exists` cannot be combined");
                refused!(query.clone().first(), "`first` cannot be combined");
                refused!(query.clone().find(7), "`find` cannot be combined");
                refused!(query.clone().count_by(Best::SCORE, 5), "`count_by` cannot be combined");
                refused!(query.clone().count_after(&key), "`count_after` cannot be combined");
                refused!(query.count_before(&key), "`count_before` cannot be combined");
            }
            for query in [query().with_total(3), query().estimated_total(), query().estimated_total_above(9)] {
                refused!(query.clone().count_by(Best::SCORE, 5), "counts the rows of each value");
                refused!(query.count_after(&key), "counts a part of the list");
            }
            refused!(query().count_up_to(9).count_by(Best::SCORE, 5), "counts the rows of each value");
            refused!(query().order_by(Best::ID).count_after(&key), "the list has another order");
            refused!(query().cursor_by(Best::ID).count_before(&key), "the list has another order");
            let foreign = Column::<i64>::new("id").of("others");
            refused!(query().count_by(foreign.any_model(), 5), "is a column of `others`");
            refused!(Select::<(i64,)>::sql("SELECT id FROM small_reads").first(), "needs an order");

            // The first page, whatever the request's is.
            let request = folio::ActiveRequest::new("/?page=3&cursor=x");
            assert_eq!(request.scope(query().cursor(None).count()).await.unwrap(), u64::try_from(ROWS).unwrap());
        })
        .await;
}

#[tokio::test]
async fn selects_are_counted_and_have_a_first_row() {
    let (folio, _pool) = db::folio(&schema("small_reads")).await;
    folio
        .scope(async {
            let select =
                || Query::select().column("id").from("small_reads").cond_where(Column::<i64>::new("id").gt(40)).take();
            let list = || Select::<(i64,)>::from(select()).order_by(Column::<i64>::new("id").desc());
            assert_eq!(list().count().await.unwrap(), 200);
            assert_eq!(list().count_up_to(7).count().await.unwrap(), 7);
            assert_eq!(list().first().await.unwrap(), Some((ROWS,)));
            let limited = Select::<(i64,)>::from(select().order_by("id", sea_query::Order::Asc).limit(3).take());
            assert_eq!((limited.clone().count().await.unwrap(), limited.first().await.unwrap()), (3, Some((41,))));

            let groups = "SELECT author, COUNT(*) AS rows_of FROM small_reads GROUP BY author";
            let groups = || Select::<(i64, i64)>::sql(groups);
            assert_eq!(groups().count().await.unwrap(), 11);
            assert!(groups().exists().await.unwrap());
            let first = groups().order_by(Column::<i64>::new("author").desc()).first().await.unwrap();
            assert_eq!(first.map(|group| group.0), Some(10));
            let inner = "SELECT t.id FROM (SELECT id FROM small_reads ORDER BY id LIMIT 3) AS t";
            assert_eq!(Select::<(i64,)>::sql(inner).count().await.unwrap(), 3);
            let none = "SELECT id FROM small_reads WHERE id < 0";
            let none = || Select::<(i64,)>::sql(none).union_all("SELECT id FROM small_reads WHERE id > 1000");
            assert!(!none().exists().await.unwrap());
            assert_eq!(none().order_by(Column::<i64>::new("id")).first().await.unwrap(), None);
        })
        .await;
}

/// A statement that counts each range by itself would have the values of the filter several times.
#[tokio::test]
async fn a_filter_may_have_many_values() {
    let (folio, _pool) = db::folio(&schema("small_reads")).await;
    folio
        .scope(async {
            let list = || Best::query().filter(Best::ID.is_in(101..20_101));
            let key = BestKey { score: Some(-1), moment: 3, id: 7 };
            let [after, before] = [list().count_after(&key).await.unwrap(), list().count_before(&key).await.unwrap()];
            let expected = rows().into_iter().filter(|row| row.id > 100);
            let (scored, none): (Vec<Row>, Vec<Row>) = expected.partition(|row| row.score.is_some());
            assert_eq!((before, after), (u64::try_from(scored.len()).unwrap(), u64::try_from(none.len()).unwrap()));
            assert_eq!(list().count_up_to(3).count_before(&key).await.unwrap(), 3);
            assert!(list().exists().await.unwrap() && list().find(101).await.unwrap().is_some());
        })
        .await;
}

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "small_words", primary_key = "tenant, word")]
struct Word {
    tenant: i64,
    word: String,
    kind: Option<String>,
}

async fn words() -> (Folio, Pool) {
    let rows = ["(1, 'a', 'x')", "(1, 'b', NULL)", "(2, 'a', 'y')", "(2, 'c', 'x')", "(2, 'd', NULL)"].join(", ");
    db::folio(&format!(
        "CREATE TABLE small_words (tenant BIGINT NOT NULL, word {TEXT} NOT NULL, kind {TEXT}, PRIMARY KEY (tenant, word)); \
         INSERT INTO small_words VALUES {rows}"
    ))
    .await
}

#[tokio::test]
async fn a_row_is_found_by_a_key_of_several_columns() {
    let (folio, _pool) = words().await;
    folio
        .scope(async {
            let found = Word::query().find((2, "a")).await.unwrap();
            assert_eq!(found, Some(Word { tenant: 2, word: "a".into(), kind: Some("y".into()) }));
            assert_eq!(Word::query().find((1, "c".to_owned())).await.unwrap(), None);
            let of_one = || Word::query().filter(Word::TENANT.eq(1));
            assert!(
                of_one().find((2, "a")).await.unwrap().is_none() && of_one().find((1, "a")).await.unwrap().is_some()
            );
            // A client's text is a value, whatever it contains.
            for text in ["' OR 1 = 1 --", "a%", "\u{1F600}", ""] {
                assert_eq!(Word::query().find((1, text)).await.unwrap(), None, "{text}");
            }
            // Some databases cannot store this one.
            let client_is_told = |error: Option<folio::FrameworkError>| error.is_none_or(|error| error.status() == 400);
            assert!(client_is_told(Word::query().find((1, "a\0")).await.err()));
            let key = WordKey { tenant: 1, word: "a\0".into() };
            assert!(client_is_told(Word::query().count_after(&key).await.err()));
            let kinds = Word::query().count_by(Word::KIND, 2).await.unwrap();
            assert!(
                kinds.contains(&(Some("x".into()), 2)) && kinds.contains(&(None, 2)) && kinds.len() == 2,
                "{kinds:?}"
            );
            assert_eq!(Word::query().count_by(Word::KIND, 0).await.unwrap(), []);
            let tenants = Word::query().count_by(Word::TENANT, 1).await.unwrap();
            assert_eq!(tenants, [(2, 3)]);
            let key = WordKey { tenant: 1, word: "b".into() };
            assert_eq!(Word::query().count_after(&key).await.unwrap(), 3);
            assert_eq!(Word::query().count_before(&key).await.unwrap(), 1);
        })
        .await;
}

#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(table = "small_view")]
#[expect(dead_code, reason = "it is not read")]
struct Seen {
    id: i64,
    kind: String,
}

#[tokio::test]
async fn a_key_that_is_not_unique_and_a_null_are_errors() {
    let (folio, pool) = words().await;
    db::run(
        &pool,
        "CREATE VIEW small_view AS SELECT tenant AS id, kind FROM small_words WHERE word <> 'b' AND word <> 'd'",
    )
    .await;
    folio
        .scope(async {
            let error = Seen::query().find(2).await.unwrap_err();
            assert!(
                error.to_string().contains("several rows of `small_view` have the same primary key (id)"),
                "{error}"
            );
            assert!(Seen::query().find(1).await.unwrap().is_some());
        })
        .await;
    db::run(&pool, "DROP VIEW small_view").await;
    db::run(&pool, "CREATE VIEW small_view AS SELECT tenant AS id, kind FROM small_words").await;
    folio
        .scope(async {
            let error = Seen::query().count_by(Seen::KIND, 5).await.unwrap_err();
            assert!(error.to_string().contains("`kind`") || error.to_string().contains("\"kind\""), "{error}");
            assert!(error.to_string().contains("make it an `Option`"), "{error}");
        })
        .await;
}

/// A NULL that the type of the column does not have is counted where the database sorts it.
#[derive(Debug, Clone, sqlx::FromRow, Paginate)]
#[paginate(table = "small_nulls", cursor_key = "kind, place")]
#[expect(dead_code, reason = "it is not read")]
struct Nulls {
    id: i64,
    kind: i64,
    place: i64,
}

#[tokio::test]
async fn a_null_that_is_not_expected_is_counted_on_its_side() {
    let (folio, _pool) = db::folio(&format!(
        "CREATE TABLE small_nulls (id {ID}, kind BIGINT, place BIGINT); \
         INSERT INTO small_nulls VALUES (1, 1, 1), (2, 1, NULL), (3, 2, 5), (4, NULL, 1), (5, 1, 0)"
    ))
    .await;
    folio
        .scope(async {
            let key = NullsKey { kind: 1, place: 1, id: 1 };
            let after = Nulls::query().count_after(&key).await.unwrap();
            let before = Nulls::query().count_before(&key).await.unwrap();
            assert_eq!(after + before, 4, "each other row is on one side: {after} after, {before} before");
        })
        .await;
}

#[tokio::test]
async fn the_reads_run_where_pages_do() {
    let (folio, pool) = db::folio(&schema("small_reads")).await;
    let key = BestKey { score: None, moment: 99, id: 9_999 };
    let read = async || -> folio::Result<(u64, bool, bool, u64, u64)> {
        let list = || Best::query().filter(Best::ID.gt(ROWS));
        Ok((
            list().count().await?,
            list().exists().await?,
            list().first().await?.is_some() && list().find(ROWS + 1).await?.is_some(),
            list().count_by(Best::AUTHOR, 5).await?.iter().map(|(_, count)| count).sum(),
            list().count_before(&key).await?,
        ))
    };
    folio
        .scope(async {
            let undone: folio::Result<()> = DB::transaction(async || {
                db::here(format!("INSERT INTO small_reads VALUES ({}, 1, 1, 1)", ROWS + 1)).await?;
                assert_eq!(read().await?, (1, true, true, 1, 1));
                Err(sqlx::Error::RowNotFound.into())
            })
            .await;
            undone.unwrap_err();
            assert_eq!(read().await.unwrap(), (0, false, false, 0, 0));
        })
        .await;
    let mut connection = pool.acquire().await.unwrap();
    assert_eq!(Best::query().using(&mut *connection).count().await.unwrap(), u64::try_from(ROWS).unwrap());
    assert!(Best::query().using(&mut *connection).find(7).await.unwrap().is_some());
    assert!(Best::query().using(&mut *connection).first().await.unwrap().is_some());
    assert!(Best::query().using(&mut *connection).count_before(&key).await.unwrap() > 0);
}

/// A handler of a runtime with several threads can await each of them.
#[test]
fn small_reads_may_move_between_threads() {
    fn sent(_: impl Send) {}
    let list = Said::query;
    sent(list().count());
    sent(list().exists());
    sent(list().first());
    sent(list().find(1));
    sent(list().count_by(Said::AUTHOR, 9));
    let key = SaidKey { score: None, moment: 1, id: 1 };
    sent(list().count_after(&key));
    sent(list().count_before(&key));
    sent(list().newer_than("").exists());
    sent(list().newer_than("").count_at_most(9));
    sent(list().around_id(1, 1, 1));
    sent(Select::<(i64,)>::sql("SELECT 1").count());
}
