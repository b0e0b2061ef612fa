//! Checks on the rows of each page for anything that would make later pages lose or repeat rows.

use std::cmp::Ordering;
use std::collections::HashSet;

use folio_plan::access::AccessPath;
use folio_plan::boundary::BoundaryValue;
use folio_plan::cursor::{Cursor, CursorDirection};
use folio_plan::dialect::catalog::SharedInfo;
use folio_plan::keyset::{Base, KeysetOrder, KeysetQuery};
use folio_plan::offset::SortedValue;
use folio_plan::predicate::{self, Pair};
use folio_plan::schema::table::{Direction, Table};
use folio_plan::schema::term::Term;
use folio_plan::value::{self, Value};
use sqlx::Row as _;

use super::key::Key;
use crate::driver::{Driver, column_error, enum_error};
use crate::error::{FrameworkError, Result};
use crate::once::Once;
use crate::source::{Lease, catalog};

/// Rejects a result with several columns of the same name, because which of them is read would differ between the forms
/// of a page.
pub(crate) fn refuse_equal_names<D: Driver>(row: &D::Row) -> sqlx::Result<()> {
    match equal_name(row.columns().iter().map(sqlx::Column::name)) {
        Some(name) => {
            Err(column_error(name, "several columns of the select have this name: give each one an alias of its own"))
        }
        None => Ok(()),
    }
}

/// Rejects a result in which a column of the caller's has a name under which folio selects one of its own, because
/// which of them is read would be chance.
pub(crate) fn refuse_namesakes<D: Driver>(row: &D::Row) -> sqlx::Result<()> {
    let names = row.columns().iter().map(sqlx::Column::name);
    match equal_name(names.filter(|name| name.starts_with("folio_"))) {
        Some(name) => {
            Err(column_error(name, "folio selects a column of its own under this name: give yours another one"))
        }
        None => Ok(()),
    }
}

/// A name that several columns have. SQLite renames the second one to `id:1`.
pub(super) fn equal_name<'a>(names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut seen = HashSet::new();
    for name in names {
        let name = copied(name).filter(|original| seen.contains(original)).unwrap_or(name);
        if !seen.insert(name) {
            return Some(name);
        }
    }
    None
}

/// The original of a name that SQLite may have made for a second column: `id` for `id:1`.
fn copied(name: &str) -> Option<&str> {
    let (original, copy) = name.rsplit_once(':')?;
    copy.parse::<u32>().is_ok().then_some(original)
}

/// The primary keys of a page's rows, which were found by their keys. If a primary key is not unique, that shows rows
/// that are not of the page, and leaves others out.
pub(crate) struct PrimaryKeys {
    table: &'static Table,
    seen: HashSet<Vec<u8>>,
}

impl PrimaryKeys {
    pub(crate) fn of(table: &'static Table) -> Self {
        Self { table, seen: HashSet::new() }
    }

    /// Adds a row.
    ///
    /// # Errors
    /// A row with the primary key of another one, or with NULL in it.
    pub(crate) fn add<D: Driver>(&mut self, row: &D::Row) -> sqlx::Result<()> {
        let mut key = Vec::new();
        for column in self.table.primary_key() {
            if D::is_null(row, column.name)? {
                return Err(column_error(
                    column.name,
                    "a row has NULL in the primary key, by which a page finds its rows: name columns that are unique and \
                     never NULL with `primary_key`",
                ));
            }
            // A value that no cursor can hold identifies its row as well.
            let value = D::value(row, column.name, column.variant)?;
            if value::write(&value, &mut key).is_err() {
                key.extend(format!("{value:?}").bytes());
            }
            key.push(0);
        }
        if self.seen.insert(key) {
            return Ok(());
        }
        Err(sqlx::Error::Decode(
            format!(
                "two rows of `{}` have the same primary key ({}), by which a page finds its rows: name the columns that are \
                 unique with `primary_key`. If they are unique, either a proxy puts the rows of several servers together, \
                 for which there is `Folio::plain_statements`, or a filter is not deterministic",
                self.table.name,
                self.table.primary_key.join(", ")
            )
            .into(),
        ))
    }
}

/// Looks for neighbours that tie in the order of a numbered list whose primary key is not known.
pub(crate) struct Ties<'a> {
    columns: &'a [SortedValue],
    last: Option<Vec<Value>>,
}

impl<'a> Ties<'a> {
    pub(crate) fn of(columns: &'a [SortedValue]) -> Self {
        Self { columns, last: None }
    }

    /// Adds a row. Logs a warning, once for each list, if it ties with the row before it: which of them is on a page
    /// may differ from one statement to the next.
    pub(crate) fn add<D: Driver>(&mut self, row: &D::Row) {
        static WARNED: Once = Once::new();
        if self.columns.is_empty() {
            return;
        }
        let value = |column: &SortedValue| D::value(row, &column.output, column.variant);
        // A value that cannot be read here is the row type's business.
        let Ok(key) = self.columns.iter().map(value).collect::<sqlx::Result<Vec<_>>>() else { return };
        let names = || self.columns.iter().map(|column| column.name).collect::<Vec<_>>().join(", ");
        if self.last.as_ref() == Some(&key) && WARNED.is_first_list(&names()) {
            tracing::warn!(
                target: "folio",
                "rows tie in the order of a numbered list ({}), so its pages may repeat rows and leave others out: end the \
                 order with columns that tell all rows apart, such as the primary key",
                names()
            );
        }
        self.last = Some(key);
    }
}

/// The error for a row that a page would leave out, because it has NULL where the order expects none.
pub(crate) fn left_out(order: &KeysetOrder) -> sqlx::Error {
    let columns = order.terms.iter().filter(|term| term.key.nulls.is_none()).map(|term| term.key.name);
    column_error(
        &columns.collect::<Vec<_>>().join(", "),
        "a row has NULL in a cursor key column whose type cannot hold it, so the page would leave the row out: make the column \
         an `Option`",
    )
}

/// Rejects a page that begins with the same key as the cursor that it should follow, because paging on would never end,
/// and rows that are not in the order in which they were read: the database has computed a value of the order for the
/// condition and again for the row, as SQLite does for `random()` in a view. Only numbers compare here as they do in the
/// database.
pub(crate) fn order_of_keys(
    order: &KeysetOrder,
    direction: CursorDirection,
    from: Option<&Cursor>,
    keys: &[Key],
) -> Result<()> {
    if let (Some(from), Some(first)) = (from, keys.first())
        && !from.inclusive
        && are_same(&from.boundary, first)
    {
        return Err(FrameworkError::internal(format!(
            "pagination does not advance: this page starts at the key the previous page ended with ({}). The database does \
             not compare this key as it sorts it: order by other columns",
            order.names()
        )));
    }
    let Some((term, sort)) = order.terms.first().zip(order.sorts.first()) else { return Ok(()) };
    let ascends = (sort.direction == Direction::Asc) == (direction == CursorDirection::Next);
    let firsts = || from.map(|from| &from.boundary).into_iter().chain(keys).map(|key| key.first());
    let is_in_order = |(one, other)| match (number_ordering(one, other), ascends) {
        (Some(ordering), true) => ordering.is_le(),
        (Some(ordering), false) => ordering.is_ge(),
        (None, _) => true,
    };
    if firsts().zip(firsts().skip(1)).all(is_in_order) {
        return Ok(());
    }
    Err(FrameworkError::internal(format!(
        "the rows are not in the order of `{}`, whose value changes within a statement, as that of a view or a function may: \
         sort by stored columns. If it is a stored column, a proxy puts the rows of several servers together without sorting \
         them: call `Folio::plain_statements`",
        term.key.name
    )))
}

/// How two numbers compare, if both are integers, or both are `f64`. An `i8` may be a `"char"` of PostgreSQL, which has
/// no sign.
fn number_ordering(one: Option<&BoundaryValue>, other: Option<&BoundaryValue>) -> Option<Ordering> {
    let (one, other) = (one?, other?);
    // A stored form compares as itself.
    if one.stored.is_some() || other.stored.is_some() {
        return None;
    }
    match (&one.value, &other.value) {
        (Value::Double(Some(one)), Value::Double(Some(other))) => one.partial_cmp(other),
        (Value::TinyInt(_), _) => None,
        (one, other) => Some(value::integer(one)?.cmp(&value::integer(other)?)),
    }
}

/// Rejects a cursor whose moment was read in another time zone, in which the server takes it for another moment.
pub(crate) fn refuse_other_zone(order: &KeysetOrder, cursor: &Cursor, key: &Key) -> Result<()> {
    let pairs = order.terms.iter().zip(cursor.boundary.iter().zip(key));
    for (term, (given, found)) in pairs {
        let is_null = value::is_null(&given.value) || value::is_null(&found.value);
        if !is_null && given.zone() != found.zone() {
            let [made, used] = [given, found].map(|value| value.zone().unwrap_or("UTC"));
            return Err(FrameworkError::internal(format!(
                "the cursor's value for the TIMESTAMP column `{}` was read in the time zone `{made}`, and the session is in \
                 `{used}`, where it means another moment: use one time zone for all sessions, such as `+00:00`, which is \
                 sqlx's default",
                term.key.name
            )));
        }
    }
    Ok(())
}

/// What the catalog says about an order's table; `None` if it cannot be read. It is an error if a column of the order
/// is an ENUM or SET, which a driver does not always see in a row: OceanBase sends them as text.
pub(super) async fn info<D: Driver>(
    connection: &mut Lease<'_, D>,
    query: &KeysetQuery,
    table: &'static Table,
) -> Result<Option<SharedInfo>> {
    match catalog::of(connection, table).await? {
        Some(info) if info.is_proxied || info.is_foreign || info.is_spider || !info.enums.is_empty() => {
            Box::pin(of_special_table(connection, query, table, info)).await
        }
        info => Ok(info),
    }
}

/// Warns about a table whose pages may lose rows, and rejects an order that loses some.
async fn of_special_table<D: Driver>(
    connection: &mut Lease<'_, D>,
    KeysetQuery { order, .. }: &KeysetQuery,
    table: &'static Table,
    info: SharedInfo,
) -> Result<Option<SharedInfo>> {
    static FOREIGN: Once = Once::new();
    static PROXIED: std::sync::Once = std::sync::Once::new();
    if info.is_proxied && !order.dialect.facts().is_plain {
        PROXIED.call_once(|| {
            tracing::warn!(
                target: "folio",
                "the server is Vitess, which may lose rows of a statement with a UNION or a subquery if they are on several \
                 servers: call `Folio::plain_statements`, unless every list is filtered by the sharding key"
            );
        });
    }
    if info.is_foreign && FOREIGN.is_first(Some(table)) {
        tracing::warn!(
            target: "folio",
            table = table.name,
            "PostgreSQL assumes the NOT NULL constraints of a foreign table, so a cursor page may leave out rows that break \
             them: declare only those that the other server enforces"
        );
    }
    if info.is_spider {
        refuse_nulls(order)?;
    }
    if info.enum_among(&order.terms).is_none() {
        return Ok(Some(info));
    }
    // An old answer, or one about another database's table, must not refuse a page.
    catalog::forget(connection, table);
    let info = catalog::of(connection, table).await?;
    match info.as_ref().and_then(|info| info.enum_among(&order.terms)) {
        Some((column, kind)) => Err(enum_error(column, &kind.to_uppercase()).into()),
        None => Ok(info),
    }
}

/// Rejects an order with a column that may be NULL, in a table of MariaDB's Spider. Spider sends `score IS NULL` to the
/// other server as its opposite.
fn refuse_nulls(order: &KeysetOrder) -> Result<()> {
    let nullable = order.terms.iter().zip(&order.sorts).find(|(_, sort)| sort.nulls.is_some());
    match nullable {
        Some((term, _)) => Err(FrameworkError::internal(format!(
            "`{}` may be NULL, and the table's storage engine SPIDER loses rows with NULL: sort by columns that are NOT NULL, \
             or read from the server that has the table",
            term.key.name
        ))),
        None => Ok(()),
    }
}

/// How many pairs of keys one statement compares.
const PAIRS: usize = 100;

/// Rejects rows that tie if a page could begin between them, because that page would lose one. `pairs` are the keys of
/// neighbouring rows whose values alone do not show whether they tie, so the database is asked.
pub(crate) async fn refuse_ties<D: Driver>(
    connection: &mut Lease<'_, D>,
    select: &KeysetQuery,
    pairs: &[Pair<'_>],
) -> Result<()> {
    for pairs in pairs.chunks(PAIRS) {
        let tie = predicate::tie(
            &AccessPath::unknown(select.base.dialect()),
            select.base.select(),
            &select.order.sorts,
            pairs,
        );
        if connection.fetch_first(select.base.statement(&tie)).await?.is_some() {
            return Err(tied(select));
        }
    }
    Ok(())
}

pub(crate) fn tied(select: &KeysetQuery) -> FrameworkError {
    let (order, advice) = match &select.base {
        Base::Model(..) => {
            (select.order.names(), "its primary key is not unique: name the columns that are with `primary_key`")
        }
        Base::Caller(..) => {
            let names: Vec<String> = select.order.terms.iter().map(Term::qualified_name).collect();
            let advice =
                "end the order with columns that tell all rows apart, such as the primary key of each joined table";
            (names.join(", "), advice)
        }
    };
    FrameworkError::internal(format!("rows tie in the cursor order ({order}), so a page would lose one: {advice}"))
}

/// The pairs of neighbouring keys that the database may sort as equal.
pub(crate) fn doubtful<'a>(keys: &[&'a [BoundaryValue]]) -> Vec<Pair<'a>> {
    let pairs = keys.array_windows().filter(|[one, next]| {
        let mut values = one.iter().zip(*next);
        values.all(|(one, next)| may_be_equal(one, next))
    });
    pairs.copied().collect()
}

/// Whether all values of two keys are bound in the same way.
pub(crate) fn are_same(one: &[BoundaryValue], other: &[BoundaryValue]) -> bool {
    one.iter().zip(other).all(|(one, other)| one.bound() == other.bound())
}

/// Whether the database may consider two values equal: texts by its collation, also if they are read as bytes, and
/// values of different types by its rules. A BLOB that is read as another type, such as a UUID, is not a text.
pub(super) fn may_be_equal(one: &BoundaryValue, other: &BoundaryValue) -> bool {
    let is_text = |value: &BoundaryValue| match value.bound() {
        Value::String(Some(_)) => true,
        Value::Bytes(Some(_)) => matches!(value.value, Value::String(_) | Value::Bytes(_)),
        _ => false,
    };
    let are_texts = is_text(one) && is_text(other);
    let (one, other) = (one.bound(), other.bound());
    let are_null = value::is_null(one) || value::is_null(other);
    let differ_in_type = !are_null && value::variant(one) != value::variant(other);
    one == other || are_texts || differ_in_type
}

#[cfg(test)]
mod tests {
    use super::*;
    use folio_plan::boundary::Stored;
    use folio_plan::cursor::{CursorBinding, CursorDirection};
    use folio_plan::dialect::Dialect;

    fn key(value: i64) -> Key {
        vec![BoundaryValue::plain(value.into())]
    }

    #[test]
    fn a_page_must_not_begin_where_the_page_before_it_ended() {
        let binding = CursorBinding::new(&["list"], None, &[]);
        let order = KeysetOrder::new(Dialect::Sqlite, Vec::new(), Vec::new(), binding, None);
        let refuses =
            |from: Option<&Cursor>, keys: &[Key]| order_of_keys(&order, CursorDirection::Next, from, keys).is_err();
        let from = Cursor::at(CursorDirection::Next, key(7));
        assert!(refuses(Some(&from), &[key(7), key(8)]));
        assert!(!refuses(Some(&from), &[key(8), key(7)]));
        assert!(!refuses(Some(&from), &[]) && !refuses(None, &[key(7)]));
        let including = Cursor { inclusive: true, ..from };
        assert!(!refuses(Some(&including), &[key(7)]));
    }

    #[test]
    fn the_database_is_asked_about_neighbours_that_may_tie() {
        let text = |text: &str, id: i64| [text.to_owned().into(), Value::from(id)].map(BoundaryValue::plain).to_vec();
        let keys = [text("a", 1), text("A", 1), text("a", 2), text("b", 3), text("c", 3)];
        let keys: Vec<&[BoundaryValue]> = keys.iter().map(Vec::as_slice).collect();
        let pairs: Vec<_> = doubtful(&keys).into_iter().map(|pair| pair.map(|key| key[0].value.clone())).collect();
        let expected = [["a", "A"], ["b", "c"]].map(|pair| pair.map(|text| Value::from(text.to_owned())));
        assert_eq!(pairs, expected);
    }

    #[test]
    fn the_database_is_asked_about_values_that_it_may_consider_equal() {
        let text = |text: &str| Value::from(text.to_owned());
        let cases = [
            (1_i64.into(), 1_i64.into(), true),
            (1_i64.into(), 2_i64.into(), false),
            (text("a"), text("A"), true),
            // A text may be read as bytes.
            (b"a".to_vec().into(), b"A".to_vec().into(), true),
            (Value::String(None), text("a"), false),
            (1_i64.into(), 1.5_f64.into(), true),
            (Value::BigInt(None), 1.5_f64.into(), false),
            (1.5_f64.into(), Value::BigInt(None), false),
        ];
        for (one, other, expected) in cases {
            let [one, other] = [one, other].map(BoundaryValue::plain);
            assert_eq!(may_be_equal(&one, &other), expected, "{one:?}, {other:?}");
        }
        // The BLOB of another type has no collation, and the bytes of a text have one.
        let stored = |value: Value, bytes: &[u8]| {
            let stored = Stored { value: bytes.to_vec().into(), read_as: None };
            BoundaryValue { value, stored: Some(stored) }
        };
        for (value, expected) in [(Value::Bool(Some(true)), false), (text("a"), true)] {
            assert_eq!(may_be_equal(&stored(value.clone(), b"a"), &stored(value, b"A")), expected);
        }
    }
}
