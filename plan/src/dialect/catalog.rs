//! What a database's catalog says about a table: its server and its indexes.
//!
//! It only helps to choose a plan. Which rows a page has does not depend on it, so an old answer costs time but no
//! rows.

use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use sea_query::Expr;

use crate::cache::BoundedCache;
use crate::dialect::facts::Server;
use crate::schema::table::Direction;
use crate::schema::term::Term;

/// What a database's catalog says about a table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TableInfo {
    /// The server that has it.
    pub server: Server,
    /// The B-trees, each as the planner would read it. Other kinds of indexes cannot be read in order.
    pub indexes: Vec<Index>,
    /// Whether its rows are in several places: in partitions, in child tables, or on another server.
    pub is_distributed: bool,
    /// Whether the filters have to stay equalities.
    ///
    /// Citus chooses a server by an equality, and would ask each of them for a range. And with row-level security, a
    /// policy may have an equality filter on the same column, so that a range has no advantage, or may keep a row value
    /// from being searched in an index.
    pub needs_equalities: bool,
    /// Whether the server sends statements over the table to others, as Citus does, and may refuse a subquery among a
    /// select's columns.
    pub is_sharded: bool,
    /// On Citus, the column whose values decide which server has a row.
    pub distribution_column: Option<String>,
    /// Whether its rows are on other servers by MariaDB's Spider, which returns a row twice that an OR of ranges has
    /// once, and sends some conditions on NULL as their opposite.
    pub is_spider: bool,
    /// Whether Vitess has answered, which may have its rows on several servers.
    pub is_proxied: bool,
    /// Whether it is a foreign table, or has one below it. PostgreSQL assumes that its NOT NULL constraints hold.
    pub is_foreign: bool,
    /// The columns that MySQL sorts by number and compares as text, each with its type: `enum` or `set`.
    pub enums: Vec<(String, String)>,
}

/// An index of a table that can be read in order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Index {
    /// Its name, for index hints. Empty for SQLite's rowid, which is the table itself.
    pub name: Arc<str>,
    /// Its columns in order. A column that is computed, or indexed only in part, has an empty name.
    pub columns: Vec<(String, Direction)>,
    /// Length of the shortest selective prefix: on average, few rows share its values. `None` if that is not known.
    /// Only read for servers that read ahead.
    pub selective_prefix: Option<usize>,
    /// On PostgreSQL, the operator family of each column, such as `integer_ops`. It is empty if ORDER BY sorts the
    /// column in another way than the index: by another collation or operator class, or with its NULLs at the other
    /// end.
    pub families: Vec<String>,
    /// The condition of a partial index.
    pub condition: Option<String>,
    /// Whether SQLite has samples of its values, by which it plans for those that are bound.
    pub has_samples: bool,
}

/// A column of an index on PostgreSQL, and its operator family, by which values compare with it without a cast.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RangeColumn {
    pub name: String,
    pub family: String,
}

/// A column of an index, as a query of a catalog returns it: the index's name, the column's name, whether the column is
/// descending, and the condition of a partial index.
pub type IndexColumn = (String, String, bool, Option<String>);

/// Groups the columns of a table's indexes by index. The rows of an index follow each other, in the order of its
/// columns.
pub fn by_index(rows: &[IndexColumn]) -> Vec<Index> {
    let index = |columns: &[IndexColumn]| {
        let (name, .., condition) = columns.first()?;
        let sorted = columns
            .iter()
            .map(|(_, column, descends, _)| (column.clone(), if *descends { Direction::Desc } else { Direction::Asc }));
        Some(Index { condition: condition.clone(), ..Index::new(name, sorted.collect()) })
    };
    rows.chunk_by(|(index, ..), (next, ..)| index == next).filter_map(index).collect()
}

impl Index {
    /// An index of these columns, of which nothing else is known.
    pub fn new(name: &str, columns: Vec<(String, Direction)>) -> Self {
        let families = Vec::new();
        Self { name: name.into(), columns, selective_prefix: None, families, condition: None, has_samples: false }
    }

    /// The column at this position, if ORDER BY sorts the index's first `count` columns as the index does.
    ///
    /// Otherwise a scan over several values of the leading columns would need a sort.
    pub fn range_column(&self, at: usize, count: usize) -> Option<RangeColumn> {
        let is_sorted = self.families.get(..count)?.iter().all(|family| !family.is_empty());
        let (name, _) = self.columns.get(at).filter(|_| is_sorted)?;
        Some(RangeColumn { name: name.clone(), family: self.families.get(at)?.clone() })
    }

    /// Whether ORDER BY sorts the column at this position as the index does. It is not known of an expression.
    pub fn sorts(&self, at: usize) -> bool {
        let is_expression = self.columns.get(at).is_some_and(|(name, _)| name.is_empty());
        is_expression || self.families.get(at).is_none_or(|family| !family.is_empty())
    }

    pub fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|(column, _)| column.eq_ignore_ascii_case(name))
    }

    /// Whether a prefix of this many columns is selective.
    pub fn is_selective(&self, columns: usize) -> bool {
        self.selective_prefix.is_some_and(|from| from <= columns)
    }
}

/// A part of the index that a list needs.
#[derive(Debug, Clone, PartialEq)]
pub enum IndexPart {
    Column(String),
    /// An expression, and the name that the list has for it.
    Expression(String, Expr),
}

pub type SortedPart = (IndexPart, Direction);

impl IndexPart {
    /// What an index needs for this term of an order.
    pub fn of(term: &Term) -> Self {
        let name = term.key.name.to_owned();
        match term.expression() {
            Some(expression) => Self::Expression(name, expression.expr().clone()),
            None => Self::Column(name),
        }
    }

    pub fn name(&self) -> &str {
        match self {
            Self::Column(name) | Self::Expression(name, _) => name,
        }
    }

    pub fn is_expression(&self) -> bool {
        matches!(self, Self::Expression(..))
    }

    /// Whether a column of an index may be this part. The catalog does not show the expressions of an index, so any
    /// expression may be the right one.
    pub fn may_be(&self, column: &str) -> bool {
        match self {
            Self::Column(name) => name.eq_ignore_ascii_case(column),
            Self::Expression(..) => column.is_empty(),
        }
    }
}

impl TableInfo {
    /// A table of a server, of which nothing else is known.
    pub fn of(server: Server) -> Self {
        Self {
            server,
            indexes: Vec::new(),
            is_distributed: false,
            needs_equalities: false,
            is_sharded: false,
            distribution_column: None,
            is_spider: false,
            is_proxied: false,
            is_foreign: false,
            enums: Vec::new(),
        }
    }

    /// The name and the type of a column among these terms that is an ENUM or SET.
    pub fn enum_among<'a>(&self, terms: &'a [Term]) -> Option<(&'a str, &str)> {
        let columns = || terms.iter().filter(|term| term.expression().is_none()).map(|term| term.key.name);
        self.enums.iter().find_map(|(name, kind)| {
            let column = columns().find(|column| column.eq_ignore_ascii_case(name))?;
            Some((column, &**kind))
        })
    }
}

/// What a database's catalog says about a table, as part of cache keys.
///
/// Equal answers share their memory, so they are compared by address, which is faster. If the cache that finds equal
/// ones was emptied in between, two of them differ, and a statement is written once more.
#[derive(Debug, Clone)]
pub struct SharedInfo(Arc<TableInfo>);

/// About how much memory a cached answer takes, in bytes.
const INFO_SIZE: usize = 4 * 1024;

impl From<TableInfo> for SharedInfo {
    fn from(mut info: TableInfo) -> Self {
        static SHARED: BoundedCache<TableInfo, TableInfo> = BoundedCache::new();
        // The catalogs of databases with the same tables may list columns and indexes in different orders.
        info.enums.sort_unstable();
        info.indexes.sort_by(|one, other| one.name.cmp(&other.name));
        Self(SHARED.find(&info).unwrap_or_else(|| SHARED.get(info.clone(), || (info, INFO_SIZE))))
    }
}

impl Deref for SharedInfo {
    type Target = TableInfo;

    fn deref(&self) -> &TableInfo {
        &self.0
    }
}

impl PartialEq for SharedInfo {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SharedInfo {}

impl Hash for SharedInfo {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_answers_are_shared() {
        let answer = |names: [&str; 2]| {
            let index = |name: &str| Index::new(name, vec![(name.to_owned(), Direction::Asc)]);
            let indexes = names.map(index).to_vec();
            SharedInfo::from(TableInfo { indexes, ..TableInfo::of(Server::MYSQL) })
        };
        assert_eq!(answer(["id", "score"]), answer(["id", "score"]));
        assert_eq!(answer(["id", "score"]), answer(["score", "id"]));
        assert_ne!(answer(["id", "score"]), answer(["id", "title"]));
    }
}
