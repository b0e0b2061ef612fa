//! Warns during development if no index has the order of a cursor key.
//!
//! A missing index goes unnoticed on the small tables of a development database. The advisor compares each cursor key,
//! and the equality columns of its query, with the indexes in the catalog, once, and logs the `CREATE INDEX` statement.
//! It runs only if [`Folio::warn_missing_indexes`](crate::Folio::warn_missing_indexes) was called, and never fails a
//! page.
//!
//! For a list ordered by `score DESC, id DESC` and filtered by `tenant = 7`, any of these indexes will do, in the
//! directions below or all reversed:
//!
//! ```text
//! (score DESC, id DESC)
//! (tenant DESC, score DESC, id DESC)
//! (tenant, score DESC, id DESC)
//! (tenant, score DESC, id DESC, title)
//! ```
//!
//! If none of them exists, the advisor proposes the second one, which PostgreSQL can read as one range. A key that
//! mixes directions needs two indexes on MySQL, which cannot read such an index backwards.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use folio_plan::access::{EqualityColumns, usable};
use folio_plan::dialect::catalog::{Index, IndexPart, SortedPart, TableInfo};
use folio_plan::dialect::{Dialect, Sql};
use folio_plan::keyset::KeysetQuery;
use folio_plan::schema::table::{Direction, Table};
use folio_plan::schema::term::Term;

#[cfg(feature = "testing")]
use super::Advice;
use crate::app::Folio;

/// The `tracing` target of the warnings, so that subscribers can filter them.
const TARGET: &str = "folio::index_advisor";

/// The maximum number of lists and warnings to remember. Raw SQL can have any number of texts.
const MOST: usize = 10_000;

impl Folio {
    /// Warns if no index has the order of a cursor key. Use it during development, where tables are too small for a
    /// missing index to be noticeable.
    ///
    /// Each missing index is logged once through `tracing`, with the target `folio::index_advisor` and the `CREATE
    /// INDEX` statement. The first page of each list reads the table's indexes from the catalog. A partial index counts
    /// if its condition is among the query's filters. The catalog does not show the expressions of an index, so for a
    /// key with an expression, any index counts that has one at its place.
    ///
    /// An index has the order of a key if it begins with the key's columns, possibly after columns that the query
    /// compares with one value. folio does not parse the conditions in raw SQL and in selects, so it accepts any column
    /// that they mention before the key's columns.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::Folio;
    ///
    /// let folio = Folio::new(pool);
    /// let folio = if cfg!(debug_assertions) { folio.warn_missing_indexes() } else { folio };
    /// # drop(folio); Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn warn_missing_indexes(mut self) -> Self {
        self.settings_mut().warn_missing_indexes = Some(Arc::default());
        self
    }
}

/// The table of the terms, if all columns belong to the same one. Expressions are assumed to be over it.
fn table(terms: &[Term]) -> Option<&'static Table> {
    let mut columns = terms.iter().filter(|term| term.expression().is_none());
    let table = columns.next()?.table?;
    columns.all(|term| term.table.is_some_and(|other| other.name == table.name)).then_some(table)
}

type IndexKey = Vec<SortedPart>;

/// The properties of a list that determine which index it needs.
#[derive(Debug)]
pub(crate) struct AdvisedList {
    pub(crate) table: &'static Table,
    /// The order, without the equality columns.
    key: IndexKey,
    /// The query's equality columns.
    equality: EqualityColumns,
    /// The lists that the application's advisor has checked, and its warnings; `None` without an advisor.
    advised: Option<Arc<Mutex<BTreeSet<String>>>>,
}

impl AdvisedList {
    /// `None` if the list's order cannot be compared with indexes.
    pub(crate) fn of(query: &KeysetQuery, advised: Option<Arc<Mutex<BTreeSet<String>>>>) -> Option<Self> {
        let terms = &query.order.terms;
        // The caller's values and subqueries, which raw SQL may contain too, cannot be indexed.
        let dialect = query.base.dialect();
        let mut expressions = terms.iter().filter_map(Term::expression).map(|term| Sql::of(dialect, term.expr()));
        let is_indexable =
            expressions.all(|sql| sql.params().len() == 0 && !sql.text().to_uppercase().contains("SELECT"));
        let table = table(terms).filter(|_| is_indexable)?;
        let equality = query.base.equality_columns().into_owned();
        // Equality columns are left out of the order, because they do not change it.
        let is_equality = |term: &&Term| term.expression().is_none() && equality.has(term.key.name);
        let parts =
            terms.iter().filter(|term| !is_equality(term)).map(|term| (IndexPart::of(term), term.key.direction));
        Some(Self { table, key: parts.collect(), equality, advised })
    }

    /// Whether the advisor has to check this list, which it does once.
    pub(crate) fn is_unchecked(&self) -> bool {
        self.is_new(format!("{:?} {} {:?} {:?}", self.table.schema, self.table.name, self.key, self.equality))
    }

    /// Logs if an index is missing. Lists with different conditions may need the same index, which is reported once.
    pub(crate) fn warn(&self, info: &TableInfo, dialect: Dialect) {
        if let Some(warning) = self.warning(info, dialect)
            && self.is_new(warning.clone())
        {
            tracing::warn!(target: TARGET, table = self.table.name, "{warning}");
        }
    }

    /// What the advisor says about the list to a test.
    #[cfg(feature = "testing")]
    pub(crate) fn advice(&self, info: &TableInfo, dialect: Dialect) -> Option<Advice> {
        if info.indexes.is_empty() {
            return None;
        }
        Some(Advice { missing: self.warning(info, dialect), index: self.index(dialect, &self.key) })
    }

    /// Whether the advisor has not seen a text before.
    fn is_new(&self, text: String) -> bool {
        let Some(advised) = &self.advised else { return false };
        advised.lock().is_ok_and(|mut seen| seen.len() < MOST && seen.insert(text))
    }

    /// The warning, if an index is missing. Tables without any index, such as views, are not reported. An index with
    /// the reverse order serves as well, except on MySQL if the directions differ.
    pub(crate) fn warning(&self, info: &TableInfo, dialect: Dialect) -> Option<String> {
        if info.indexes.is_empty() {
            return None;
        }
        if self.is_served(info, &self.key) || self.is_served(info, &flipped(&self.key)) {
            let index = self.index(dialect, &self.second_of_mysql(info)?);
            return Some(format!(
                "MySQL does not read an index backwards if its columns differ in direction, so pages in one direction get \
                 slower as rows are added: keep the existing index, and run {index}"
            ));
        }
        if !info.server.mixes_index_directions && self.mixes_directions() {
            return Some(
                "no index has the order of this cursor key, because the server stores all columns of an index in one \
                 direction: sort by columns in the same direction"
                    .to_owned(),
            );
        }
        if !info.server.indexes_expressions && self.key.iter().any(|(part, _)| part.is_expression()) {
            return Some(
                "no index has the order of this cursor key, and this server has none on an expression: add a generated \
                 column, and order by that"
                    .to_owned(),
            );
        }
        let index = self.index(dialect, &self.key);
        Some(format!("no index has the order of this cursor key, so pages get slower as rows are added: run {index}"))
    }

    /// The statement that creates the index for a key: first the equality columns, then the key.
    fn index(&self, dialect: Dialect, key: &IndexKey) -> String {
        // In one direction, because PostgreSQL can then read a page as one range of the index.
        let direction = key.first().map_or(Direction::Asc, |(_, direction)| *direction);
        let equality = self.equality.columns().map(|column| (IndexPart::Column(column.to_owned()), direction));
        let parts: IndexKey = equality.chain(key.iter().cloned()).collect();
        let index = dialect.create_index(self.table, &parts);
        match self.equality.has_raw() {
            true => format!("{index}, with the columns in front that the query compares with one value"),
            false => index,
        }
    }

    /// Whether an index has the key's columns in their order and directions. Between and before them it may only have
    /// equality columns: any other column comes first in the index's order.
    fn has(&self, index: &Index, key: &[SortedPart]) -> bool {
        let mut missing = key;
        for (at, (column, direction)) in index.columns.iter().enumerate() {
            let [(part, wanted), rest @ ..] = missing else { break };
            if !part.may_be(column) && self.equality.may_have(column) {
                continue;
            }
            if !part.may_be(column) || direction != wanted || !index.sorts(at) {
                return false;
            }
            missing = rest;
        }
        missing.is_empty()
    }

    /// Whether an index of the table, which the query can use, has the order of a key.
    fn is_served(&self, info: &TableInfo, key: &IndexKey) -> bool {
        usable(info, &self.equality).into_iter().any(|index| self.has(index, key))
    }

    /// The key of the second index that MySQL needs if a key mixes directions; `None` if it exists.
    fn second_of_mysql(&self, info: &TableInfo) -> Option<IndexKey> {
        if info.server.reverses_mixed_indexes || !self.mixes_directions() {
            return None;
        }
        [self.key.clone(), flipped(&self.key)].into_iter().find(|key| !self.is_served(info, key))
    }

    fn mixes_directions(&self) -> bool {
        self.key.windows(2).any(|pair| matches!(pair, [(_, one), (_, other)] if one != other))
    }
}

/// The key in the opposite direction.
fn flipped(key: &IndexKey) -> IndexKey {
    key.iter().map(|(part, direction)| (part.clone(), direction.flip())).collect()
}

#[cfg(test)]
mod tests {
    use sea_query::{Expr, ExprTrait as _};

    use super::*;
    use Direction::{Asc, Desc};
    use folio_plan::dialect::Server;

    fn index(columns: &[(&str, Direction)]) -> Index {
        let columns = columns.iter().map(|(name, direction)| ((*name).to_owned(), *direction)).collect();
        Index::new("index", columns)
    }

    fn list(key: &[(&'static str, Direction)], filters: &[Expr]) -> AdvisedList {
        static POSTS: Table = Table::new("posts", &[], &[], &[]);
        let equality = EqualityColumns::of(Dialect::Sqlite, filters);
        AdvisedList { table: &POSTS, key: parts(key), equality, advised: None }
    }

    fn parts(key: &[(&str, Direction)]) -> IndexKey {
        key.iter().map(|(name, direction)| (IndexPart::Column((*name).to_owned()), *direction)).collect()
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
        let index = list.index(Dialect::Sqlite, &list.key);
        let columns = r#"("tenant" DESC, "a" DESC, "id" DESC), with the columns in front"#;
        assert!(index.contains(columns), "{index}");
    }

    #[test]
    fn mysql_wants_an_index_for_each_direction_of_a_mixed_key() {
        let info = |server, indexes| TableInfo { indexes, ..TableInfo::of(server) };
        let (mixed, mirrored) = ([("a", Asc), ("id", Desc)], [("a", Desc), ("id", Asc)]);
        let one = || vec![index(&mixed)];
        let both = || vec![index(&mixed), index(&mirrored)];
        let second = |server, indexes, key| list(key, &[]).second_of_mysql(&info(server, indexes));
        assert_eq!(second(Server::MYSQL, one(), &mixed), Some(parts(&mirrored)));
        assert_eq!(second(Server::MYSQL, one(), &mirrored), Some(parts(&mirrored)));
        assert_eq!(second(Server::MYSQL, both(), &mixed), None);
        assert_eq!(second(Server::mariadb(11), one(), &mixed), None);
        assert_eq!(second(Server::MYSQL, one(), &[("a", Asc), ("id", Asc)]), None);
    }
}
