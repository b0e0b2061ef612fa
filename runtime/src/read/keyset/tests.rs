use folio_plan::boundary::BoundaryValue;
use folio_plan::cursor::CursorDirection;

use super::*;

#[test]
fn a_refused_boundary_is_an_invalid_cursor_only_if_it_was_sealed() {
    let row = Cursor::at(CursorDirection::Next, vec![BoundaryValue::plain(7_i64.into())]);
    let values = Cursor { origin: Origin::Values, ..row.clone() };
    let refusal_of = |cursor: Option<&Cursor>, has_request_filters| {
        let window = Window { start: cursor.cloned(), ..Window::first(9) };
        match refusal(&window, has_request_filters, sqlx::Error::RowNotFound) {
            WindowError::Cursor { direction, cause } => (Some(direction), cause.to_string()),
            WindowError::Other(cause) => (None, cause.to_string()),
        }
    };
    let refusal = |cursor| refusal_of(cursor, false);
    assert_eq!(refusal(None), (None, FrameworkError::Database(sqlx::Error::RowNotFound).to_string()));
    assert_eq!(refusal(Some(&row)), (Some(CursorDirection::Next), Refusal::InvalidCursor.to_string()));
    assert_eq!(refusal(Some(&values)), (None, Refusal::InvalidStart.to_string()));
    // The value is one of the filters.
    assert_eq!(refusal_of(Some(&row), true), (None, FrameworkError::Database(sqlx::Error::RowNotFound).to_string()));
}
