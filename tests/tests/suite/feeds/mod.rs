//! Feeds: a walk through the rows of many groups sees the same rows as a sorted list in memory, whatever the number of
//! groups. It decides which form a statement has, so each form reads small lists here. The pages of each group are
//! those of a query that filters by it.

mod children;
mod edges;
mod writers;

use std::cmp::Ordering;

use folio::{Builder, CursorPaginator, Folio, IntoOrder as _, Order, Paginate};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use uuid::Uuid;

use crate::server::{FOLDED, ID, types};
use crate::suite::db;

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "feed_posts", cursor_key = "moment desc, id desc")]
pub(super) struct Post {
    id: i64,
    author_id: Option<i64>,
    kind: i32,
    tag: String,
    code: Uuid,
    moment: i32,
    score: Option<i64>,
}

const ROWS: i64 = 1_500;

/// Posts of a few big authors, of hundreds of small ones, and of none. Many have the same moment.
fn rows() -> Vec<Post> {
    (1..=ROWS).map(row).collect()
}

fn row(id: i64) -> Post {
    let author = if id % 3 == 0 { id % 7 } else { 10 + id * 31 % 400 };
    Post {
        id,
        author_id: (id % 50 != 0).then_some(author),
        kind: i32::try_from(id * 5 % 3).unwrap(),
        tag: format!("t{}", id * 13 % 300),
        code: code(id * 17 % 300),
        moment: i32::try_from(id * 7 % 23).unwrap(),
        score: (id % 4 != 0).then_some(id * 11 % 9),
    }
}

fn code(of: i64) -> Uuid {
    Uuid::from_u128(u128::try_from(of).unwrap() << 64 | 0xfedc)
}

/// The rows in a table that has an index for each list.
pub(super) async fn posts() -> (Folio, db::Pool) {
    let literals: Vec<String> = rows().into_iter().map(literal).collect();
    let (before, folded) = FOLDED;
    let uuid = types::UUID;
    db::folio(&format!(
        "{before} CREATE TABLE feed_posts (id {ID}, author_id BIGINT, kind INTEGER NOT NULL, tag {folded} NOT NULL, \
         code {uuid} NOT NULL, moment INTEGER NOT NULL, score BIGINT); \
         CREATE INDEX feed_author ON feed_posts (author_id, moment, id); \
         CREATE INDEX feed_mixed ON feed_posts (author_id, moment DESC, id); \
         CREATE INDEX feed_score ON feed_posts (author_id, score, id); \
         CREATE INDEX feed_kind ON feed_posts (author_id, kind, moment, id); \
         CREATE INDEX feed_tag ON feed_posts (tag, moment, id); \
         CREATE INDEX feed_code ON feed_posts (code, moment, id); \
         INSERT INTO feed_posts VALUES {}",
        literals.join(", ")
    ))
    .await
}

fn literal(row: Post) -> String {
    let number = |number: Option<i64>| number.map_or("NULL".to_owned(), |number| number.to_string());
    let (author, score) = (number(row.author_id), number(row.score));
    let code = row.code.simple();
    let code = if types::UUID == "UUID" { format!("'{code}'") } else { format!("X'{code}'") };
    format!("({}, {author}, {}, '{}', {code}, {}, {score})", row.id, row.kind, row.tag, row.moment)
}

/// The column, or the columns, that group the rows.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Groups {
    Author,
    AuthorAndKind,
    Tag,
    Code,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum FeedOrder {
    Newest,
    Oldest,
    Mixed,
    BestFirst,
    BestLast,
    WorstFirst,
}

/// The list's other filter. An index of the authors has the kind as well, so that it serves an equality.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Filter {
    None,
    Equality,
    Range,
}

#[derive(Debug, Clone)]
struct Case {
    groups: Groups,
    order: FeedOrder,
    /// The groups, by number. Some have no rows, and some are given twice.
    values: Vec<i64>,
    filter: Filter,
    rows: u64,
}

fn case() -> impl Strategy<Value = Case> {
    let groups = select(vec![Groups::Author, Groups::Author, Groups::AuthorAndKind, Groups::Tag, Groups::Code]);
    let orders = [
        FeedOrder::Newest,
        FeedOrder::Oldest,
        FeedOrder::Mixed,
        FeedOrder::BestFirst,
        FeedOrder::BestLast,
        FeedOrder::WorstFirst,
    ];
    let count = prop_oneof![0..=3_usize, 4..=40_usize, 90..=140_usize, 200..=420_usize];
    let values = count.prop_flat_map(|count| proptest::collection::vec(0..420_i64, count));
    let order = select(orders.to_vec());
    let filters = select(vec![Filter::None, Filter::None, Filter::Equality, Filter::Range]);
    (groups, order, values, filters, 1..=20_u64).prop_map(|(groups, order, values, filter, rows)| Case {
        groups,
        // Few lists have an index with another order.
        order: if groups == Groups::Author { order } else { FeedOrder::Newest },
        values,
        filter,
        rows,
    })
}

fn compare(order: FeedOrder, a: &Post, b: &Post) -> Ordering {
    let (moments, ids) = (a.moment.cmp(&b.moment), a.id.cmp(&b.id));
    // `None` is less than each score.
    let scores = a.score.cmp(&b.score);
    let nulls = a.score.is_none().cmp(&b.score.is_none());
    match order {
        FeedOrder::Newest => moments.then(ids).reverse(),
        FeedOrder::Oldest => moments.then(ids),
        FeedOrder::Mixed => moments.reverse().then(ids),
        FeedOrder::BestFirst => scores.reverse().then(ids.reverse()),
        FeedOrder::BestLast => scores.then(ids),
        FeedOrder::WorstFirst => nulls.then(scores).then(ids),
    }
}

impl Case {
    fn query(&self) -> Builder<Post> {
        let query = self.all();
        match self.groups {
            Groups::Author => query.among(Post::AUTHOR_ID, self.values.clone()),
            Groups::AuthorAndKind => query.among((Post::AUTHOR_ID, Post::KIND), self.values.iter().map(pair)),
            Groups::Tag => query.among(Post::TAG, self.values.iter().map(tag)),
            Groups::Code => query.among(Post::CODE, self.values.iter().copied().map(code)),
        }
    }

    /// The rows of all groups.
    fn all(&self) -> Builder<Post> {
        let query = Post::query().order_by(self.order());
        match self.filter {
            Filter::None => query,
            Filter::Equality => query.filter(Post::KIND.eq(1)),
            Filter::Range => query.filter(Post::KIND.lt(2)),
        }
    }

    /// The rows of the group with this number.
    fn group(&self, number: i64) -> Builder<Post> {
        let query = self.all();
        match self.groups {
            Groups::Author => query.filter(Post::AUTHOR_ID.eq(number)),
            Groups::AuthorAndKind => query.among((Post::AUTHOR_ID, Post::KIND), [pair(&number)]),
            Groups::Tag => query.filter(Post::TAG.eq(tag(&number))),
            Groups::Code => query.filter(Post::CODE.eq(code(number))),
        }
    }

    fn order(&self) -> Order {
        match self.order {
            FeedOrder::Newest => (Post::MOMENT.desc(), Post::ID.desc()).erased(),
            FeedOrder::Oldest => (Post::MOMENT, Post::ID).erased(),
            FeedOrder::Mixed => (Post::MOMENT.desc(), Post::ID).erased(),
            FeedOrder::BestFirst => (Post::SCORE.desc().nulls_last(), Post::ID.desc()).erased(),
            FeedOrder::BestLast => (Post::SCORE.asc().nulls_first(), Post::ID).erased(),
            FeedOrder::WorstFirst => (Post::SCORE.asc().nulls_last(), Post::ID).erased(),
        }
    }

    /// Whether a row is in the group with this number.
    fn is_in(&self, row: &Post, number: i64) -> bool {
        let is_in_group = match self.groups {
            Groups::Author => row.author_id == Some(number),
            Groups::AuthorAndKind => row.author_id.map(|author| (author, row.kind)) == Some(pair(&number)),
            Groups::Tag => row.tag == tag(&number).to_lowercase(),
            Groups::Code => row.code == code(number),
        };
        let matches = match self.filter {
            Filter::None => true,
            Filter::Equality => row.kind == 1,
            Filter::Range => row.kind < 2,
        };
        is_in_group && matches
    }

    fn expected(&self) -> Vec<i64> {
        self.sorted(|row| self.values.iter().any(|number| self.is_in(row, *number)))
    }

    fn sorted(&self, has: impl Fn(&Post) -> bool) -> Vec<i64> {
        let mut rows: Vec<Post> = rows().into_iter().filter(has).collect();
        rows.sort_by(|a, b| compare(self.order, a, b));
        rows.iter().map(|row| row.id).collect()
    }
}

fn pair(number: &i64) -> (i64, i32) {
    (number / 2, i32::try_from(number % 3).unwrap())
}

/// A tag, which the column takes for equal to the same one in small letters.
fn tag(number: &i64) -> String {
    if number % 2 == 0 { format!("T{number}") } else { format!("t{number}") }
}

pub(super) fn ids(page: &CursorPaginator<Post>) -> Vec<i64> {
    page.data.iter().map(|row| row.id).collect()
}

/// Walks to the end and back.
async fn check(case: &Case) {
    let expected = case.expected();
    let (mut seen, mut cursor, mut last) = (Vec::new(), None, None);
    // The first pages, and a page in the middle of the rest.
    for _ in 0..4 {
        let page = case.query().cursor(cursor.as_deref()).cursor_paginate(case.rows).await.unwrap();
        seen.extend(ids(&page));
        cursor = page.next_cursor.clone();
        last = Some(page);
        if cursor.is_none() {
            break;
        }
    }
    let read = seen.len();
    assert_eq!(seen, expected[..read], "forwards");
    assert_eq!(cursor.is_none(), read == expected.len(), "the end");
    let back = last.and_then(|page| page.prev_cursor.map(|prev| (prev, page.data.len())));
    if let Some((prev, on_page)) = back {
        let page = case.query().cursor(Some(&prev)).cursor_paginate(case.rows).await.unwrap();
        let end = read - on_page;
        let begin = end.saturating_sub(usize::try_from(case.rows).unwrap());
        assert_eq!(ids(&page), expected[begin..end], "backwards");
    }
    let end = case.query().last_page(case.rows).await.unwrap();
    let begin = expected.len().saturating_sub(usize::try_from(case.rows).unwrap());
    assert_eq!(ids(&end), expected[begin..], "the last page");
    check_depth(case, &expected).await;
}

/// Pages after a row in the middle, in both directions.
async fn check_depth(case: &Case, expected: &[i64]) {
    let middle =
        case.query().skip(u64::try_from(expected.len() / 2).unwrap()).cursor_paginate(case.rows).await.unwrap();
    let (Some(next), Some(prev)) = (&middle.next_cursor, &middle.prev_cursor) else { return };
    let size = usize::try_from(case.rows).unwrap();
    let begin = expected.len() / 2;
    let end = begin + middle.data.len();
    assert_eq!(ids(&middle), expected[begin..end], "after skipped rows");
    let later = case.query().cursor(Some(next)).cursor_paginate(case.rows).await.unwrap();
    assert_eq!(ids(&later), expected[end..expected.len().min(end + size)], "after the middle");
    let earlier = case.query().cursor(Some(prev)).cursor_paginate(case.rows).await.unwrap();
    assert_eq!(ids(&earlier), expected[begin.saturating_sub(size)..begin], "before the middle");
}

/// Checks random cases.
fn run(check: impl AsyncFn(&Case)) {
    let runtime = db::runtime();
    let (folio, _pool) = runtime.block_on(posts());
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(24);
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new(config)
        .run(&case(), |case| {
            runtime.block_on(folio.scope(check(&case)));
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_walk_sees_the_rows_of_all_groups_in_order() {
    run(check);
}

#[test]
fn the_pages_of_each_group_are_those_of_its_own_query() {
    run(children::check);
}
