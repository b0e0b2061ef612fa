//! The statement that looks up the groups that can have rows on a feed's page.
//!
//! MariaDB has no LATERAL join, and can only start reading a group at a boundary if the group's values are constants.
//! So the groups with the nearest heads are found first, and then their rows, with a SELECT for each.
//!
//! On the first page, the heads are the first rows of the groups, with some details left out:
//!
//! ```sql
//! SELECT created_at, id, number FROM (
//!     SELECT number,
//!         (SELECT created_at FROM posts WHERE author_id = author ORDER BY created_at DESC, id DESC LIMIT 1) AS created_at,
//!         (SELECT id FROM posts WHERE author_id = author ORDER BY created_at DESC, id DESC LIMIT 1) AS id
//!     FROM JSON_TABLE(?, '$[*]' COLUMNS (author BIGINT PATH '$[0]', number FOR ORDINALITY)) authors LIMIT ?
//! ) heads WHERE id IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT 17
//! ```
//!
//! After a boundary, they are the groups' nearest values of the order's first column, which an index finds by skipping
//! from one group to the next:
//!
//! ```sql
//! SELECT head, number FROM (
//!     SELECT *, RANK() OVER (PARTITION BY is_tied ORDER BY head DESC) AS place FROM (
//!         SELECT *, head = ? AS is_tied FROM (
//!             SELECT author_id, MAX(created_at) AS head
//!             FROM posts WHERE author_id IN (…) AND created_at <= ? GROUP BY author_id
//!         ) heads
//!     ) tied
//! ) ranked JOIN authors ON author_id = author WHERE place <= 16 ORDER BY is_tied DESC, head DESC
//! ```
//!
//! For a page of n rows, the n-th head is an upper bound, so each group is only read up to it.

use sea_query::Value;

use super::each::as_count;
use super::filter::filter;
use super::ranking::{HEAD, RANKED, Start, nearest, nearest_value};
use super::source::{self, Source, group_name};
use super::{Feed, FeedPage, MAX_BRANCHES_WITHOUT_HEADS};
use crate::dialect::{GroupAccess, Sql};
use crate::predicate::{Limit, Names, Span, from, order};
use crate::statement::condition::Condition;
use crate::statement::filtered::FilteredRows;
use crate::statement::select::{Number, Select};
use crate::value::Variant;

/// The key columns that a head lookup selects.
#[derive(Debug)]
pub struct HeadKey {
    /// The types of its columns.
    pub variants: Vec<Variant>,
    /// The name of a column that is NULL in no row.
    pub not_null: String,
}

impl Feed {
    /// Whether a page may need a statement for its heads. It takes the values of all groups as a list.
    pub fn may_find_heads(&self) -> bool {
        self.dialect.facts().looks_up_groups && self.groups.len() > MAX_BRANCHES_WITHOUT_HEADS && self.is_list()
    }

    /// The statement that finds the groups with the nearest heads, for a feed that [may need
    /// one](Self::may_find_heads), and the values of its groups; `None` if the page needs none. The span's columns have
    /// the names of keys.
    ///
    /// Its last column is the number of a group, from 1 on. Before it come the keys of the group's first row. After a
    /// boundary, these are only the values of the order's first column, as `nearest` selects them.
    pub fn heads(
        &self,
        rows: &FilteredRows,
        page: FeedPage<'_>,
        span: Span<'_>,
        key: &HeadKey,
    ) -> Option<(Sql, Vec<Value>)> {
        let has_no_lateral = page.info.server.groups == GroupAccess::Branches;
        let access = self.access(rows, page.info, page.sorts)?;
        if !has_no_lateral || !access.is_in_order(page.sorts) {
            return None;
        }
        let source = Source::of(&self.groups, self.dialect);
        let select = match span.boundary {
            None => self.first_heads(rows, &source, Span { access: &access, ..span }, key),
            // An index skips from one group to the next.
            Some(boundary) => {
                let start = (span.sorts.first()?, boundary.values.first()?);
                let first = *key.variants.first().filter(|_| start.0.nulls.is_none())?;
                self.extremes(rows, &source, start, first, span.limit.read())
            }
        };
        Some((select.sql(), source.values(&self.groups)))
    }

    /// The heads by the key of each group's first row: one more than the page has rows, to detect ties.
    fn first_heads(&self, rows: &FilteredRows, source: &Source, span: Span<'_>, key: &HeadKey) -> Select {
        let dialect = self.dialect;
        // The number of each group, with the key of its first row. Without a boundary, the text of the span is the same
        // for every access.
        let numbered = source.numbered(dialect, &self.groups).column(|sql| sql.column(source::ALIAS, source::NUMBER));
        let first_rows = span.sorts.iter().fold(numbered, |heads, sort| {
            let one = rows.keys(std::slice::from_ref(sort)).and(self.is_in_current(source)).along(span.access);
            let first = Span { limit: Limit::of(Number::Bound(1)), ..span }.of(&one);
            heads.column_as(|sql| sql.enclosed(&first.sql()), &sort.output)
        });
        // With a limit, MariaDB computes all keys before it sorts them. Otherwise, it merges the select with the one
        // around it, which takes longer.
        let first_rows = first_rows.limit(Number::Bound(self.count()));

        let names: Vec<Sql> = span.sorts.iter().map(|sort| Sql::new(dialect).name(&sort.output)).collect();
        let mut heads = Select::from_derived(&first_rows.sql(), RANKED);
        for name in &names {
            heads = heads.column(|sql| sql.append(name));
        }
        for (collation, name) in dialect.collation_columns(key.variants.iter().copied().zip(&names)) {
            heads = heads.column_as(|sql| sql.append(&collation), &name);
        }
        let heads = heads
            .column(|sql| as_count(sql, &Sql::new(dialect).name(source::NUMBER)))
            .and(Condition::is_not_null(Sql::new(dialect).name(&key.not_null)));
        let heads = order(heads, span.sorts, Names::InResult);
        heads.limit(Number::Bound(span.limit.read().get().saturating_add(1)))
    }

    /// The heads by the nearest value that each group has in the order's first column, from the boundary's on, joined
    /// with the numbers of their groups.
    fn extremes(
        &self,
        rows: &FilteredRows,
        source: &Source,
        start: Start<'_>,
        first: Variant,
        limit: Number,
    ) -> Select {
        let dialect = self.dialect;
        let (_, is_in_groups) = filter(&self.groups, dialect);
        let mut extremes = rows.keys(&[]).and(is_in_groups).and(from(dialect, start.0, start.1));
        for (at, group) in self.groups.columns.iter().enumerate() {
            extremes = extremes.expr_as(group, &group_name(at));
            let rest = extremes.rest.push(if at == 0 { " GROUP BY " } else { ", " });
            extremes.rest = rest.expr(group);
        }
        let extremes = extremes.column_as(|sql| sql.append(&nearest_value(dialect, start.0)), HEAD);

        let is_same = |at| {
            let ranked = Sql::new(dialect).column(RANKED, &group_name(at));
            Condition::comparison(ranked, "=", &source.value(dialect, at))
        };
        let on = Condition::all((0..self.groups.columns.len()).map(is_same));
        nearest(&extremes.sql(), start, first, limit, |from| {
            let groups = source.select(dialect, &self.groups, true).sql();
            let from = from.push(" INNER JOIN ").enclosed(&groups).push(" AS ").name(source::ALIAS).push(" ON ");
            on.iter().fold(from, |from, on| from.append(on.sql()))
        })
    }
}
