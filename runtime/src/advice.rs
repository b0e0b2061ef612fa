//! What a developer is told of a walk: that no index has its order, and which one to create.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Mutex;

use crate::catalog::{Index, Server, TableInfo};
use crate::connection::Held;
use crate::driver::Driver;
use crate::keyset::Dialect;
use crate::order::Term;
use crate::pool::PoolId;
use crate::schema;
use crate::table::{Direction, Table};

/// The walks that were looked at, by their tables and keys.
#[derive(Debug, Default)]
pub(crate) struct Advice {
    seen: Mutex<BTreeSet<String>>,
}

impl Advice {
    /// Looks at a walk when it is first seen, and warns where no index of its table has its order. What cannot be looked
    /// at is passed over: to advise is no reason to fail.
    pub(crate) async fn give<D: Driver>(&self, held: &mut Held<D>, terms: &[Term], pool: &PoolId) {
        let Some(table) = table(terms) else { return };
        let key: Vec<_> = terms.iter().map(|term| (term.key.name, term.key.direction)).collect();
        let name = name::<D>(table, &key);
        let first = self.seen.lock().is_ok_and(|mut seen| seen.insert(name.clone()));
        if !first {
            return;
        }
        let Some(info) = schema::of(held, table, pool).await.filter(|info| !info.indexes.is_empty()) else { return };
        if !info.indexes.iter().any(|index| has(index, &key) || has(index, &flipped(&key))) {
            tracing::warn!(
                table = table.name,
                "a walk has no index with its order, so a page costs more the more rows there are: CREATE INDEX ON \
                 {name}, with the columns in front that the query compares with one value"
            );
        } else if let Some(key) = second_of_mysql(&info, &key) {
            let second = self::name::<D>(table, &key);
            tracing::warn!(
                table = table.name,
                "MySQL reads an index backwards only if all its columns have one direction, so a page in one direction \
                 costs more the more rows there are: CREATE INDEX ON {second} beside the index that there is, with the same \
                 columns in front"
            );
        }
    }
}

/// The table that all of the terms are of.
fn table(terms: &[Term]) -> Option<&'static Table> {
    let table = terms.first()?.table?;
    terms.iter().all(|term| term.table.is_some_and(|other| other.name == table.name)).then_some(table)
}

/// A table and its key, as CREATE INDEX has it.
fn name<D: Driver>(table: &Table, key: &[(&str, Direction)]) -> String {
    let quote = if D::DIALECT == Dialect::MySql { '`' } else { '"' };
    let quoted = |name: &str| format!("{quote}{name}{quote}");
    let mut text = table.schema.map(|schema| format!("{}.", quoted(schema))).unwrap_or_default();
    let columns = key.iter().map(|(column, direction)| match direction {
        Direction::Asc => quoted(column),
        Direction::Desc => format!("{} DESC", quoted(column)),
    });
    let _ = write!(text, "{} ({})", quoted(table.name), columns.collect::<Vec<_>>().join(", "));
    text
}

/// Whether an index has the key in it, maybe behind columns that a query compares with one value.
fn has(index: &Index, key: &[(&str, Direction)]) -> bool {
    let is_column = |((column, direction), (name, wanted)): (&(String, Direction), &(&str, Direction))| {
        column == name && direction == wanted
    };
    !key.is_empty() && index.columns.windows(key.len()).any(|part| part.iter().zip(key).all(is_column))
}

fn flipped<'a>(key: &[(&'a str, Direction)]) -> Vec<(&'a str, Direction)> {
    key.iter().map(|(name, direction)| (*name, direction.flip())).collect()
}

/// The key that a second index lacks on MySQL, where a key has both directions.
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
