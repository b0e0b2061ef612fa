use super::*;
use crate::cursor::CursorBinding;
use crate::schema::table::{Direction, KeyColumn, Nulls, Table};
use crate::schema::term::Term;
use crate::value::ValueProbe;

const SCORE: KeyColumn = KeyColumn::new("score", ValueProbe::<f64>::KIND, Direction::Asc, None);
const RANK: KeyColumn = KeyColumn::new("rank", ValueProbe::<Option<i64>>::KIND, Direction::Asc, Some(Nulls::First));

fn cursor(direction: CursorDirection, value: i64) -> Cursor {
    Cursor::at(direction, vec![BoundaryValue::plain(value.into())])
}

#[test]
fn the_rest_of_an_interval_begins_after_its_page_and_ends_where_it_ended() {
    let next = || Some(cursor(CursorDirection::Next, 9));
    let before = || Some(cursor(CursorDirection::Prev, 20));
    let forwards = || Interval { before: before(), ..Interval::from_cursor(None, 5) };
    let rest = forwards().after_page(next(), true).expect("the page was not the last one");
    assert_eq!((rest.after, rest.before, rest.direction, rest.limit), (next(), before(), CursorDirection::Next, 5));
    assert!(forwards().after_page(next(), false).is_none(), "the rows after the page are not of the interval");
    assert!(forwards().after_page(None, true).is_none());

    // Pages that are read backwards end at the interval's end, and are followed by all later rows.
    let backwards = Interval { direction: CursorDirection::Prev, ..forwards() };
    let rest = backwards.after_page(next(), false).expect("rows follow the interval");
    assert_eq!((rest.after, rest.before, rest.direction), (next(), None, CursorDirection::Next));
}

#[test]
fn the_values_of_a_boundary_are_those_of_the_first_columns() {
    static SCORES: Table = Table::new("scores", &[], &["rank"], &[]);
    let terms = [SCORE, RANK].map(|column| Term::of_table(&SCORES, column)).to_vec();
    let order = KeysetOrder::new(terms, Vec::new(), CursorBinding::new(&["list"], None, &[]), None);
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
fn a_request_says_which_rows_are_read() {
    let order = KeysetOrder::new(Vec::new(), Vec::new(), CursorBinding::new(&["list"], None, &[]), None);
    let request = WindowRequest { skip: 3, row_cursors: true, is_exact: true, ..WindowRequest::first(5) };
    let unseal = |_: &str| Ok(cursor(CursorDirection::Prev, 9));
    let first = Interval::open(request.clone(), &order, unseal).expect("it has no cursor");
    assert_eq!((first.skip, first.limit, first.row_keys, first.is_exact), (3, 5, true, true));
    assert_eq!((first.direction, first.after, first.before), (CursorDirection::Next, None, None));
    let request = WindowRequest { start: Start::Cursor("token".into()), ..request };
    let before = Interval::open(request, &order, unseal).expect("its cursor is valid");
    assert_eq!((before.skip, before.row_keys, before.is_exact), (3, true, true));
    assert_eq!((before.direction, before.after), (CursorDirection::Prev, None));
    assert_eq!(before.before, Some(cursor(CursorDirection::Prev, 9)));
}
