//! Cursors: what was given out for a list opens in it, and everything else is one and the same refusal.

use std::collections::HashSet;
use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;

use folio::{
    Builder, Column, CryptPurpose, CursorDirection, CursorOrder, CursorPaginator, Folio, FrameworkError, Key, Keyring,
    Model, Paginate, Pagination, Result, Select, decode_cursor, encode_cursor,
};
use sea_query::prelude::{
    chrono::{DateTime, Utc},
    uuid::Uuid,
};
use sea_query::{Query, SelectStatement};
use serde_json::Value as Json;
use sqlx::SqlitePool;

use crate::suite::db;

/// A list whose cursors are looked at, by its key alone.
trait Listed: Model + 'static {
    const NAME: &'static str;
    fn encode(&self, direction: CursorDirection) -> Result<String>;
    fn decode(cursor: &str) -> Result<CursorDirection>;
}

macro_rules! listed {
    ($($model:ident: $($attribute:ident = $value:literal),+;)*) => {$(
        #[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
        #[paginate($($attribute = $value),+)]
        struct $model {
            id: i64,
            rank: i32,
            score: Option<i32>,
            title: String,
            digest: Vec<u8>,
            token: Uuid,
            at: DateTime<Utc>,
        }

        impl Listed for $model {
            const NAME: &'static str = stringify!($model);

            fn encode(&self, direction: CursorDirection) -> Result<String> {
                self.cursor_key().encode(direction)
            }

            fn decode(cursor: &str) -> Result<CursorDirection> {
                <$model as Model>::Key::decode(cursor).map(|(_, direction)| direction)
            }
        }
    )*};
}

listed! {
    Note: table = "notes";
    Newest: table = "notes", cursor_key = "id desc";
    Ranked: table = "notes", cursor_key = "rank";
    RankedDown: table = "notes", cursor_key = "rank desc";
    RankedMixed: table = "notes", cursor_key = "rank desc, id";
    Scored: table = "notes", cursor_key = "score nulls first";
    ScoredLast: table = "notes", cursor_key = "score nulls last";
    ScoredRanked: table = "notes", cursor_key = "score desc nulls last, rank, id";
    Titled: table = "notes", cursor_key = "title";
    Digested: table = "notes", cursor_key = "digest";
    Tokened: table = "notes", cursor_key = "token";
    Dated: table = "notes", cursor_key = "at desc";
    Memo: table = "memos";
    RankedMemo: table = "memos", cursor_key = "rank";
    MainNote: table = "notes", schema = "main";
    MainMemo: table = "memos", schema = "main";
}

/// Two tables of the same columns, with twelve rows each.
async fn notes() -> (Folio, SqlitePool) {
    let (folio, pool) = db::folio(
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, score INTEGER, title TEXT NOT NULL,
                             digest BLOB NOT NULL, token BLOB NOT NULL, at TEXT NOT NULL);
         CREATE TABLE memos (id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, score INTEGER, title TEXT NOT NULL,
                             digest BLOB NOT NULL, token BLOB NOT NULL, at TEXT NOT NULL);",
    )
    .await;
    for id in 1..=12_u8 {
        let title = ["", "a", "naïve \"quoted\"", "日本"][usize::from(id % 4)];
        sqlx::query("INSERT INTO notes VALUES (?, ?, ?, ?, ?, ?, ?)")
            .bind(id)
            .bind(id / 3)
            .bind((id % 4 != 0).then_some(id / 4))
            .bind(title)
            .bind([id, 0, 255].repeat(3))
            .bind(Uuid::from_bytes([id.wrapping_mul(151); 16]))
            .bind(DateTime::<Utc>::from_timestamp(1_800_000_000 + i64::from(id) / 2, 123_456_789))
            .execute(&pool)
            .await
            .unwrap();
    }
    sqlx::raw_sql("INSERT INTO memos SELECT * FROM notes").execute(&pool).await.unwrap();
    (folio, pool)
}

async fn page<M: Model>(cursor: Option<&str>) -> Result<CursorPaginator<M>> {
    Builder::<M>::new().cursor(cursor).cursor_paginate(3).await
}

/// Whether it is exactly the refusal with this text.
fn is_refused_as<T>(result: &Result<T>, text: &str) -> bool {
    matches!(result, Err(FrameworkError::Domain { message, status_code: 400 }) if message == text)
}

/// Whether it is exactly the answer to every bad cursor.
fn is_refused<T>(result: &Result<T>) -> bool {
    is_refused_as(result, "Invalid pagination cursor")
}

#[track_caller]
fn assert_refused<T: Debug>(result: &Result<T>, case: &str) {
    assert!(is_refused(result), "{case}: {result:?}");
}

#[track_caller]
fn assert_internal<T: Debug>(result: &Result<T>, case: &str) {
    assert!(
        matches!(result, Err(error @ FrameworkError::Internal { .. }) if error.status() == 500),
        "{case}: {result:?}"
    );
}

type Boxed<T> = Pin<Box<dyn Future<Output = T>>>;

/// A shape of key: cursors of it, and what they are opened by.
struct Shape {
    name: &'static str,
    tokens: Vec<String>,
    decode: fn(&str) -> Result<CursorDirection>,
    page: fn(String) -> Boxed<Result<()>>,
}

impl Shape {
    async fn of<M: Listed>() -> Self {
        let first = page::<M>(None).await.unwrap();
        let second = page::<M>(first.next_cursor.as_deref()).await.unwrap();
        let by_hand = [CursorDirection::Next, CursorDirection::Prev].map(|way| first.data[2].encode(way).unwrap());
        let tokens = by_hand.into_iter().chain([second.next_cursor.unwrap(), second.prev_cursor.unwrap()]).collect();
        let page =
            |cursor: String| -> Boxed<Result<()>> { Box::pin(async move { page::<M>(Some(&cursor)).await.map(drop) }) };
        Self { name: M::NAME, tokens, decode: M::decode, page }
    }

    /// One of each shape: one column and several, with and without NULLs, of each kind of type.
    async fn all() -> Vec<Self> {
        vec![
            Self::of::<Note>().await,
            Self::of::<Ranked>().await,
            Self::of::<Scored>().await,
            Self::of::<ScoredRanked>().await,
            Self::of::<Titled>().await,
            Self::of::<Digested>().await,
            Self::of::<Tokened>().await,
            Self::of::<Dated>().await,
        ]
    }
}

const URL_SAFE: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// What a character is replaced with, and what is put between two.
fn characters() -> impl Iterator<Item = char> {
    URL_SAFE
        .iter()
        .map(|byte| char::from(*byte))
        .chain(['=', '+', '/', ' ', '.', '%', '\0', '\n', '~', 'é', '\u{feff}'])
}

/// Every text that is one edit away from `token`, which is ASCII.
fn edits(token: &str, mut each: impl FnMut(&str)) {
    for at in 0..token.len() {
        let (before, after) = (&token[..at], &token[at + 1..]);
        for character in characters().filter(|character| !token[at..].starts_with(*character)) {
            each(&format!("{before}{character}{after}"));
        }
        each(&format!("{before}{after}"));
        each(before);
        if at > 0 {
            each(&token[at..]);
        }
    }
    for at in 0..=token.len() {
        for character in characters() {
            each(&format!("{}{character}{}", &token[..at], &token[at..]));
        }
    }
    for more in ["==", "===", "====", "A=", "AA==", "%3D", "%00", "\r\n"] {
        each(&format!("{token}{more}"));
    }
    each(&token.to_uppercase());
    each(&token.to_lowercase());
    each(&token.repeat(2));
    each(&token.chars().rev().collect::<String>());
}

#[tokio::test]
async fn no_edit_of_a_cursor_opens() {
    let (folio, _pool) = notes().await;
    folio
        .scope(async {
            let mut edited: usize = 0;
            for Shape { name, tokens, decode, page } in Shape::all().await {
                // One that was sealed by hand, and one of a page.
                for token in [tokens[0].clone(), tokens[3].clone()] {
                    assert!(decode(&token).is_ok(), "{name}");
                    assert!(page(token.clone()).await.is_ok(), "{name}");
                    let mut sample = Vec::new();
                    edits(&token, |text| {
                        assert_refused(&decode(text), &format!("{name} {token} as {text:?}"));
                        edited += 1;
                        if edited.is_multiple_of(199) {
                            sample.push(text.to_owned());
                        }
                    });
                    for text in sample {
                        assert_refused(&page(text.clone()).await, &format!("{name} {token} as {text:?}"));
                    }
                }
            }
            assert!(edited > 200_000, "{edited} edits");
        })
        .await;
}

/// A text whose last base64 group is not whole has bits that say nothing: only one setting of them is taken.
#[test]
fn a_token_of_any_length_has_one_spelling() {
    let keyring = Keyring::new(Key::generate());
    for length in 0..9 {
        let plaintext = vec![b' '; length];
        let token = keyring.seal(CryptPurpose::Cursor, &[b"list"], &plaintext).unwrap();
        let open = |text: &str| keyring.open(CryptPurpose::Cursor, &[b"list"], text);
        assert_eq!(open(&token).unwrap(), plaintext);
        edits(&token, |text| assert_refused(&open(text), text));
    }
}

/// Numbers that are the same on every run (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end.max(1)).unwrap()).unwrap()
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// A text made from one of `tokens`, or from nothing.
fn mutation(random: &mut Random, tokens: &[String]) -> String {
    const UNICODE: [char; 8] = ['\0', '\u{7f}', 'é', '＝', '日', '\u{feff}', '😀', '\u{10ffff}'];
    let token = random.pick(tokens);
    let mut bytes = token.clone().into_bytes();
    match random.below(12) {
        // A few characters are others.
        0..3 => {
            for _ in 0..=random.below(8) {
                let at = random.below(bytes.len());
                bytes[at] = *random.pick(URL_SAFE);
            }
        }
        // Two change places.
        3 => {
            let (a, b) = (random.below(bytes.len()), random.below(bytes.len()));
            bytes.swap(a, b);
        }
        // The beginning of one and the end of another, cut at the same place or anywhere.
        4 | 5 => {
            let other = random.pick(tokens).as_bytes();
            let at = random.below(bytes.len());
            let from = if random.below(2) == 0 { at } else { random.below(other.len()) };
            bytes.truncate(at);
            bytes.extend_from_slice(&other[from.min(other.len())..]);
        }
        // Whole groups move: every text of these is base64.
        6 => {
            let (a, b) = (random.below(bytes.len() / 4) * 4, random.below(bytes.len() / 4) * 4);
            for offset in 0..4 {
                bytes.swap(a + offset, b + offset);
            }
        }
        // A stretch is left out, or is there twice.
        7 => {
            let (a, b) = (random.below(bytes.len()), random.below(bytes.len()));
            let (from, to) = (a.min(b), a.max(b));
            if random.below(2) == 0 {
                bytes.drain(from..to);
            } else {
                let copy = bytes[from..to].to_vec();
                bytes.splice(from..from, copy);
            }
        }
        // The header of one that would open, and noise.
        8 => {
            for byte in &mut bytes[6..] {
                *byte = *random.pick(URL_SAFE);
            }
        }
        // Base64 of any length.
        9 => bytes = (0..random.below(400)).map(|_| *random.pick(URL_SAFE)).collect(),
        // Any bytes, as far as they are text.
        10 => {
            for byte in &mut bytes {
                *byte = random.next().to_le_bytes()[0];
            }
            return String::from_utf8_lossy(&bytes).into_owned();
        }
        // Characters that no base64 has.
        _ => {
            let mut characters: Vec<char> = token.chars().collect();
            for _ in 0..=random.below(3) {
                let at = random.below(characters.len());
                let character = *random.pick(&UNICODE);
                if random.below(2) == 0 { characters[at] = character } else { characters.insert(at, character) }
            }
            return characters.into_iter().collect();
        }
    }
    String::from_utf8(bytes).unwrap()
}

#[tokio::test]
async fn no_mutation_of_cursors_opens() {
    let (folio, _pool) = notes().await;
    folio
        .scope(async {
            let shapes = Shape::all().await;
            let tokens: Vec<String> = shapes.iter().flat_map(|shape| shape.tokens.iter().cloned()).collect();
            let genuine: HashSet<&String> = tokens.iter().collect();
            let mut random = Random(0xf0110);
            let mut tried: u32 = 0;
            while tried < 1_000_000 {
                let text = mutation(&mut random, &tokens);
                if genuine.contains(&text) {
                    continue;
                }
                let Shape { name, decode, page, .. } = random.pick(&shapes);
                assert_refused(&decode(&text), &format!("{name}: {text:?}"));
                tried += 1;
                if tried.is_multiple_of(5_000) {
                    assert_refused(&page(text.clone()).await, &format!("{name}: {text:?}"));
                }
            }
        })
        .await;
}

#[tokio::test]
async fn texts_of_any_length_are_refused() {
    let (folio, _pool) = notes().await;
    folio
        .scope(async {
            let token = Shape::of::<Note>().await.tokens.remove(0);
            let units = ["A", "=", "\0", "é", "😀", " ", "%", "-_", token.as_str()];
            for length in [1, 3, 4, 5, 48, 1_000, 2_079, 2_080, 2_081, 2_084, 65_536, 1 << 20, 5 << 20] {
                for unit in units {
                    let text = unit.repeat(length / unit.len() + 1);
                    if text != token {
                        assert_refused(&Note::decode(&text), &format!("{length} of {unit:?}"));
                        assert_refused(&decode_cursor::<i64>(&text), &format!("{length} of {unit:?}"));
                        assert_refused(&page::<Note>(Some(&text)).await, &format!("{length} of {unit:?}"));
                    }
                    let long = format!("{token}{text}");
                    assert_refused(&Note::decode(&long), &format!("{length} of {unit:?} behind a cursor"));
                }
            }
        })
        .await;
}

/// From a cursor to its page.
type Pages = dyn Fn(Option<String>) -> Boxed<Result<CursorPaginator<i64>>>;

/// A list, by how it is paged.
struct List {
    name: String,
    /// Lists of one kind have the same key and rows, and so the same cursors.
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
    fn by(kind: &'static str, order: impl CursorOrder + Clone + Debug + 'static) -> Self {
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
        order: impl CursorOrder + Clone + Debug + 'static,
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

fn from(table: &'static str) -> SelectStatement {
    Query::select().column("id").from(table).take()
}

const ID: Column<i64> = Column::new("id");
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

/// The key of a model opens what its own list gave out, and nothing else, as the list opens what the key sealed.
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

/// A select that has been given the name of a table is not that table's model.
#[tokio::test]
async fn a_select_of_a_models_name_is_another_list() {
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

/// A table whose name has a point in it is not one of a schema.
#[tokio::test]
async fn a_table_with_a_point_in_its_name_is_another_list() {
    #[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
    #[paginate(table = "main.notes")]
    struct Dotted {
        id: i64,
    }

    let (folio, pool) = notes().await;
    let dotted =
        "CREATE TABLE \"main.notes\" (id INTEGER PRIMARY KEY); INSERT INTO \"main.notes\" SELECT id FROM notes";
    sqlx::raw_sql(dotted).execute(&pool).await.unwrap();
    folio
        .scope(async {
            let of_schema = page::<MainNote>(None).await.unwrap().next_cursor;
            assert_refused(&page::<Dotted>(of_schema.as_deref()).await, "of main's notes in main.notes");
            let of_dotted = page::<Dotted>(None).await.unwrap().next_cursor;
            assert_refused(&page::<MainNote>(of_dotted.as_deref()).await, "of main.notes in main's notes");
        })
        .await;
}

/// Two columns that are only called the same, of two tables of one select, make two orders.
#[tokio::test]
async fn the_same_column_of_another_table_is_another_order() {
    let (folio, _pool) = notes().await;
    folio
        .scope(async {
            // Each note beside the memo of the opposite id.
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

const PURPOSES: [CryptPurpose; 5] = [
    CryptPurpose::Cursor,
    CryptPurpose::Cookie,
    CryptPurpose::TwoFactorSecret,
    CryptPurpose::TwoFactorRecovery,
    CryptPurpose::Cast,
];

#[tokio::test]
async fn a_token_opens_for_its_own_purpose_and_scope_only() {
    let (_, pool) = notes().await;
    let keyring = Keyring::new(Key::generate());
    let scopes: [&[&[u8]]; 10] = [
        &NOTES_BY_ID,
        &[],
        &[b""],
        &[b"", b""],
        &[b"notes"],
        &[b"notesid"],
        &[b"notes", b"id"],
        &[b"note", b"sid"],
        &[b"id", b"notes"],
        &[b"notes", b"id", b""],
    ];
    let every = || PURPOSES.into_iter().flat_map(|purpose| scopes.map(|scope| (purpose, scope)));
    let folio = Folio::new(pool).keyring(keyring.clone());
    for (purpose, scope) in every() {
        let token = keyring.seal(purpose, scope, NEXT_OF_7).unwrap();
        for (other, elsewhere) in every() {
            let opened = keyring.open(other, elsewhere, &token);
            let case = format!("{purpose:?} {scope:?} as {other:?} {elsewhere:?}: {opened:?}");
            if (purpose, scope) == (other, elsewhere) {
                assert_eq!(opened.unwrap(), NEXT_OF_7, "{case}");
            } else if other == CryptPurpose::Cursor {
                assert_refused(&opened, &case);
            } else {
                assert!(is_refused_as(&opened, "Invalid sealed value"), "{case}");
            }
        }
        let page = folio.scope(page::<Note>(Some(&token))).await;
        if purpose == CryptPurpose::Cursor && scope == NOTES_BY_ID {
            assert_eq!(page.unwrap().data[0].id, 8);
        } else {
            assert_refused(&page, &format!("{purpose:?} {scope:?} in the list of notes"));
        }
        let decoded = folio.scope(async { decode_cursor::<i64>(&token) }).await;
        if purpose == CryptPurpose::Cursor && scope.is_empty() {
            assert_eq!(decoded.unwrap(), (7, CursorDirection::Next));
        } else {
            assert_refused(&decoded, &format!("{purpose:?} {scope:?} by hand"));
        }
    }
}

/// What the cursors of the notes in their own order are bound to.
const NOTES_BY_ID: [&[u8]; 5] = [b"notes", b"id", b"BigInt", b"asc", b"not null"];
const NEXT_OF_7: &[u8] = br#"["next",["BigInt",7]]   "#;

#[tokio::test]
async fn keys_rotate() {
    let (_, pool) = notes().await;
    let [old, older, new, other] = [1_u8, 2, 3, 4].map(|byte| Key::from_bytes([byte; 32]));
    let folio = |keyring: Keyring| Folio::new(pool.clone()).keyring(keyring);
    let first = async |folio: &Folio| folio.scope(page::<Note>(None)).await.unwrap().next_cursor.unwrap();
    let second = async |folio: &Folio, cursor: &str| folio.scope(page::<Note>(Some(cursor))).await;

    let alone = |key: &Key| folio(Keyring::new(key.clone()));
    let rotated = folio(Keyring::new(new.clone()).with_previous([old.clone(), older.clone()]).unwrap());
    let by_old = first(&alone(&old)).await;
    let by_older = first(&alone(&older)).await;
    let by_other = first(&alone(&other)).await;
    let by_new = first(&rotated).await;
    for token in [&by_old, &by_older, &by_new] {
        assert_eq!(second(&rotated, token).await.unwrap().data[0].id, 4);
    }
    assert_refused(&second(&rotated, &by_other).await, "a key that never was of the ring");
    // Sealed by the new key, and by no other.
    assert_eq!(second(&alone(&new), &by_new).await.unwrap().data[0].id, 4);
    for key in [&old, &older, &other] {
        assert_refused(&second(&alone(key), &by_new).await, "another key than the current");
    }
    // What a page that was come to by an old cursor gives out is sealed anew.
    let onward = second(&rotated, &by_old).await.unwrap().next_cursor.unwrap();
    assert_eq!(second(&alone(&new), &onward).await.unwrap().data[0].id, 7);
    let dropped = folio(Keyring::new(new).with_previous([older]).unwrap());
    assert_refused(&second(&dropped, &by_old).await, "a key that was dropped");
    assert!(second(&dropped, &by_older).await.is_ok());
}

#[test]
fn two_tokens_of_the_same_are_never_the_same() {
    let keyring = Keyring::new(Key::generate());
    let tokens: HashSet<String> =
        (0..1_000).map(|_| keyring.seal(CryptPurpose::Cursor, &NOTES_BY_ID, NEXT_OF_7).unwrap()).collect();
    assert_eq!(tokens.len(), 1_000);
}

#[test]
fn what_was_sealed_once_opens_for_ever() {
    #[derive(serde::Deserialize)]
    struct Case {
        key: String,
        purpose: String,
        scope: Vec<String>,
        plaintext: String,
        token: String,
    }
    let file = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/data/known_answers.json")).unwrap();
    let mut file: Json = serde_json::from_str(&file).unwrap();
    let cases: Vec<Case> = serde_json::from_value(file["cases"].take()).unwrap();
    assert_eq!(cases.len(), 9);
    let mut purposes = HashSet::new();
    for Case { key, purpose, scope, plaintext, token } in cases {
        let label = |purpose: CryptPurpose| match purpose {
            CryptPurpose::Cursor => "cursor",
            CryptPurpose::Cookie => "cookie",
            CryptPurpose::TwoFactorSecret => "two-factor-secret",
            CryptPurpose::TwoFactorRecovery => "two-factor-recovery",
            _ => "cast",
        };
        let own = PURPOSES.into_iter().find(|known| label(*known) == purpose).unwrap();
        purposes.insert(own);
        let keyring = Keyring::new(Key::from_base64(&key).unwrap());
        let scope: Vec<&[u8]> = scope.iter().map(String::as_bytes).collect();
        assert_eq!(keyring.open(own, &scope, &token).unwrap(), plaintext.as_bytes(), "{token}");
        for other in PURPOSES.into_iter().filter(|other| *other != own) {
            assert_eq!(keyring.open(other, &scope, &token).unwrap_err().status(), 400, "{token} as {other:?}");
        }
        let longer: Vec<&[u8]> = scope.iter().copied().chain([b"more".as_slice()]).collect();
        let shorter: &[&[u8]] = scope.split_last().map_or(&[b""], |(_, shorter)| shorter);
        let elsewhere = [longer.as_slice(), shorter];
        for scope in elsewhere {
            assert_eq!(keyring.open(own, scope, &token).unwrap_err().status(), 400, "{token} in {scope:?}");
        }
        assert!(Keyring::new(Key::from_bytes([0; 32])).open(own, &scope, &token).is_err(), "another key");
    }
    assert_eq!(purposes.len(), PURPOSES.len());
}

#[tokio::test]
async fn without_a_keyring_nothing_is_sealed_or_opened() {
    let (with, pool) = notes().await;
    let cursor = with.scope(page::<Note>(None)).await.unwrap().next_cursor.unwrap();
    Folio::new(pool)
        .scope(async {
            assert_internal(&encode_cursor(&7_i64, CursorDirection::Next), "encode");
            assert_internal(&decode_cursor::<i64>(&cursor), "decode");
            assert_internal(&decode_cursor::<i64>("garbage"), "decode of garbage");
            let note = Note::query().page(1).paginate(1).await.unwrap().data.remove(0);
            assert_internal(&note.encode(CursorDirection::Next), "a key's encode");
            assert_internal(&Note::decode(&cursor), "a key's decode");
            assert_internal(&page::<Note>(None).await, "the first page");
            assert_internal(&page::<Note>(Some(&cursor)).await, "the second page");
            assert_internal(&page::<Note>(Some("garbage")).await, "garbage");
            assert_internal(&Pagination::cursor::<(i64,)>(from("notes"), None, 3, ID).await, "a select");
            assert!(Note::query().simple_paginate(3).await.is_ok(), "the other pages need none");
        })
        .await;
}

#[tokio::test]
async fn an_empty_cursor_of_the_request_is_the_first_page() {
    let (folio, _pool) = notes().await;
    folio
        .scope(async {
            let ids =
                |page: Result<CursorPaginator<Note>>| page.unwrap().data.iter().map(|note| note.id).collect::<Vec<_>>();
            let at = async |uri: &str| folio::ActiveRequest::new(uri).scope(Note::cursor_paginate(3)).await;
            let token = page::<Note>(None).await.unwrap().next_cursor.unwrap();
            for uri in [
                "",
                "?",
                "?cursor",
                "?cursor=",
                "/notes?cursor=&page=3",
                "?Cursor=x",
                "?cursor=x&cursor=",
                "?cursors=x",
            ] {
                assert_eq!(ids(at(uri).await), [1, 2, 3], "{uri}");
            }
            for uri in
                [format!("?cursor={token}"), format!("?cursor=x&cursor={token}"), format!("?%63ursor={token}#cursor=x")]
            {
                assert_eq!(ids(at(&uri).await), [4, 5, 6], "{uri}");
            }
            for uri in
                ["?cursor=x", "?cursor=%20", "?cursor=+", "?cursor=%00", "?cursor=%FF", "?cursor=null", "?cursor=1"]
            {
                assert_refused(&at(uri).await, uri);
            }
            for uri in
                [format!("?cursor={token}%3D"), format!("?cursor=%20{token}"), format!("?cursor={token}&cursor=x")]
            {
                assert_refused(&at(&uri).await, &uri);
            }
            // Given by hand it is a cursor like any other, and the request's is not looked at.
            assert_refused(&page::<Note>(Some("")).await, "an empty cursor by hand");
            assert_refused(
                &Pagination::cursor::<(i64,)>(from("notes"), Some(""), 3, ID).await,
                "an empty cursor of a select",
            );
            let by_hand = folio::ActiveRequest::new("?cursor=x").scope(page::<Note>(None)).await;
            assert_eq!(ids(by_hand), [1, 2, 3]);
            let renamed = folio::ActiveRequest::new(&format!("?cursor=x&after={token}"))
                .scope(Note::query().with_cursor_name("after").cursor_paginate(3))
                .await;
            assert_eq!(ids(renamed), [4, 5, 6]);
        })
        .await;
}

#[tokio::test]
async fn a_key_that_makes_too_long_a_cursor_is_an_error() {
    let (folio, pool) = notes().await;
    folio
        .scope(async {
            let note = Note::query().page(1).paginate(1).await.unwrap().data.remove(0);
            let titled = |title: String| {
                let Note { id, rank, score, digest, token, at, .. } = note.clone();
                Titled { id, rank, score, title, digest, token, at }
            };
            // Whatever is sealed opens, up to the longest; beyond it nothing is given out.
            let mut longest = 0;
            for length in (0..1_600).step_by(37).chain(1_380..1_520) {
                match titled("x".repeat(length)).encode(CursorDirection::Next) {
                    Ok(token) => {
                        assert!(token.len() <= 2_080, "{length}: {}", token.len());
                        assert_eq!(Titled::decode(&token).unwrap(), CursorDirection::Next);
                        longest = longest.max(length);
                    }
                    Err(error) => {
                        assert!(length > longest, "{length} is refused, {longest} is not");
                        assert_internal(&Err::<(), _>(error), "a long key");
                    }
                }
            }
            assert!(longest > 1_400, "{longest}");
            let error = titled("x".repeat(3_000)).encode(CursorDirection::Next).unwrap_err();
            assert_internal(&Err::<(), _>(error), "3,000 characters");
            // Each of these is six in JSON.
            assert_internal(&titled("\u{1}".repeat(longest)).encode(CursorDirection::Next), "control characters");

            sqlx::query("DELETE FROM notes WHERE id > 4").execute(&pool).await.unwrap();
            sqlx::query("UPDATE notes SET title = ? || id").bind("x".repeat(3_000)).execute(&pool).await.unwrap();
            let cut = Titled::query().cursor_paginate(3).await;
            assert_internal(&cut, "a page that ends at a long key");
            assert!(cut.unwrap_err().to_string().contains("cursor key"));
            let whole = Titled::query().cursor_paginate(4).await.unwrap();
            assert_eq!((whole.data.len(), whole.next_cursor), (4, None), "no cursor is needed");
        })
        .await;
}

/// What opens but has another content than folio seals is the application's fault, not the client's.
#[tokio::test]
async fn an_authentic_cursor_of_another_content_is_an_internal_error() {
    const CONTENTS: &[&str] = &[
        "",
        " ",
        "null",
        "7",
        "{}",
        "[]",
        "[[]]",
        "\"next\"",
        r#"["next"]"#,
        r#"["next",null]"#,
        r#"["next",7]"#,
        r#"["next",[]]"#,
        r#"["next",["BigInt"]]"#,
        r#"["next",[7,"BigInt"]]"#,
        r#"["next",{"BigInt":7}]"#,
        r#"["next","BigInt",7]"#,
        r#"["next",["BigInt",7]"#,
        r#"["next",["BigInt",7]]]"#,
        r#"["next",["BigInt",7]] ["next",["BigInt",7]]"#,
        r#"["next",["BigInt",7,]]"#,
        r#"["next",["BigInt",7]],"#,
        r#"['next',['BigInt',7]]"#,
        // The direction.
        r#"["",["BigInt",7]]"#,
        r#"["Next",["BigInt",7]]"#,
        r#"["previous",["BigInt",7]]"#,
        r#"["next ",["BigInt",7]]"#,
        r#"[null,["BigInt",7]]"#,
        r#"[true,["BigInt",7]]"#,
        r#"[["next"],["BigInt",7]]"#,
        r#"[["BigInt",7],"next"]"#,
        r#"[["BigInt",7]]"#,
        // The variant.
        r#"["next",["Money",7]]"#,
        r#"["next",["bigint",7]]"#,
        r#"["next",["BigInt ",7]]"#,
        r#"["next",["",7]]"#,
        r#"["next",[null,7]]"#,
        r#"["next",["Int",7]]"#,
        r#"["next",["BigUnsigned",7]]"#,
        r#"["next",["String","7"]]"#,
        // The value.
        r#"["next",["BigInt",null]]"#,
        r#"["next",["BigInt","7"]]"#,
        r#"["next",["BigInt",7.0]]"#,
        r#"["next",["BigInt",7e0]]"#,
        r#"["next",["BigInt",true]]"#,
        r#"["next",["BigInt",[7]]]"#,
        r#"["next",["BigInt",9223372036854775808]]"#,
        r#"["next",["BigInt",-9223372036854775809]]"#,
        r#"["next",["BigInt",1e400]]"#,
        r#"["next",["BigInt",NaN]]"#,
        r#"["next",["BigInt",07]]"#,
        // More than there is.
        r#"["next",["BigInt",7,7]]"#,
        r#"["next",["BigInt",7,null]]"#,
        r#"["next",["BigInt",7,[]]]"#,
        r#"["next",["BigInt",7,["BigInt"]]]"#,
        r#"["next",["BigInt",7,["Money",7]]]"#,
        r#"["next",["BigInt",7,["BigInt","7"]]]"#,
        r#"["next",["BigInt",7,["BigInt",7],["BigInt",7]]]"#,
        r#"["next",["BigInt",7],["BigInt",7]]"#,
        r#"["next",["BigInt",7],false]"#,
        r#"["next",["BigInt",7],null]"#,
        r#"["next",["BigInt",7],"true"]"#,
        r#"["next",["BigInt",7],true,true]"#,
        r#"["next",["BigInt",7],true,["BigInt",7]]"#,
    ];
    let (_, pool) = notes().await;
    let keyring = Keyring::new(Key::generate());
    let folio = Folio::new(pool).keyring(keyring.clone());
    let seal = |scope: &[&[u8]], content: &[u8]| keyring.seal(CryptPurpose::Cursor, scope, content).unwrap();
    let deep = "[".repeat(1_400);
    let contents = CONTENTS.iter().map(|content| content.as_bytes());
    let contents = contents.chain([deep.as_bytes(), b"\xff\xfe", b"[\"next\",[\"BigInt\",7\xff]]", b"\0"]);
    folio
        .scope(async {
            let genuine = seal(&NOTES_BY_ID, NEXT_OF_7);
            assert_eq!(page::<Note>(Some(&genuine)).await.unwrap().data[0].id, 8);
            let inclusive = seal(&NOTES_BY_ID, br#"["next",["BigInt",7],true]"#);
            assert_eq!(page::<Note>(Some(&inclusive)).await.unwrap().data[0].id, 7);
            for content in contents {
                let case = String::from_utf8_lossy(content);
                let token = seal(&NOTES_BY_ID, content);
                assert_internal(&Note::decode(&token), &case);
                assert_internal(&decode_cursor::<i64>(&seal(&[], content)), &case);
                if !case.contains("null]") {
                    assert_internal(&page::<Note>(Some(&token)).await, &case);
                }
            }
            // A composite key, with too few parts and in another order.
            let scope: &[&[u8]] =
                &[b"notes", b"rank", b"Int", b"asc", b"not null", b"id", b"BigInt", b"asc", b"not null"];
            assert!(page::<Ranked>(Some(&seal(scope, br#"["next",["Int",2],["BigInt",7]]"#))).await.is_ok());
            for content in [
                r#"["next",["Int",2]]"#,
                r#"["next",["Int",2],true]"#,
                r#"["next",["BigInt",7],["Int",2]]"#,
                r#"["next",["Int",2],["BigInt",7],["BigInt",7]]"#,
                r#"["next",["Int",2147483648],["BigInt",7]]"#,
            ] {
                let token = seal(scope, content.as_bytes());
                assert_internal(&Ranked::decode(&token), content);
                assert_internal(&page::<Ranked>(Some(&token)).await, content);
            }
        })
        .await;
}

/// A column that has no NULLs has no place for them in its order: a page from there would lose rows.
#[tokio::test]
async fn an_authentic_null_for_a_column_without_nulls_is_an_internal_error() {
    let (_, pool) = notes().await;
    let keyring = Keyring::new(Key::generate());
    let token = keyring.seal(CryptPurpose::Cursor, &NOTES_BY_ID, br#"["next",["BigInt",null]]"#).unwrap();
    let folio = Folio::new(pool).keyring(keyring);
    assert_internal(&folio.scope(page::<Note>(Some(&token))).await, "NULL for an id");
}

#[tokio::test]
async fn a_cursor_of_another_type_is_an_internal_error() {
    let (folio, _pool) = notes().await;
    folio
        .scope(async {
            let token = encode_cursor(&7_i64, CursorDirection::Prev).unwrap();
            assert_eq!(decode_cursor::<i64>(&token).unwrap(), (7, CursorDirection::Prev));
            assert_eq!(decode_cursor::<Option<i64>>(&token).unwrap(), (Some(7), CursorDirection::Prev));
            assert_internal(&decode_cursor::<i32>(&token), "i64 as i32");
            assert_internal(&decode_cursor::<u64>(&token), "i64 as u64");
            assert_internal(&decode_cursor::<String>(&token), "i64 as String");
            assert_internal(&decode_cursor::<Option<i8>>(&token), "i64 as Option<i8>");
            assert_internal(&decode_cursor::<DateTime<Utc>>(&token), "i64 as DateTime");
            let null = encode_cursor(&None::<i64>, CursorDirection::Next).unwrap();
            assert_eq!(decode_cursor::<Option<i64>>(&null).unwrap(), (None, CursorDirection::Next));
            assert_internal(&decode_cursor::<i64>(&null), "NULL as i64");
            assert_internal(&decode_cursor::<Option<i32>>(&null), "NULL of i64 as Option<i32>");
        })
        .await;
}

#[tokio::test]
async fn nan_is_refused() {
    let (folio, _pool) = notes().await;
    folio
        .scope(async {
            for bits in [0x7ff8_0000_0000_0000_u64, 0xfff8_0000_0000_0000, 0x7ff0_0000_0000_0001, u64::MAX] {
                let nan = f64::from_bits(bits);
                assert_internal(&encode_cursor(&nan, CursorDirection::Next), "f64");
                assert_internal(&encode_cursor(&Some(nan), CursorDirection::Next), "Option<f64>");
            }
            for bits in [0x7fc0_0000_u32, 0xffc0_0000, 0x7f80_0001, u32::MAX] {
                assert_internal(&encode_cursor(&f32::from_bits(bits), CursorDirection::Next), "f32");
            }
        })
        .await;
}

/// No way of printing anything that holds a key shows it: not its bytes, not its text.
#[tokio::test]
async fn keys_are_not_printed() {
    let (_, pool) = notes().await;
    let key = Key::from_bytes([171; 32]);
    let keyring = Keyring::new(key.clone()).with_previous([key.clone()]).unwrap();
    let folio = Folio::new(pool).keyring(keyring.clone());
    let builder = folio.scope(async { Note::query().cursor(Some("x")) }).await;
    let error = Key::from_base64("q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6u=q6ur").unwrap_err();
    let shown = [
        format!("{key:?} {key:#?}"),
        format!("{keyring:?} {keyring:#?}"),
        format!("{folio:?} {folio:#?}"),
        format!("{builder:?} {builder:#?}"),
        format!("{error} {error:?}"),
    ];
    for shown in shown {
        let flat: String = shown.split_whitespace().collect();
        for secret in ["171,171", "abab", "ABAB", "0xab", "q6ur", "«««"] {
            assert!(!flat.contains(secret), "{secret} in {shown}");
        }
    }
    assert_eq!(format!("{key:?}"), "Key(..)");
    assert_eq!(format!("{keyring:?}"), "Keyring { keys: 2 }");
}
