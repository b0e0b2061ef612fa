//! The cases of the specification "GraphQL Cursor Connections", one by one. [`windows`](super::windows) has the same
//! rules for random windows of many orders.

use folio::relay::{Connection, Window};
use folio::{Builder, Folio, Paginate};

use crate::server::{ID, TEXT};
use crate::suite::db;

/// A row for each letter. The list is `a` to `f`, which is not the order of the ids.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "relay_letters", cursor_key = "letter")]
struct Letter {
    #[expect(dead_code, reason = "only its column is used")]
    id: i64,
    letter: String,
}

const LETTERS: &str = "abcdef";

async fn letters() -> (Folio, db::Pool) {
    db::folio(&format!(
        "CREATE TABLE relay_letters (id {ID}, letter {TEXT} NOT NULL); \
         INSERT INTO relay_letters VALUES (1, 'f'), (2, 'c'), (3, 'a'), (4, 'e'), (5, 'b'), (6, 'd')"
    ))
    .await
}

/// The letters of a connection, `<` if the list has some before them, and `>` if it has some after them.
fn shown(connection: &Connection<Letter>) -> String {
    let flag = |is_set: bool, sign: &'static str| if is_set { sign } else { "" };
    let letters: String = connection.edges.iter().map(|edge| &*edge.node.letter).collect();
    let info = &connection.page_info;
    format!("{}{letters}{}", flag(info.has_previous_page, "<"), flag(info.has_next_page, ">"))
}

/// The cursor at a letter.
async fn cursor(letter: char) -> String {
    let mut all = Letter::query().connection(Window::first(6)).await.unwrap();
    all.edges.remove(LETTERS.find(letter).unwrap()).cursor
}

/// What is written as `first 2 after b before e`.
async fn window(text: &str) -> Window {
    let mut window = Window::default();
    let words: Vec<&str> = text.split(' ').collect();
    for argument in words.chunks(2) {
        match argument {
            ["first", rows] => window.first = rows.parse().ok(),
            ["last", rows] => window.last = rows.parse().ok(),
            ["after", letter] => window.after = Some(cursor(letter.parse().unwrap()).await),
            ["before", letter] => window.before = Some(cursor(letter.parse().unwrap()).await),
            other => panic!("{other:?} is not an argument"),
        }
    }
    window
}

/// Reads each window, and compares what it shows.
async fn check(list: impl Fn() -> Builder<Letter>, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let connection = list().connection(window(text).await).await.unwrap();
        assert_eq!(shown(&connection), *expected, "{text}");
        let ends = [connection.edges.first(), connection.edges.last()].map(|edge| edge.map(|edge| &edge.cursor));
        let info = &connection.page_info;
        assert_eq!([info.start_cursor.as_ref(), info.end_cursor.as_ref()], ends, "{text}");
    }
}

/// `ApplyCursorsToEdges`, then `first` from the beginning of what is left, or `last` from its end.
#[tokio::test]
async fn cursors_are_applied_before_the_number_of_edges() {
    let (folio, _pool) = letters().await;
    let cases = [
        ("first 2", "ab>"),
        ("first 6", "abcdef"),
        ("first 9", "abcdef"),
        ("last 2", "<ef"),
        ("last 6", "abcdef"),
        ("last 9", "abcdef"),
        ("first 2 after b", "<cd>"),
        ("first 9 after b", "<cdef"),
        ("last 2 after b", "<ef"),
        ("last 9 after b", "<cdef"),
        ("first 2 before e", "ab>"),
        ("first 9 before e", "abcd>"),
        ("last 2 before e", "<cd>"),
        ("last 9 before e", "abcd>"),
        ("first 1 after b before e", "<c>"),
        ("last 1 after b before e", "<d>"),
        ("first 9 after b before e", "<cd>"),
        ("last 9 after b before e", "<cd>"),
    ];
    folio.scope(check(Letter::query, &cases)).await;
}

/// This includes windows without edges, and cursors at the ends of the list or in the wrong order.
#[tokio::test]
async fn flags_are_those_of_the_whole_list() {
    let (folio, _pool) = letters().await;
    let cases = [
        ("first 0", ">"),
        ("last 0", "<"),
        ("first 0 after b", "<>"),
        ("last 0 before e", "<>"),
        ("first 5 after a", "<bcdef"),
        ("last 5 before f", "abcde>"),
        ("first 9 after f", "<"),
        ("last 9 after f", "<"),
        ("first 9 before a", ">"),
        ("last 9 before a", ">"),
        ("first 9 after b before c", "<>"),
        ("last 9 after b before c", "<>"),
    ];
    folio.scope(check(Letter::query, &cases)).await;
}

/// The order of edges is the same for `first` and `last`: a client that holds both ends has the list.
#[tokio::test]
async fn edges_are_in_one_order() {
    let (folio, _pool) = letters().await;
    let check = async {
        for (forwards, backwards) in [
            ("first 6", "last 6"),
            ("first 3 before d", "last 3 before d"),
            ("first 3 after c", "last 3 after c"),
            ("first 2 after b before e", "last 2 after b before e"),
        ] {
            let [forwards, backwards] = [window(forwards).await, window(backwards).await];
            let forwards = Letter::query().connection(forwards).await.unwrap();
            let backwards = Letter::query().connection(backwards).await.unwrap();
            assert_eq!(shown(&forwards), shown(&backwards));
            assert!(!forwards.edges.is_empty());
        }
    };
    folio.scope(check).await;
    let reversed = || Letter::query().order_by(Letter::LETTER.desc());
    let cases = [("first 2", "fe>"), ("last 2", "<ba")];
    folio.scope(self::check(reversed, &cases)).await;
}

#[tokio::test]
async fn an_empty_list_has_neither_edges_nor_cursors() {
    let (folio, _pool) = letters().await;
    let none = || Letter::query().filter(Letter::LETTER.eq("z"));
    let cases = [("first 2", ""), ("last 2", ""), ("first 0", ""), ("last 0", "")];
    folio.scope(check(none, &cases)).await;
    // The cursors are still those of the list, which the filter does not change.
    let cases = [("first 2 after c", ""), ("last 2 before c", ""), ("first 2 after b before e", "")];
    folio.scope(check(none, &cases)).await;
}
