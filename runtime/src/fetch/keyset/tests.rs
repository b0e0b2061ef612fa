use super::*;
use crate::cursor::BoundaryValue;
use crate::dialect::Dialect::{MySql, Postgres, Sqlite};
use crate::fetch::tests::query;

#[test]
fn only_a_feed_on_mariadb_may_need_two_statements() {
    // For a long list of authors, MariaDB first finds those whose posts come next.
    for (dialect, authors, expected) in
        [(MySql, 1_000, true), (MySql, 2, false), (MySql, 0, false), (Postgres, 1_000, false), (Sqlite, 1_000, false)]
    {
        assert_eq!(needs_snapshot(&query(dialect, false, authors, None), None), expected, "{dialect:?}, {authors}");
    }
}

#[test]
fn a_server_that_is_not_known_yet_may_be_mariadb() {
    let of = |server| TableInfo {
        server,
        not_null: Vec::new(),
        indexes: Vec::new(),
        is_distributed: false,
        needs_equalities: false,
    };
    let cases = [(None, true), (Some(of(Server::MariaDb(11))), true), (Some(of(Server::Sqlite)), false)];
    for (info, expected) in cases {
        assert_eq!(may_be_mariadb(info.as_ref()), expected, "{info:?}");
    }
}

#[test]
fn a_refused_boundary_is_an_invalid_cursor_only_if_it_was_sealed() {
    let row = Cursor::at(CursorDirection::Next, vec![BoundaryValue::plain(7_i64.into())]);
    let values = Cursor { origin: Origin::Values, ..row.clone() };
    let error = |cursor| refusal(&mut Interval::from_cursor(cursor, 9)).map(|error| error().to_string());
    assert_eq!(error(None), None);
    assert_eq!(error(Some(row)), Some(FrameworkError::invalid_cursor().to_string()));
    assert_eq!(error(Some(values)), Some(no_such_value().to_string()));
}
