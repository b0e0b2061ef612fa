//! Pages that `folio-plan` plans and rusqlite reads: a worked example of another executor.
//!
//! The executor's part is in `table_info`, `bind`, `run` and `key`. `page` puts the parts together, and `encode` and
//! `decode` are where a service would encrypt.

use std::cmp::Ordering;
use std::error::Error;
use std::sync::Arc;

use folio_plan::boundary::BoundaryValue;
use folio_plan::cursor::{Cursor, CursorDirection, Origin, Version, payload, push_part};
use folio_plan::dialect::catalog::{IndexColumn, TableInfo, by_index};
use folio_plan::dialect::{Dialect, Server};
use folio_plan::keyset::{Base, BindingOptions, KeysetOrder, KeysetQuery, ModelBase, PageRequest};
use folio_plan::offset::{ModelList, OffsetQuery};
use folio_plan::predicate::LEFT_OUT;
use folio_plan::schema::table::{Direction, Field, KeyColumn, Nulls, Table};
use folio_plan::schema::term::{Term, close_with_primary_key};
use folio_plan::statement::filtered::FilteredRows;
use folio_plan::statement::slice::Slice;
use folio_plan::statement::template::BoundSql;
use folio_plan::statement::total::TOTAL;
use folio_plan::value::{Canonical, Kind, Value, Variant};
use rusqlite::types::{Value as SqliteValue, ValueRef};
use rusqlite::{Connection, Row, params_from_iter};
use sea_query::{Expr, ExprTrait as _};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A key column of `i64`. SQLite stores and compares each value as it is bound, so the conversion changes none.
const fn integer(nullable: bool) -> Kind {
    let canonical = Canonical { convert: |value| matches!(value, Value::BigInt(_)).then_some(value), is_exact: true };
    Kind { variant: Variant::BigInt, nullable, canonical }
}

const fn field(column: &'static str, kind: fn() -> &'static str) -> Field {
    Field { column, kind, sqlite: true, postgres: false, mysql: false, postgres_type: None }
}

const ID: KeyColumn = KeyColumn::new("id", integer(false), Direction::Asc, None);
const COLUMNS: &[Field] = &[field("id", || "i64"), field("team", || "String"), field("score", || "Option<i64>")];
static PLAYERS: Table = Table::new("players", COLUMNS, &["id"], &[ID]);

#[derive(Debug, Clone, PartialEq)]
struct Player {
    id: i64,
    team: String,
    score: Option<i64>,
}

/// 300 players, most of whom tie with others or have no score.
fn players() -> Vec<Player> {
    let team = |id| if id % 3 == 0 { "red" } else { "blue" };
    let score = |id| (id % 5 != 0).then_some((id ^ 5) % 11);
    (1..=300).map(|id| Player { id, team: team(id).to_owned(), score: score(id) }).collect()
}

fn database() -> Result<Connection> {
    let db = Connection::open_in_memory()?;
    db.execute_batch(
        "CREATE TABLE players (id INTEGER PRIMARY KEY, team TEXT NOT NULL, score INTEGER);
         CREATE INDEX players_of_team ON players (team, score, id)",
    )?;
    for Player { id, team, score } in players() {
        db.execute("INSERT INTO players VALUES (?, ?, ?)", (id, team, score))?;
    }
    Ok(db)
}

/// How a list is sorted: by score, with the NULLs at this end, and then by id.
type Sort = (Direction, Nulls);

const SORTS: [Sort; 4] = [
    (Direction::Asc, Nulls::First),
    (Direction::Asc, Nulls::Last),
    (Direction::Desc, Nulls::First),
    (Direction::Desc, Nulls::Last),
];

/// The order as folio has it. The primary key is appended, so that no two rows tie.
fn order((direction, nulls): Sort) -> Result<KeysetOrder> {
    let score = KeyColumn::new("score", integer(true), direction, Some(nulls));
    let terms = close_with_primary_key(Some(&PLAYERS), vec![Term::of_table(&PLAYERS, score)]);
    Ok(KeysetOrder::of_model(Dialect::Sqlite, &PLAYERS, terms)?)
}

/// The same order without a database: the players of a list, sorted.
fn sorted(team: Option<&str>, (direction, nulls): Sort) -> Vec<Player> {
    let directed = |ascending: Ordering| if direction == Direction::Asc { ascending } else { ascending.reverse() };
    let by_score = |one: Option<i64>, other: Option<i64>| match (one, other, nulls) {
        (Some(one), Some(other), _) => directed(one.cmp(&other)),
        (one, other, Nulls::First) => one.is_some().cmp(&other.is_some()),
        (one, other, Nulls::Last) => one.is_none().cmp(&other.is_none()),
    };
    let mut players = players();
    players.retain(|player| team.is_none_or(|team| player.team == team));
    players.sort_by(|one, other| by_score(one.score, other.score).then(directed(one.id.cmp(&other.id))));
    players
}

/// The rows of a list, with or without a filter.
fn rows(team: Option<&str>) -> FilteredRows {
    let filters = team.map(|team| Expr::col("team").eq(team)).into_iter().collect();
    FilteredRows::new(Dialect::Sqlite, &PLAYERS, filters, &[])
}

fn list(team: Option<&str>, sort: Sort) -> Result<KeysetQuery> {
    let base = Base::Model(Box::new(ModelBase::new(rows(team), None)));
    Ok(KeysetQuery { order: Arc::new(order(sort)?), base, binding: BindingOptions::default() })
}

/// What the catalog says about the table. Without indexes it would be the same pages, more slowly.
///
/// The last column of each index is the rowid, which has no name there. The table itself is the index by `id`.
fn table_info(db: &Connection) -> Result<TableInfo> {
    let mut select = db.prepare(
        "SELECT list.name, COALESCE(part.name, 'id'), part.desc
         FROM pragma_index_list(?1) AS list JOIN pragma_index_xinfo(list.name) AS part
         UNION ALL SELECT '', 'id', 0",
    )?;
    let column = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, None));
    let columns: Vec<IndexColumn> = select.query_map([PLAYERS.name], column)?.collect::<rusqlite::Result<_>>()?;
    Ok(TableInfo { indexes: by_index(&columns), ..TableInfo::of(Server::SQLITE) })
}

/// A value in rusqlite's form: those of keys and filters, and the numbers of a limit or an offset.
fn bind(value: &Value) -> Result<SqliteValue> {
    Ok(match value {
        Value::BigInt(number) => (*number).into(),
        Value::BigUnsigned(number) => number.map(i64::try_from).transpose()?.into(),
        Value::String(text) => text.clone().into(),
        other => return Err(format!("no column of this table has {other:?}").into()),
    })
}

/// Runs a statement with its values. `limit` is the number of rows that it was written for: one more is an error.
fn run<T>(
    db: &Connection,
    statement: &BoundSql,
    limit: u64,
    mut read: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let values = statement.values.0.iter().map(bind).collect::<Result<Vec<_>>>()?;
    let mut prepared = db.prepare(&statement.sql)?;
    let mut rows = prepared.query(params_from_iter(values))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    if u64::try_from(found.len())? > limit {
        return Err(format!("more than {limit} rows").into());
    }
    Ok(found)
}

fn player(row: &Row<'_>) -> Result<Player> {
    Ok(Player { id: row.get("id")?, team: row.get("team")?, score: row.get("score")? })
}

/// The key of a row, under the names that the order's columns have in the result.
fn key(order: &KeysetOrder, row: &Row<'_>) -> Result<Vec<BoundaryValue>> {
    let value = |(term, output): (&Term, &str)| {
        let value = match row.get_ref(output)? {
            ValueRef::Null => term.key.variant.null(),
            ValueRef::Integer(number) => Value::from(number),
            other => return Err(format!("{output} has {other:?}").into()),
        };
        match term.refusal(&value) {
            Some(refusal) => Err(format!("{output}: {refusal}").into()),
            None => Ok(BoundaryValue::plain(value)),
        }
    };
    order.terms.iter().zip(order.sorts.iter().map(|sort| &*sort.output)).map(value).collect()
}

/// Rows in the list's order, and the cursors of the neighbouring pages.
struct Page {
    players: Vec<Player>,
    next: Option<Cursor>,
    prev: Option<Cursor>,
}

fn page(db: &Connection, list: &KeysetQuery, cursor: Option<&Cursor>, per_page: usize) -> Result<Page> {
    let order = list.order.for_page(Some(table_info(db)?.into()));
    let direction = cursor.map_or(CursorDirection::Next, |cursor| cursor.direction);
    let start = cursor.and_then(Cursor::boundary);
    // One row more than the page shows that there are others.
    let limit = u64::try_from(per_page)?.saturating_add(1);
    let request = PageRequest { direction, start, end: None, skip: 0, limit, candidates: None };
    // No range matches a row with NULL in a column whose type has none. If there is one, the statement marks its rows.
    let is_verified = order.verifies && order.may_leave_out(request);
    let mut rows = run(db, &list.base.page(&order, request), limit, |row| {
        if is_verified && row.get_ref(LEFT_OUT)? != ValueRef::Null {
            return Err("a row is left out: it has NULL in a column of the key whose type has none".into());
        }
        Ok((player(row)?, key(&list.order, row)?))
    })?;

    let has_more = rows.len() > per_page;
    rows.truncate(per_page);
    let at = |direction, row: &(Player, Vec<BoundaryValue>)| Cursor::at(direction, row.1.clone());
    let ahead = rows.last().filter(|_| has_more).map(|row| at(direction, row));
    // Behind the cursor is at least the row that it was made from.
    let back = rows.first().filter(|_| cursor.is_some()).map(|row| at(direction.flip(), row));
    let (next, prev) = direction.oriented(ahead, back);
    let mut players: Vec<Player> = rows.into_iter().map(|(player, _)| player).collect();
    if direction == CursorDirection::Prev {
        players.reverse();
    }
    Ok(Page { players, next, prev })
}

/// A cursor for the client: the words that it is authenticated with, and the payload. A service would encrypt the
/// payload, with the words as associated data, which take no space in the token.
fn encode(list: &KeysetQuery, cursor: &Cursor) -> Result<Vec<u8>> {
    let mut token = Vec::new();
    push_part(&mut token, &[&list.cursor_binding().words(cursor.origin)]);
    let payload = payload::write(cursor, Version::One, None).map_err(|_| "a value has no consistent order")?;
    token.extend(payload);
    Ok(token)
}

/// The cursor of a client, if it belongs to the list.
fn decode(list: &KeysetQuery, token: &[u8]) -> Option<Cursor> {
    let mut words = Vec::new();
    push_part(&mut words, &[&list.cursor_binding().words(Origin::Row)]);
    let (cursor, _) = payload::read(token.strip_prefix(&*words)?, &list.order.types).ok()?;
    cursor.has_values_of(&list.order.types).then_some(cursor)
}

/// All pages from a cursor on, in the direction of reading, and the cursor that leads back from the last page.
fn walk(
    db: &Connection,
    list: &KeysetQuery,
    mut cursor: Option<Cursor>,
    direction: CursorDirection,
    per_page: usize,
) -> Result<(Vec<Vec<Player>>, Option<Cursor>)> {
    let mut pages = Vec::new();
    loop {
        let Page { players, next, prev } = page(db, list, cursor.as_ref(), per_page)?;
        pages.push(players);
        // `oriented` is its own inverse.
        let (ahead, back) = direction.oriented(next, prev);
        let Some(ahead) = ahead else { return Ok((pages, back)) };
        let token = encode(list, &ahead)?;
        cursor = decode(list, &token);
        assert_eq!(cursor.as_ref(), Some(&ahead), "a token has the whole cursor");
    }
}

#[test]
fn a_walk_visits_each_row_once_forward_and_backward() -> Result<()> {
    let db = database()?;
    for (team, rows) in [(None, 300), (Some("red"), 100), (Some("green"), 0)] {
        for (sort, per_page) in SORTS.into_iter().flat_map(|sort| [1, 7, 50, 1_000].map(|size| (sort, size))) {
            let (list, expected) = (list(team, sort)?, sorted(team, sort));
            assert_eq!(expected.len(), rows);
            let (pages, back) = walk(&db, &list, None, CursorDirection::Next, per_page)?;
            assert_eq!(pages.concat(), expected, "{team:?} {sort:?} {per_page}");

            // Backward from the last page: all pages before it.
            let Some(back) = back else { continue };
            let (mut before, _) = walk(&db, &list, Some(back), CursorDirection::Prev, per_page)?;
            before.reverse();
            assert_eq!(before, pages[..pages.len() - 1], "{team:?} {sort:?} {per_page}");
        }
    }
    Ok(())
}

#[test]
fn the_catalog_decides_the_plan_and_not_the_rows() -> Result<()> {
    let db = database()?;
    let info = table_info(&db)?;
    let names: Vec<Vec<&str>> =
        info.indexes.iter().map(|index| index.columns.iter().map(|(name, _)| &**name).collect()).collect();
    assert_eq!(names, [vec!["team", "score", "id", "id"], vec!["id"]]);

    let list = list(Some("red"), (Direction::Asc, Nulls::First))?;
    let request =
        PageRequest { direction: CursorDirection::Next, start: None, end: None, skip: 0, limit: 20, candidates: None };
    let statement = |info: Option<TableInfo>| list.base.page(&list.order.for_page(info.map(Into::into)), request);
    let mut partial = info.clone();
    partial.indexes.iter_mut().take(1).for_each(|index| index.condition = Some("team = 'red'".to_owned()));
    let (whole, partial) = (statement(Some(info)), statement(Some(partial)));
    // SQLite does not look at a value behind a `+`, so it keeps one plan for all teams. An index of one team needs another.
    assert!(whole.sql.contains("= + ?") && !partial.sql.contains("= + ?"), "{}\n{}", whole.sql, partial.sql);
    let expected = &sorted(Some("red"), (Direction::Asc, Nulls::First))[..20];
    for statement in [whole, partial, statement(None)] {
        assert_eq!(run(&db, &statement, 20, player)?, expected);
    }
    Ok(())
}

#[test]
fn a_cursor_of_another_list_is_refused() -> Result<()> {
    let db = database()?;
    let (ascending, descending) = (list(None, SORTS[0])?, list(None, SORTS[2])?);
    let next = page(&db, &ascending, None, 5)?.next.ok_or("there are more than five players")?;
    let token = encode(&ascending, &next)?;
    assert_eq!(decode(&ascending, &token), Some(next));
    assert_eq!(decode(&descending, &token), None);
    Ok(())
}

#[test]
fn a_numbered_page_has_its_rows_and_the_total() -> Result<()> {
    let db = database()?;
    let sort = (Direction::Desc, Nulls::Last);
    let numbered = OffsetQuery::Model(Box::new(ModelList::new(rows(Some("blue")), order(sort)?.sorts)));
    let expected = sorted(Some("blue"), sort);
    // The last page has fewer rows.
    for (number, rows) in [(1, 0..30), (3, 60..90), (7, 180..200)] {
        let slice = Slice::of_page(number, 30).ok_or("the page is too far")?;
        let statement = numbered.page_with_total(slice, None).ok_or("the total takes another statement")?;
        let page = run(&db, &statement, 30, |row| Ok((player(row)?, row.get::<_, i64>(TOTAL)?)))?;
        let (players, totals): (Vec<Player>, Vec<i64>) = page.into_iter().unzip();
        assert_eq!(players, expected[rows]);
        assert!(totals.iter().all(|total| *total == 200), "{totals:?}");
    }
    Ok(())
}
