//! Warns during development if no index has the order of a cursor key.
//!
//! A missing index goes unnoticed on the small tables of a development database. The advisor compares each cursor key,
//! and the columns that its query fixes, with the indexes in the catalog, once, and logs the `CREATE INDEX` statement.
//! It runs only if [`Folio::warn_missing_indexes`](crate::Folio::warn_missing_indexes) was called, and never fails a
//! page.

use std::collections::BTreeSet;
use std::sync::Mutex;

use crate::connection::Lease;
use crate::connection::schema;
use crate::dialect::Dialect;
use crate::dialect::catalog::{Index, Server, TableInfo};
use crate::driver::Driver;
use crate::model::order::Term;
use crate::model::table::{Direction, Table};
use crate::pool::PoolId;
use crate::query::access::Fixed;
use crate::query::keyset::KeysetQuery;

/// The `tracing` target of the warnings, so that subscribers can filter them.
const TARGET: &str = "folio::index_advisor";

/// The maximum number of lists and warnings to remember. Raw SQL can have any number of texts.
const MOST: usize = 10_000;

/// The lists that were checked already, and the warnings about them.
#[derive(Debug, Default)]
pub(crate) struct IndexAdvisor {
    seen: Mutex<BTreeSet<String>>,
}

impl IndexAdvisor {
    /// Checks a list when it is read for the first time. If the catalog cannot be read, nothing is reported.
    pub(crate) async fn check<D: Driver>(&self, held: &mut Lease<'_, D>, query: &KeysetQuery, pool: Option<&PoolId>) {
        let Some(table) = table(&query.order.terms) else { return };
        let list = List::new(&query.order.terms, query.base.fixed());
        if !self.is_new(format!("{:?} {} {list:?}", table.schema, table.name)) {
            return;
        }
        let Some(info) = schema::of(held, table, pool).await.filter(|info| !info.indexes.is_empty()) else { return };
        if !list.is_served(&info, &list.key) && !list.is_served(&info, &flipped(&list.key)) {
            let index = list.index(D::DIALECT, table, &list.key);
            self.warn(
                table,
                format!(
                    "no index has the order of this cursor key, so pages get slower as rows are added: run {index}"
                ),
            );
        } else if let Some(key) = list.second_of_mysql(&info) {
            let index = list.index(D::DIALECT, table, &key);
            self.warn(table, format!(
                "MySQL does not read an index backwards if its columns differ in direction, so pages in one direction get \
                slower as rows are added: keep the existing index, and run {index}"
            ));
        }
    }

    /// Lists with different conditions may need the same index, which is reported once.
    fn warn(&self, table: &Table, warning: String) {
        if self.is_new(warning.clone()) {
            tracing::warn!(target: TARGET, table = table.name, "{warning}");
        }
    }

    fn is_new(&self, text: String) -> bool {
        self.seen.lock().is_ok_and(|mut seen| seen.len() < MOST && seen.insert(text))
    }
}

/// The table of the terms, if they all belong to the same one.
fn table(terms: &[Term]) -> Option<&'static Table> {
    let table = terms.first()?.table?;
    terms.iter().all(|term| term.table.is_some_and(|other| other.name == table.name)).then_some(table)
}

/// Columns with their directions.
type Key = Vec<(&'static str, Direction)>;

/// What decides which index a list needs.
#[derive(Debug)]
struct List<'a> {
    /// The order, without the columns that have one value in all rows.
    key: Key,
    fixed: Fixed<'a>,
}

impl<'a> List<'a> {
    fn new(terms: &[Term], fixed: Fixed<'a>) -> Self {
        let terms = terms.iter().filter(|term| !fixed.has(term.key.name));
        Self { key: terms.map(|term| (term.key.name, term.key.direction)).collect(), fixed }
    }

    /// The statement that creates the index for a key: first the columns that have one value, then the key.
    fn index(&self, dialect: Dialect, table: &Table, key: &Key) -> String {
        let fixed = self.fixed.columns().map(|name| (name, Direction::Asc));
        let index = dialect.create_index(table, &fixed.chain(key.iter().copied()).collect::<Vec<_>>());
        match self.fixed.has_raw() {
            true => format!("{index}, with the columns in front that the query compares with one value"),
            false => index,
        }
    }

    /// Whether an index has the key's columns in their order and directions. Between and before them it may only have
    /// columns that the query compares with one value: any other column comes first in the index's order.
    fn has(&self, index: &Index, key: &Key) -> bool {
        let mut key = key.iter().peekable();
        for (column, direction) in &index.columns {
            match key.peek() {
                None => break,
                Some((name, wanted)) if name.eq_ignore_ascii_case(column) => {
                    if direction != wanted {
                        return false;
                    }
                    key.next();
                }
                Some(_) if self.fixed.may_have(column) => {}
                Some(_) => return false,
            }
        }
        key.peek().is_none()
    }

    fn is_served(&self, info: &TableInfo, key: &Key) -> bool {
        info.indexes.iter().any(|index| self.has(index, key))
    }

    /// The key of the second index that MySQL needs if a key mixes directions; `None` if it exists.
    fn second_of_mysql(&self, info: &TableInfo) -> Option<Key> {
        let one_way = self.key.windows(2).all(|pair| matches!(pair, [(_, one), (_, other)] if one == other));
        let keys = [self.key.clone(), flipped(&self.key)];
        keys.into_iter().filter(|_| info.server == Server::MySql && !one_way).find(|key| !self.is_served(info, key))
    }
}

fn flipped(key: &Key) -> Key {
    key.iter().map(|(name, direction)| (*name, direction.flip())).collect()
}

#[cfg(test)]
mod tests {
    use sea_query::{Expr, ExprTrait as _};

    use super::*;
    use Direction::{Asc, Desc};

    fn index(columns: &[(&str, Direction)]) -> Index {
        let columns = columns.iter().map(|(name, direction)| ((*name).to_owned(), *direction)).collect();
        Index { name: "index".into(), columns }
    }

    fn list<'a>(key: &[(&'static str, Direction)], filters: &'a [Expr]) -> List<'a> {
        List { key: key.to_vec(), fixed: Fixed::by(filters) }
    }

    #[test]
    fn an_index_starts_with_the_key_or_with_columns_of_one_value() {
        let key = [("a", Asc), ("id", Desc)];
        let tenant = [Expr::tuple([Expr::col("tenant").eq(7)])];
        let raw = [Expr::tuple([Expr::cust("tenant IS TRUE")])];
        let range = [Expr::tuple([Expr::col("tenant").gt(7)]), Expr::col("b").is_in([1, 2])];
        /// The columns of an index, and whether it serves the key forwards and backwards: without a filter, and with an
        /// equality.
        type Case<'a> = (&'a [(&'a str, Direction)], [bool; 2], [bool; 2]);
        let cases: [Case<'_>; 10] = [
            (&[("a", Asc), ("id", Desc)], [true, false], [true, false]),
            (&[("a", Desc), ("id", Asc)], [false, true], [false, true]),
            (&[("A", Asc), ("ID", Desc), ("b", Asc)], [true, false], [true, false]),
            (&[("tenant", Asc), ("a", Asc), ("id", Desc), ("b", Asc)], [false, false], [true, false]),
            (&[("a", Desc), ("tenant", Asc), ("id", Asc)], [false, false], [false, true]),
            (&[("a", Asc), ("id", Asc)], [false, false], [false, false]),
            (&[("a", Asc), ("b", Asc), ("id", Desc)], [false, false], [false, false]),
            (&[("a", Asc)], [false, false], [false, false]),
            (&[("id", Desc), ("a", Asc)], [false, false], [false, false]),
            (&[], [false, false], [false, false]),
        ];
        for (columns, plain, filtered) in cases {
            let index = index(columns);
            let ways = |filters: &[Expr]| {
                let list = list(&key, filters);
                [list.has(&index, &list.key), list.has(&index, &flipped(&list.key))]
            };
            assert_eq!((ways(&[]), ways(&tenant)), (plain, filtered), "{columns:?}");
            // A range leaves several values, and raw SQL may compare any column that it names with one.
            assert_eq!((ways(&range), ways(&raw)), (plain, filtered), "{columns:?}");
        }
    }

    #[test]
    fn the_index_to_create_begins_with_the_columns_of_one_value() {
        let filters = [Expr::tuple([Expr::col("tenant").eq(7)]), Expr::tuple([Expr::cust("b = 1")])];
        let list = list(&[("a", Desc), ("id", Desc)], &filters);
        let index = list.index(Dialect::Sqlite, &Table::new("posts", &[], &[], &[]), &list.key);
        let columns = r#"("tenant", "a" DESC, "id" DESC), with the columns in front"#;
        assert!(index.contains(columns), "{index}");
    }

    #[test]
    fn mysql_wants_an_index_for_each_direction_of_a_mixed_key() {
        let info = |server, indexes| TableInfo { server, not_null: Vec::new(), indexes, is_distributed: false };
        let (mixed, mirrored) = ([("a", Asc), ("id", Desc)], [("a", Desc), ("id", Asc)]);
        let one = || vec![index(&mixed)];
        let both = || vec![index(&mixed), index(&mirrored)];
        let second = |server, indexes, key| list(key, &[]).second_of_mysql(&info(server, indexes));
        assert_eq!(second(Server::MySql, one(), &mixed), Some(mirrored.to_vec()));
        assert_eq!(second(Server::MySql, one(), &mirrored), Some(mirrored.to_vec()));
        assert_eq!(second(Server::MySql, both(), &mixed), None);
        assert_eq!(second(Server::MariaDb(11), one(), &mixed), None);
        assert_eq!(second(Server::MySql, one(), &[("a", Asc), ("id", Asc)]), None);
    }
}
