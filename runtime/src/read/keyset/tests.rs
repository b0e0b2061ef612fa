use super::*;
use crate::boundary::BoundaryValue;

#[test]
fn a_refused_boundary_is_an_invalid_cursor_only_if_it_was_sealed() {
    let row = Cursor::at(CursorDirection::Next, vec![BoundaryValue::plain(7_i64.into())]);
    let values = Cursor { origin: Origin::Values, ..row.clone() };
    let refusal = |cursor| refusal(&mut Interval::from_cursor(cursor, 9));
    assert_eq!(refusal(None), None);
    assert_eq!(refusal(Some(row)), Some(Refusal::InvalidCursor));
    assert_eq!(refusal(Some(values)), Some(Refusal::InvalidStart));
}
