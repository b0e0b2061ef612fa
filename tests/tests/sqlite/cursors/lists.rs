//! A cursor opens only in the list that it was made in.

use std::fmt::Debug;
use std::future::Future;

use folio::{
    Column, CursorDirection, CursorPaginator, IntoOrder, OrderOf, Pagination, Result, Select, decode_cursor,
    encode_cursor,
};
use folio_tests::cursors::assert_refused;
use sea_query::{Query, SelectStatement};

use super::notes::{
    Boxed, Dated, Digested, Listed, MainMemo, MainNote, Memo, Newest, Note, Ranked, RankedDown, RankedMemo,
    RankedMixed, Scored, ScoredLast, ScoredRanked, Shape, Titled, Tokened, notes, page,
};

/// Reads the page at a cursor.
type Pages = dyn Fn(Option<String>) -> Boxed<Result<CursorPaginator<i64>>>;

/// A list that can be paged through.
struct List {
    name: String,
    /// Lists of the same kind have the same key and rows, so they share their cursors.
    kind: &'static str,
    page: Box<Pages>,
}

impl List {
    fn new<F: Future<Output = Result<CursorPaginator<i64>>> + 'static>(
        name: impl Into<String>,
        kind: &'static str,
        page: impl Fn(Option<String>) -> F + 'static,
    ) -> Self {
        Self { name: name.into(), kind, page: Box::new(move |cursor| Box::pin(page(cursor))) }
    }

    /// A model in its own order.
    fn model<M: Listed>(kind: &'static str) -> Self {
        Self::new(M::NAME, kind, |cursor| async move { page::<M>(cursor.as_deref()).await.map(ids) })
    }

    /// The notes in another order.
    fn by(kind: &'static str, order: impl OrderOf<Note> + Clone + Debug + 'static) -> Self {
        Self::new(format!("notes by {order:?}"), kind, move |cursor| {
            let order = order.clone();
            async move { Note::query().cursor_by(order).cursor(cursor.as_deref()).cursor_paginate(3).await.map(ids) }
        })
    }

    /// A select without a model.
    fn select(
        name: &'static str,
        kind: &'static str,
        select: impl Fn() -> Select<(i64,)> + 'static,
        order: impl IntoOrder + Clone + Debug + 'static,
    ) -> Self {
        Self::new(format!("select {name:?} by {order:?}"), kind, move |cursor| {
            let (select, order) = (select(), order.clone());
            async move {
                let page = Pagination::cursor(select, cursor.as_deref(), 3, order).await?;
                Ok(CursorPaginator::new(Vec::new(), 3, page.next_cursor, page.prev_cursor))
            }
        })
    }
}

fn ids<M>(page: CursorPaginator<M>) -> CursorPaginator<i64> {
    CursorPaginator::new(Vec::new(), page.per_page, page.next_cursor, page.prev_cursor)
}

pub(super) fn from(table: &'static str) -> SelectStatement {
    Query::select().column("id").from(table).take()
}

pub(super) const ID: Column<i64> = Column::new("id");
const RANK: Column<i32> = Column::new("rank");

fn lists() -> Vec<List> {
    let (unnamed, named) =
        (|| from("notes").into(), |name: &'static str| move || Select::from(from("notes")).named(name));
    let mut lists = vec![
        List::model::<Note>("notes by id"),
        List::by("notes by id", Note::ID),
        List::by("notes by id", ID.asc()),
        List::new("the model's select", "notes by id", |cursor| async move {
            let all =
                Query::select().columns(["id", "rank", "score", "title", "digest", "token", "at"]).from("notes").take();
            Pagination::cursor(Select::<Note>::model(all), cursor.as_deref(), 3, Note::ID).await.map(ids)
        }),
        List::model::<Newest>("notes by id desc"),
        List::by("notes by id desc", Note::ID.desc()),
        List::model::<Ranked>("notes by rank"),
        List::by("notes by rank", Note::RANK),
        List::by("notes by rank", (Note::RANK, Note::ID)),
        List::by("notes by rank as i64", (Column::<i64>::new("rank"), ID)),
        List::by("notes by rank as i16", (Column::<i16>::new("rank"), ID)),
        List::by("notes by rank that may be NULL", (Column::<Option<i32>>::new("rank").nulls_first(), ID)),
        List::model::<RankedDown>("notes by rank desc"),
        List::by("notes by rank desc", (Note::RANK.desc(), Note::ID.desc())),
        List::model::<RankedMixed>("notes by rank desc, id"),
        List::by("notes by rank, id desc", (Note::RANK, Note::ID.desc())),
        List::by("notes by id, rank", (Note::ID, Note::RANK)),
        List::model::<Scored>("notes by score nulls first"),
        List::model::<ScoredLast>("notes by score nulls last"),
        List::by("notes by score desc nulls first", Note::SCORE.desc().nulls_first()),
        List::by("notes by score desc nulls last", Note::SCORE.desc().nulls_last()),
        List::model::<ScoredRanked>("notes by score desc nulls last, rank, id"),
        List::model::<Titled>("notes by title"),
        List::model::<Digested>("notes by digest"),
        List::model::<Tokened>("notes by token"),
        List::model::<Dated>("notes by at desc"),
        List::model::<Memo>("memos by id"),
        List::model::<RankedMemo>("memos by rank"),
        List::model::<MainNote>("main.notes by id"),
        List::model::<MainMemo>("main.memos by id"),
        List::select("", "by id", unnamed, ID),
        List::select("", "by id", || from("memos").into(), ID),
        List::select("", "by id desc", unnamed, ID.desc()),
        List::select("", "by rank", unnamed, (RANK, ID)),
    ];
    for (name, by_id, by_rank) in
        [("drafts", "drafts by id", "drafts by rank"), ("draft", "draft by id", "draft by rank")]
    {
        lists.push(List::select(name, by_id, named(name), ID));
        lists.push(List::select(name, by_rank, named(name), (RANK, ID)));
    }
    lists
}

#[tokio::test]
async fn a_cursor_opens_in_its_own_list_only() {
    let (folio, _pool) = notes().await;
    folio
        .scope(async {
            let lists = lists();
            let mut given_out = Vec::new();
            for list in &lists {
                let first = (list.page)(None).await.unwrap();
                let second = (list.page)(first.next_cursor.clone()).await.unwrap();
                given_out.push([second.next_cursor.unwrap(), second.prev_cursor.unwrap()]);
            }
            for (of, tokens) in lists.iter().zip(&given_out) {
                for list in &lists {
                    for token in tokens {
                        let case = format!("a cursor of {} ({}) in {} ({})", of.name, of.kind, list.name, list.kind);
                        let page = (list.page)(Some(token.clone())).await;
                        if of.kind == list.kind {
                            assert!(page.is_ok(), "{case}: {page:?}");
                        } else {
                            assert_refused(&page, &case);
                        }
                    }
                }
                for token in tokens {
                    assert_refused(&decode_cursor::<i64>(token), &of.name);
                    assert_refused(&decode_cursor::<i32>(token), &of.name);
                    assert_refused(&decode_cursor::<String>(token), &of.name);
                }
            }
            for direction in [CursorDirection::Next, CursorDirection::Prev] {
                let loose = [encode_cursor(&7_i64, direction), encode_cursor(&7_i32, direction)];
                for token in loose.map(Result::unwrap) {
                    for list in &lists {
                        assert_refused(&(list.page)(Some(token.clone())).await, &list.name);
                    }
                }
            }
        })
        .await;
}

/// A key opens the cursors of its own model and no others, and the model opens the cursors of its key.
#[tokio::test]
async fn a_key_opens_the_cursors_of_its_own_model_only() {
    let (folio, _pool) = notes().await;
    folio
        .scope(async {
            let shapes = [
                Shape::of::<Note>().await,
                Shape::of::<Newest>().await,
                Shape::of::<Ranked>().await,
                Shape::of::<RankedDown>().await,
                Shape::of::<RankedMixed>().await,
                Shape::of::<Scored>().await,
                Shape::of::<ScoredLast>().await,
                Shape::of::<ScoredRanked>().await,
                Shape::of::<Memo>().await,
                Shape::of::<RankedMemo>().await,
                Shape::of::<MainNote>().await,
                Shape::of::<MainMemo>().await,
            ];
            for of in &shapes {
                for by in &shapes {
                    for token in &of.tokens {
                        let case = format!("a cursor of {} in {}", of.name, by.name);
                        let (decoded, page) = ((by.decode)(token), (by.page)(token.clone()).await);
                        if of.name == by.name {
                            assert!(decoded.is_ok() && page.is_ok(), "{case}: {decoded:?} {page:?}");
                        } else {
                            assert_refused(&decoded, &case);
                            assert_refused(&page, &case);
                        }
                    }
                }
            }
        })
        .await;
}

/// A select with the name of a table is not the model of that table.
#[tokio::test]
async fn a_select_named_like_a_model_is_another_list() {
    let (folio, _pool) = notes().await;
    folio
        .scope(async {
            let named = async |cursor: Option<&str>| {
                let select = Select::<(i64,)>::from(from("notes")).named("notes");
                Pagination::cursor(select, cursor, 3, ID).await
            };
            let of_model = page::<Note>(None).await.unwrap().next_cursor;
            assert_refused(&named(of_model.as_deref()).await, "the model's cursor in the select");
            let of_select = named(None).await.unwrap().next_cursor;
            assert_refused(&page::<Note>(of_select.as_deref()).await, "the select's cursor in the model");
        })
        .await;
}

/// Columns of the same name in two joined tables make two orders.
#[tokio::test]
async fn the_same_column_of_another_table_is_another_order() {
    let (folio, _pool) = notes().await;
    folio
        .scope(async {
            // Joins each note with the memo of the opposite id.
            let select = || {
                let on = sea_query::Expr::cust("\"notes\".\"id\" + \"memos\".\"id\" = 13");
                let joined = Query::select()
                    .column(("notes", "id"))
                    .from("notes")
                    .join(sea_query::JoinType::InnerJoin, "memos", on)
                    .take();
                Select::<(i64,)>::from(joined)
            };
            let by_note = Pagination::cursor(select(), None, 3, Note::ID).await.unwrap();
            assert_eq!(by_note.data, [(1,), (2,), (3,)]);
            let by_memo = Pagination::cursor(select(), None, 3, Memo::ID).await.unwrap();
            assert_eq!(by_memo.data, [(12,), (11,), (10,)]);
            let crossed = Pagination::cursor(select(), by_note.next_cursor.as_deref(), 3, Memo::ID).await;
            assert_refused(&crossed, "a cursor by the notes' id in the order of the memos' id");
        })
        .await;
}
