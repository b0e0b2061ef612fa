use super::*;
use crate::boundary::BoundaryValue;

#[test]
fn a_refused_boundary_is_an_invalid_cursor_only_if_it_was_sealed() {
    let row = Cursor::at(CursorDirection::Next, vec![BoundaryValue::plain(7_i64.into())]);
    let values = Cursor { origin: Origin::Values, ..row.clone() };
    let error = |cursor| refusal(&mut Interval::from_cursor(cursor, 9)).map(|error| error().to_string());
    assert_eq!(error(None), None);
    assert_eq!(error(Some(row)), Some(FrameworkError::invalid_cursor().to_string()));
    assert_eq!(error(Some(values)), Some(no_such_value().to_string()));
}
