//! The positions of pages: a job resumes after the last page that it has read, and a client before the first one,
//! whatever is inserted, changed and deleted in between. Each has the rows beyond the key at which it ended, as in a
//! list in memory.

use std::cmp::Ordering;

use folio::page_tokens::TokenRequest;
use folio::relay::Window;
use folio::{ActiveRequest, Column, CursorPaginator, IntoOrder as _, Order, Paginate, Select, Total};
use folio_tests::recorder::record_statements;
use futures_util::TryStreamExt as _;
use serde_json::json;

use crate::server::ID;
use crate::suite::db::{self, Pool};

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "placed")]
struct Placed {
    id: i64,
    grade: Option<i64>,
}

/// The grades sort as these numbers: the rows without a grade come last, in both directions.
fn rank(row: &Placed, descending: bool) -> i64 {
    row.grade.map_or(i64::MAX, |grade| if descending { -grade } else { grade })
}

#[derive(Debug, Clone, Copy)]
struct Sorting {
    descending: bool,
}

impl Sorting {
    fn order(self) -> Order {
        match self.descending {
            true => (Placed::GRADE.desc().nulls_last(), Placed::ID.desc()).erased(),
            false => (Placed::GRADE.nulls_last(), Placed::ID).erased(),
        }
    }

    fn compare(self, a: &Placed, b: &Placed) -> Ordering {
        let ids = if self.descending { b.id.cmp(&a.id) } else { a.id.cmp(&b.id) };
        rank(a, self.descending).cmp(&rank(b, self.descending)).then(ids)
    }
}

/// A list that is changed between reads, in the database and in memory.
struct Changing {
    pool: Pool,
    sorting: Sorting,
    rows: Vec<Placed>,
    /// The state of a random generator, for the same changes in each run.
    seed: u64,
}

impl Changing {
    fn random(&mut self, below: u64) -> u64 {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) % below
    }

    /// Inserts, moves or deletes a row.
    async fn change(&mut self) {
        let grade = |number: u64| (number > 0).then_some(number as i64);
        let at = self.random(self.rows.len().max(1) as u64) as usize;
        let sql = match (self.random(4), self.rows.get_mut(at)) {
            (0, Some(row)) => {
                let id = row.id;
                self.rows.remove(at);
                format!("DELETE FROM placed WHERE id = {id}")
            }
            (1, Some(_)) => {
                let moved = grade(self.random(6));
                self.rows[at].grade = moved;
                let literal = moved.map_or("NULL".to_owned(), |grade| grade.to_string());
                format!("UPDATE placed SET grade = {literal} WHERE id = {}", self.rows[at].id)
            }
            _ => {
                let id = self.random(1_000_000_000) as i64;
                let row = Placed { id, grade: grade(self.random(6)) };
                let literal = row.grade.map_or("NULL".to_owned(), |grade| grade.to_string());
                self.rows.push(row);
                format!("INSERT INTO placed VALUES ({id}, {literal})")
            }
        };
        db::run(&self.pool, sql).await;
        self.rows.sort_by(|a, b| self.sorting.compare(a, b));
    }

    /// The rows after a key, or before it.
    fn beyond(&self, key: Option<&Placed>, side: Ordering) -> Vec<Placed> {
        let is_beyond = |row: &&Placed| key.is_none_or(|key| self.sorting.compare(row, key) == side);
        self.rows.iter().filter(is_beyond).cloned().collect()
    }

    fn list(&self) -> folio::Builder<Placed> {
        Placed::query().order_by(self.sorting.order()).with_positions()
    }
}

/// Jobs that read on from their position, in pages and in chunks, and a client that reads back from its own.
async fn check(mut list: Changing) {
    let mut job: (Option<Placed>, Option<String>) = (None, None);
    let mut client = job.clone();
    for turn in 0..60 {
        for _ in 0..list.random(6) {
            list.change().await;
        }
        let size = 1 + list.random(4);
        let after = list.beyond(job.0.as_ref(), Ordering::Greater);
        if turn % 2 == 0 {
            let chunks = list.list().cursor(job.1.as_deref()).cursor_chunks(size);
            let chunks: Vec<CursorPaginator<Placed>> = chunks.try_collect().await.unwrap();
            let rows: Vec<Placed> = chunks.iter().flat_map(|chunk| chunk.data.clone()).collect();
            assert_eq!(rows, after, "turn {turn}, chunks of {size}");
            job = (rows.last().cloned().or(job.0), chunks.last().unwrap().end_cursor.clone());
        } else {
            let page = list.list().cursor(job.1.as_deref()).cursor_paginate(size).await.unwrap();
            let shown = after.len().min(size as usize);
            assert_eq!(page.data, after[..shown], "turn {turn}, a page of {size}");
            assert_eq!(page.has_more_pages(), shown < after.len());
            job = (page.data.last().cloned().or(job.0), page.end_cursor);
        }
        assert_eq!(job.0.is_some(), job.1.is_some(), "a position is lost in turn {turn}");

        let before = match &client.0 {
            Some(key) => list.beyond(Some(key), Ordering::Less),
            // Without a position, a client begins at the end of the list.
            None => list.rows.clone(),
        };
        let page = match &client.1 {
            Some(start) => list.list().cursor(Some(start)).cursor_paginate(size).await.unwrap(),
            None => list.list().last_page(size).await.unwrap(),
        };
        let hidden = before.len().saturating_sub(size as usize);
        assert_eq!(page.data, before[hidden..], "turn {turn}, {size} rows back");
        client = (page.data.first().cloned().or(client.0), page.start_cursor);
        for (end, is_job) in [(&job, true), (&client, false)] {
            let (Some(key), Some(cursor)) = end else { continue };
            // The larger grades are newer, and the rows without a grade are where the list has them.
            let side = if list.sorting.descending { Ordering::Less } else { Ordering::Greater };
            let newer = list.beyond(Some(key), side).len() as u64;
            let ask = || list.list().newer_than(cursor);
            assert_eq!(ask().exists().await.unwrap(), newer > 0, "turn {turn}, {is_job}");
            let counted = if newer > size { Total::AtLeast(size) } else { Total::Exact(newer) };
            assert_eq!(ask().count_at_most(size).await.unwrap(), counted, "turn {turn}, {is_job}");
        }
        if turn % 7 == 6 {
            client = (None, None);
        }
    }
}

#[tokio::test]
async fn a_position_is_kept_while_the_list_changes() {
    for (seed, descending) in [(1, false), (2, true), (3, false), (4, true)] {
        let columns = format!("id {ID}, grade BIGINT");
        let (folio, pool) = db::folio(&format!("CREATE TABLE placed ({columns})")).await;
        let list = Changing { pool, sorting: Sorting { descending }, rows: Vec::new(), seed };
        folio.scope(check(list)).await;
    }
}

async fn five() -> (folio::Folio, Pool) {
    let rows = "(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)";
    db::folio(&format!("CREATE TABLE placed (id {ID}, grade BIGINT); INSERT INTO placed VALUES {rows}")).await
}

fn ids(page: &CursorPaginator<Placed>) -> Vec<i64> {
    page.data.iter().map(|row| row.id).collect()
}

#[tokio::test]
async fn a_page_has_positions_only_on_request() {
    let (folio, _pool) = five().await;
    let check = async {
        let page = Placed::query().cursor_paginate(9).await.unwrap();
        assert_eq!((&page.start_cursor, &page.end_cursor), (&None, &None));
        let json = serde_json::to_value(page.map(|row| row.id)).unwrap();
        let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
        assert_eq!(keys.len(), 6, "{keys:?}");

        let page = Placed::query().with_positions().cursor_paginate(9).await.unwrap();
        let (start, end) = (page.start_cursor.clone().unwrap(), page.end_cursor.clone().unwrap());
        let json = serde_json::to_value(page.map(|row| row.id)).unwrap();
        assert_eq!((&json["start_cursor"], &json["end_cursor"]), (&json!(start), &json!(end)));
        assert_eq!((&json["next_cursor"], &json["prev_cursor"]), (&json!(null), &json!(null)));
        let same: CursorPaginator<i64> = serde_json::from_value(json).unwrap();
        assert_eq!((same.start_cursor, same.end_cursor), (Some(start), Some(end)));
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn an_empty_page_has_the_position_at_which_it_was_requested() {
    let (folio, pool) = five().await;
    let check = async {
        let all = Placed::query().with_row_cursors().with_positions().cursor_paginate(9).await.unwrap();
        let cursors = all.row_cursors.unwrap();
        let list = || Placed::query().with_positions();

        // Without a cursor, an empty page has no position; nor does one that began at a value.
        let none = list().filter(Placed::ID.gt(9)).cursor_paginate(2).await.unwrap();
        assert_eq!((none.start_cursor, none.end_cursor), (None, None));
        let sought = list().seek(9_i64).cursor_paginate(2).await.unwrap();
        assert_eq!((sought.data.len(), sought.start_cursor, sought.end_cursor), (0, None, None));
        let skipped = list().skip(9).cursor_paginate(2).await.unwrap();
        assert_eq!((skipped.data.len(), skipped.start_cursor, skipped.end_cursor), (0, None, None));

        // Between two neighbours, each position is the cursor on its side.
        let between = list().after(Some(&cursors[1])).before(Some(&cursors[2])).cursor_paginate(9).await.unwrap();
        assert!(between.is_empty());
        let last = list().after(Some(&cursors[1])).before(Some(&cursors[2])).last_page(9).await.unwrap();
        db::run(&pool, "UPDATE placed SET id = 30 WHERE id = 3").await;
        for page in [between, last] {
            let on = list().cursor(page.end_cursor.as_deref()).cursor_paginate(9).await.unwrap();
            assert_eq!(ids(&on), [4, 5, 30]);
            let back = list().cursor(page.start_cursor.as_deref()).cursor_paginate(9).await.unwrap();
            assert_eq!(ids(&back), [1, 2]);
        }

        // What was requested in one direction only has the rows on the other side as well, the row itself included.
        let before = list().before(Some(&cursors[0])).cursor_paginate(9).await.unwrap();
        let on = list().cursor(before.end_cursor.as_deref()).cursor_paginate(2).await.unwrap();
        assert_eq!((before.data.len(), ids(&on)), (0, vec![1, 2]));

        // The request's cursor is one, too.
        let request = ActiveRequest::new(&format!("?cursor={}", all.end_cursor.unwrap()));
        let page = request.scope(list().filter(Placed::ID.lt(9)).cursor_paginate(2)).await.unwrap();
        let on = list().cursor(page.end_cursor.as_deref()).cursor_paginate(2).await.unwrap();
        assert_eq!((page.data.len(), ids(&on)), (0, vec![30]));
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn the_pages_of_groups_have_positions() {
    let (folio, pool) = five().await;
    let check = async {
        let pages = Placed::query().with_positions().each_of(Placed::GRADE, [Some(1), Some(9)]);
        let pages = pages.cursor_paginate(3).await.unwrap();
        assert_eq!(pages[&Some(9)].end_cursor, None);
        let end = pages[&Some(1)].end_cursor.clone();
        db::run(&pool, "INSERT INTO placed VALUES (6, 1)").await;
        let rest = Placed::query().filter(Placed::GRADE.eq(1)).cursor(end.as_deref()).cursor_paginate(3).await.unwrap();
        assert_eq!(ids(&rest), [6]);
    };
    folio.scope(check).await;
}

/// Nothing that a caller writes is ignored. What a request has for a list of the other kind is not for this one.
#[tokio::test]
async fn a_position_that_a_method_cannot_use_is_refused() {
    let (folio, _pool) = five().await;
    let check = async {
        let list = Placed::query;
        let all = list().with_row_cursors().cursor_paginate(9).await.unwrap().row_cursors.unwrap();
        let cursor = Some(&*all[1]);
        let by_number = [("page", list().page(1))];
        let by_row = [
            ("cursor", list().cursor(cursor)),
            ("after", list().after(cursor)),
            ("before", list().before(cursor)),
            ("seek", list().seek(2_i64)),
            ("seek_inclusive", list().seek_inclusive(2_i64)),
            ("skip", list().skip(1)),
        ];
        macro_rules! refused {
            ($positions:expr, $($read:ident($($argument:expr),*)),*) => {$(
                for (position, query) in $positions {
                    let error = query.clone().$read($($argument),*).await.map(drop).unwrap_err();
                    let begin = concat!("`", stringify!($read), "` cannot be combined with");
                    assert!(error.to_string().starts_with(&format!("{begin} `{position}`: ")), "{begin}: {error}");
                    assert_eq!(error.status(), 500);
                }
            )*};
        }
        refused!(&by_row, paginate(2), simple_paginate(2));
        refused!(&by_number, cursor_paginate(2), last_page(2), connection(Window::first(2)));
        refused!(&by_number, token_page(TokenRequest::default().limits(2, 2)));
        for (position, query) in &by_number {
            for (method, error) in [
                ("cursor_chunks", query.clone().cursor_chunks(2).try_collect::<Vec<_>>().await.unwrap_err()),
                ("cursor_stream", query.clone().cursor_stream(2).try_collect::<Vec<_>>().await.unwrap_err()),
            ] {
                let begin = format!("`{method}` cannot be combined with `{position}`: ");
                assert!(error.to_string().starts_with(&begin), "{error}");
            }
        }
        for positions in [&by_number[..], &by_row] {
            refused!(positions, around(&PlacedKey { id: 2 }, 1, 1), around_id(2_i64, 1, 1), around_at(2_i64, 1, 1));
            refused!(positions, around_cursor(&all[1], 1, 1), count(), exists(), first(), find(2_i64));
            refused!(positions, count_by(Placed::GRADE, 5), count_after(&PlacedKey { id: 2 }));
            for (position, query) in positions {
                for (method, error) in [
                    ("newer_than", query.clone().newer_than(&all[1]).exists().await.map(drop).unwrap_err()),
                    ("each_of", query.clone().each_of(Placed::GRADE, [Some(1)]).first(2).await.map(drop).unwrap_err()),
                ] {
                    let begin = format!("`{method}` cannot be combined with `{position}`: ");
                    assert!(error.to_string().starts_with(&begin), "{error}");
                }
            }
        }
        let request = ActiveRequest::new(&format!("?page=2&cursor={}", all[2]));
        let (numbered, paged) = request
            .scope(async { (list().paginate(2).await.unwrap(), list().cursor_paginate(2).await.unwrap()) })
            .await;
        assert_eq!(numbered.data.iter().map(|row| row.id).collect::<Vec<_>>(), [3, 4]);
        assert_eq!(ids(&paged), [4, 5]);
        // Without a cursor, `cursor` only says that the request's is not asked for.
        assert_eq!(list().cursor(None).paginate(2).await.unwrap().data.len(), 2);
    };
    folio.scope(check).await;
}

/// A table of its own, because the statements are counted.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "polled")]
#[expect(dead_code, reason = "only whether there are rows is asked for")]
struct Polled {
    id: i64,
}

#[tokio::test]
async fn nothing_new_takes_one_statement_or_two() {
    record_statements();
    let rows = "INSERT INTO polled VALUES (1), (2), (3)";
    let (folio, _pool) = db::folio(&format!("CREATE TABLE polled (id {ID}); {rows}")).await;
    let check = async {
        let page = Polled::query().with_positions().cursor_paginate(9).await.unwrap();
        let (start, end) = (page.start_cursor.unwrap(), page.end_cursor.unwrap());
        db::selects("polled");
        // The request's cursor is another's.
        let request = ActiveRequest::new("?cursor=altered");
        assert!(!request.scope(Polled::query().newer_than(&end).exists()).await.unwrap());
        // The second one looks for rows with NULL, as after a last page.
        let statements = db::selects("polled");
        assert!((1..=2).contains(&statements.len()), "{statements:#?}");
        assert_eq!(Polled::query().newer_than(&end).count_at_most(9).await.unwrap(), Total::Exact(0));
        assert!((1..=2).contains(&db::selects("polled").len()));
        assert!(Polled::query().newer_than(&start).exists().await.unwrap());
        assert_eq!(db::selects("polled").len(), 1);

        // A select has the same.
        let select = || Select::<(i64,)>::sql("SELECT id FROM polled").order_by(Column::<i64>::new("id").desc());
        let start = select().with_positions().cursor_paginate(2).await.unwrap().start_cursor.unwrap();
        assert!(!select().newer_than(&start).exists().await.unwrap());

        let error = Polled::query().newer_than("altered").exists().await.unwrap_err();
        assert_eq!((error.status(), error.to_string().as_str()), (400, "Invalid pagination cursor"));
        let error = Polled::query().after(Some(&end)).newer_than(&end).exists().await.unwrap_err();
        assert!(error.to_string().starts_with("`newer_than` cannot be combined with `after`"), "{error}");
    };
    folio.scope(check).await;
}
