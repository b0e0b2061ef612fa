use folio_plan::cursor::CursorBinding;
use folio_plan::dialect::Dialect;
use folio_plan::schema::table::{Direction, KeyColumn, Nulls, Table};
use folio_plan::schema::term::Term;

use super::*;
use crate::value::ValueProbe;

const SCORE: KeyColumn = KeyColumn::new("score", ValueProbe::<f64>::KIND, Direction::Asc, None);
const RANK: KeyColumn = KeyColumn::new("rank", ValueProbe::<Option<i64>>::KIND, Direction::Asc, Some(Nulls::First));

fn order_of(terms: Vec<Term>) -> KeysetOrder {
    let binding = CursorBinding::new(&["list"], None, &[]);
    KeysetOrder::new(Dialect::Sqlite, terms, Vec::new(), binding, None)
}

fn cursor(direction: CursorDirection, value: i64) -> Cursor {
    Cursor::at(direction, vec![BoundaryValue::plain(value.into())])
}

#[test]
fn the_rest_of_a_window_begins_after_its_page_and_ends_where_it_ended() {
    let next = || Some(Place::Cursor("next".into()));
    let before = || Some(Place::Cursor("before".into()));
    let window = || Window { end: before(), skip: 3, ..Window::first(5) };
    let rest = window().after_page(next(), true).expect("the page was not the last one");
    assert!(matches!(rest.start, Some(Place::Cursor(token)) if token == "next"));
    assert!(matches!(rest.end, Some(Place::Cursor(token)) if token == "before"));
    assert_eq!((rest.direction, rest.skip, rest.limit), (CursorDirection::Next, 0, 5));
    assert!(window().after_page(next(), false).is_none(), "the rows after the page are not of the window");
    assert!(window().after_page(None, true).is_none());

    // A page before a cursor is followed by all later rows.
    let page = Window { start: Some(Place::Page("prev".into())), ..Window::first(5) };
    let rest = page.after_page(next(), false).expect("rows follow the page");
    assert!(matches!(rest.start, Some(Place::Cursor(token)) if token == "next"));
    assert!(rest.end.is_none() && rest.direction == CursorDirection::Next);
}

#[test]
fn the_values_of_a_boundary_are_those_of_the_first_columns() {
    static SCORES: Table = Table::new("scores", &[], &["rank"], &[]);
    let terms = [SCORE, RANK].map(|column| Term::of_table(&SCORES, column)).to_vec();
    let order = order_of(terms);
    let says = |values: &[Value]| check(&order, values).err().map(|error| error.to_string());
    let score = || Value::Double(Some(0.5));

    assert_eq!(says(&[score()]), None);
    assert_eq!(says(&[score(), 1_i64.into()]), None);
    assert_eq!(says(&[score(), Value::BigInt(None)]), None);
    for (values, expected) in [
        (vec![], "`seek` got 0 values, but the order has 2 columns (score, rank)"),
        (vec![score(), 1_i64.into(), 1_i64.into()], "`seek` got 3 values, but the order has 2 columns (score, rank)"),
        (vec![1_i64.into()], "`seek` got a value of the type BigInt for the column `score`"),
        (vec![Value::Double(Some(f64::NAN))], "The list cannot begin at NaN"),
        (vec![Value::Double(None)], "`seek` got NULL (Double) for the column `score`"),
        (vec![score(), score()], "`seek` got a value of the type Double for the column `rank`"),
    ] {
        let message = says(&values).expect("these values are not of the columns' types");
        assert!(message.contains(expected), "{values:?}: {message}");
    }
}

#[test]
fn a_window_says_which_rows_are_read() {
    let order = order_of(Vec::new());
    let window = Window { skip: 3, row_cursors: true, is_exact: true, ..Window::first(5) };
    let unseal = |_: &str| Ok(cursor(CursorDirection::Prev, 9));
    let first = window.clone().open(&order, unseal).expect("it has no cursor");
    assert_eq!((first.skip, first.limit, first.row_cursors, first.is_exact), (3, 5, true, true));
    assert_eq!((first.direction, first.start, first.end), (CursorDirection::Next, None, None));
    let before = Window { start: Some(Place::Page("token".into())), ..window };
    let before = before.open(&order, unseal).expect("its cursor is valid");
    assert_eq!((before.skip, before.row_cursors, before.is_exact), (3, true, true));
    assert_eq!((before.direction, before.end), (CursorDirection::Prev, None));
    assert_eq!(before.start, Some(cursor(CursorDirection::Prev, 9)));
}

#[test]
fn a_cursor_that_does_not_open_is_named_by_its_direction() {
    use CursorDirection::{Next, Prev};
    let order = order_of(Vec::new());
    let refused = |token: &str| match token {
        "bad" => Err(FrameworkError::bad_request("bad")),
        _ => Ok(cursor(Next, 9)),
    };
    let direction = |start: &str, end: &str, direction| {
        let [start, end] = [start, end].map(|token| Some(Place::Cursor(token.into())));
        match (Window { start, end, direction, ..Window::first(5) }).open(&order, refused) {
            Err(WindowError::Cursor { direction, .. }) => Some(direction),
            _ => None,
        }
    };
    assert_eq!(direction("good", "good", Next), None);
    assert_eq!((direction("bad", "good", Next), direction("good", "bad", Next)), (Some(Next), Some(Prev)));
    assert_eq!((direction("bad", "good", Prev), direction("good", "bad", Prev)), (Some(Prev), Some(Next)));
}

#[test]
fn rows_are_behind_a_page_that_begins_at_a_row_or_skips_some() {
    let row = || Cursor::at(CursorDirection::Next, vec![BoundaryValue::plain(1_i64.into())]);
    let values = || Cursor { origin: Origin::Values, ..row() };
    let of = |after| Window { start: Some(after), ..Window::first(9) };
    for (window, expected) in [
        (Window::first(9), true),
        (of(row()), true),
        (of(Cursor { inclusive: true, ..row() }), false),
        (of(values()), false),
        (Window { is_exact: true, ..of(row()) }, false),
        (Window { is_exact: true, skip: 1, ..of(row()) }, true),
        (Window { skip: 1, ..of(values()) }, true),
    ] {
        assert_eq!(window.has_rows_behind(), expected, "{window:?}");
    }
}
