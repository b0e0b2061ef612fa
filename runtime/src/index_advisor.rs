//! Warns during development if no index has the order of a cursor key.
//!
//! A missing index goes unnoticed on the small tables of a development database. The advisor compares each cursor key
//! with the indexes in the catalog, once, and logs the `CREATE INDEX` statement. It runs only if
//! [`Folio::warn_missing_indexes`](crate::Folio::warn_missing_indexes) was called, and never fails a page.

use std::collections::BTreeSet;
use std::sync::Mutex;

use crate::connection::Lease;
use crate::connection::schema;
use crate::dialect::catalog::{Index, Server, TableInfo};
use crate::driver::Driver;
use crate::model::order::Term;
use crate::model::table::{Direction, Table};
use crate::pool::PoolId;

/// The `tracing` target of the warnings, so that subscribers can filter them.
const TARGET: &str = "folio::index_advisor";

/// The cursor keys that were checked already, as the index that each needs.
#[derive(Debug, Default)]
pub(crate) struct IndexAdvisor {
    seen: Mutex<BTreeSet<String>>,
}

impl IndexAdvisor {
    /// Checks an order when it is used for the first time. If the catalog cannot be read, nothing is reported.
    pub(crate) async fn check<D: Driver>(&self, held: &mut Lease<'_, D>, terms: &[Term], pool: Option<&PoolId>) {
        let Some(table) = table(terms) else { return };
        let key: Vec<_> = terms.iter().map(|term| (term.key.name, term.key.direction)).collect();
        let index = D::DIALECT.create_index(table, &key);
        let is_first = self.seen.lock().is_ok_and(|mut seen| seen.insert(index.clone()));
        if !is_first {
            return;
        }
        let Some(info) = schema::of(held, table, pool).await.filter(|info| !info.indexes.is_empty()) else { return };
        if !info.indexes.iter().any(|index| has(index, &key) || has(index, &flipped(&key))) {
            tracing::warn!(
                target: TARGET,
                table = table.name,
                "no index has the order of this cursor key, so pages get slower as rows are added: run {index}, with \
                the columns in front that the query compares with one value"
            );
        } else if let Some(key) = second_of_mysql(&info, &key) {
            let second = D::DIALECT.create_index(table, &key);
            tracing::warn!(
                target: TARGET,
                table = table.name,
                "MySQL does not read an index backwards if its columns differ in direction, so pages in one direction get \
                slower as rows are added: run {second} and keep the existing index, with the same columns in front"
            );
        }
    }
}

/// The table of the terms, if they all belong to the same one.
fn table(terms: &[Term]) -> Option<&'static Table> {
    let table = terms.first()?.table?;
    terms.iter().all(|term| term.table.is_some_and(|other| other.name == table.name)).then_some(table)
}

/// Whether an index contains the key, possibly after columns that a query compares with one value.
fn has(index: &Index, key: &[(&str, Direction)]) -> bool {
    let is_column = |((column, direction), (name, wanted)): (&(String, Direction), &(&str, Direction))| {
        column == name && direction == wanted
    };
    !key.is_empty() && index.columns.windows(key.len()).any(|part| part.iter().zip(key).all(is_column))
}

fn flipped<'a>(key: &[(&'a str, Direction)]) -> Vec<(&'a str, Direction)> {
    key.iter().map(|(name, direction)| (*name, direction.flip())).collect()
}

/// The key of the second index that MySQL needs if a key mixes directions; `None` if it exists.
fn second_of_mysql<'a>(info: &TableInfo, key: &[(&'a str, Direction)]) -> Option<Vec<(&'a str, Direction)>> {
    let one_way = key.windows(2).all(|pair| matches!(pair, [(_, one), (_, other)] if one == other));
    let is_lacking = |key: &Vec<_>| !info.indexes.iter().any(|index| has(index, key));
    [key.to_vec(), flipped(key)].into_iter().filter(|_| info.server == Server::MySql && !one_way).find(is_lacking)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{Asc, Desc};

    fn index(columns: &[(&str, Direction)]) -> Index {
        let columns = columns.iter().map(|(name, direction)| ((*name).to_owned(), *direction)).collect();
        Index { name: "index".into(), columns }
    }

    #[test]
    fn an_index_has_a_key_behind_other_columns() {
        let key = [("a", Asc), ("id", Desc)];
        for (columns, forward, backward) in [
            (&[("a", Asc), ("id", Desc)][..], true, false),
            (&[("a", Desc), ("id", Asc)], false, true),
            (&[("tenant", Asc), ("a", Asc), ("id", Desc), ("b", Asc)], true, false),
            (&[("a", Asc), ("id", Asc)], false, false),
            (&[("a", Asc), ("b", Asc), ("id", Desc)], false, false),
            (&[("a", Asc)], false, false),
            (&[("id", Desc), ("a", Asc)], false, false),
            (&[], false, false),
        ] {
            let index = index(columns);
            assert_eq!((has(&index, &key), has(&index, &flipped(&key))), (forward, backward), "{columns:?}");
        }
    }

    #[test]
    fn mysql_wants_an_index_for_each_direction_of_a_mixed_key() {
        let info = |server, indexes| TableInfo { server, not_null: Vec::new(), indexes, is_distributed: false };
        let (mixed, mirrored) = ([("a", Asc), ("id", Desc)], [("a", Desc), ("id", Asc)]);
        let one = || vec![index(&mixed)];
        let both = || vec![index(&mixed), index(&mirrored)];
        assert_eq!(second_of_mysql(&info(Server::MySql, one()), &mixed), Some(mirrored.to_vec()));
        assert_eq!(second_of_mysql(&info(Server::MySql, one()), &mirrored), Some(mirrored.to_vec()));
        assert_eq!(second_of_mysql(&info(Server::MySql, both()), &mixed), None);
        assert_eq!(second_of_mysql(&info(Server::MariaDb(11), one()), &mixed), None);
        assert_eq!(second_of_mysql(&info(Server::MySql, one()), &[("a", Asc), ("id", Asc)]), None);
    }
}
