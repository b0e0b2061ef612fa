use super::*;

#[test]
fn a_cursor_includes_its_row_in_its_own_direction_only() {
    for direction in [CursorDirection::Next, CursorDirection::Prev] {
        let cursor = Cursor { inclusive: true, ..Cursor::at(direction, Vec::new()) };
        assert_eq!(cursor.clone().facing(direction), cursor);
        assert_eq!(cursor.facing(direction.flip()), Cursor::at(direction.flip(), Vec::new()));
    }
}
