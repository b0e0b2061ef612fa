//! What a developer is told of a walk: that no index has its order, and which one to create.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Mutex;

use crate::connection::Held;
use crate::driver::Driver;
use crate::keyset::Dialect;
use crate::order::Term;
use crate::table::{Direction, Index, Table};

/// The walks that were looked at, by their tables and keys.
#[derive(Debug, Default)]
pub(crate) struct Advice {
    seen: Mutex<BTreeSet<String>>,
}

impl Advice {
    /// Looks at a walk when it is first seen, and warns where no index of its table has its order. What cannot be looked
    /// at is passed over: to advise is no reason to fail.
    pub(crate) async fn give<D: Driver>(&self, held: &mut Held<D>, terms: &[Term]) {
        let Some(table) = table(terms) else { return };
        let key: Vec<_> = terms.iter().map(|term| (term.key.name, term.key.direction)).collect();
        let name = name::<D>(table, &key);
        let first = self.seen.lock().is_ok_and(|mut seen| seen.insert(name.clone()));
        if !first {
            return;
        }
        match held.indexes(table).await {
            Ok(indexes) if indexes.is_empty() || indexes.iter().any(|index| serves(index, &key)) => {}
            Ok(_) => tracing::warn!(
                table = table.name,
                "a walk has no index with its order, so a page costs more the more rows there are: CREATE INDEX ON \
                 {name}, with the columns in front that the query compares with one value"
            ),
            Err(error) => tracing::debug!(%error, table = table.name, "the indexes of a walk cannot be looked at"),
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

/// Whether an index has the key in it, forwards or backwards, maybe behind columns that a query compares with one value.
fn serves(index: &Index, key: &[(&str, Direction)]) -> bool {
    let is = |part: &[(String, Direction)], flip: bool| {
        part.iter().zip(key).all(|((column, direction), (name, wanted))| {
            column == name && *direction == if flip { wanted.flip() } else { *wanted }
        })
    };
    !key.is_empty() && index.windows(key.len()).any(|part| is(part, false) || is(part, true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{Asc, Desc};

    #[test]
    fn an_index_serves_a_key_in_either_direction() {
        let index = |columns: &[(&str, Direction)]| -> Index {
            columns.iter().map(|(name, direction)| ((*name).to_owned(), *direction)).collect()
        };
        let key = [("a", Asc), ("id", Desc)];
        for (columns, expected) in [
            (&[("a", Asc), ("id", Desc)][..], true),
            (&[("a", Desc), ("id", Asc)], true),
            (&[("tenant", Asc), ("a", Asc), ("id", Desc), ("b", Asc)], true),
            (&[("a", Asc), ("id", Asc)], false),
            (&[("a", Asc), ("b", Asc), ("id", Desc)], false),
            (&[("a", Asc)], false),
            (&[("id", Desc), ("a", Asc)], false),
            (&[], false),
        ] {
            assert_eq!(serves(&index(columns), &key), expected, "{columns:?}");
        }
    }
}
