//! Feeds: the first rows of several groups in one order, such as the newest posts of all authors that a reader follows.
//!
//! In an index that begins with the group's columns, followed by the order, each group's rows are sorted. But `author
//! IN (…) ORDER BY created LIMIT 15` reads and sorts all rows of all groups on PostgreSQL, MySQL and MariaDB. A feed
//! reads at most a page of each group. If there are many groups, it first reads only each group's *head*, its first
//! row, because the page can only have rows from the groups with the nearest heads. SQLite merges the groups of an IN
//! itself.
//!
//! The keys of a page are found in this way, and its rows by their keys. Which form is chosen was measured:
//! `tests/tests/million/feeds.rs` limits the rows that are read, and `benches/feeds` has the times.

mod each;
mod extent;
mod filter;
mod heads;
mod ranking;
mod source;

use sea_query::{Condition, Expr, ExprTrait as _, JoinType, Query, SelectStatement, UnionType, Value};

pub(crate) use self::each::with_number;
pub(crate) use self::extent::first_place;
pub(crate) use self::filter::filter;
pub(crate) use self::heads::HeadKey;
pub(crate) use self::source::Source;
use crate::access::{AccessPath, EqualityColumns, group_columns, has_index_of_groups};
use crate::boundary::Bound;
use crate::dialect::GroupAccess;
use crate::dialect::catalog::TableInfo;
use crate::order::OrderColumn;
use crate::predicate::{self, Limit, Span};
use crate::schema::group::Groups;
use crate::statement::deferred_join::ModelRows;
use crate::statement::template::QueryText;
use crate::value::{self, Variant};

/// The number of groups from which reading their heads first takes less time.
const HEADS_FIRST_FROM: usize = 64;

/// The maximum number of groups with a SELECT each. Preparing more of them takes longer than reading the rows.
pub(crate) const MAX_BRANCHES: usize = 128;

/// The maximum number of groups with a SELECT each on MariaDB, if a separate statement can find their heads.
const MAX_BRANCHES_WITHOUT_HEADS: usize = 32;

/// The maximum number of groups with a SELECT each on MySQL after a boundary, if separate statements can look up the
/// page's upper bound. Without that, each SELECT takes up to a millisecond, and each statement a round trip.
const MAX_BRANCHES_WITHOUT_EXTENT: usize = 7;

/// The maximum number of groups that remain after their heads were read. There can be more of them than the page has
/// rows, if many heads tie with the boundary.
pub(crate) const MAX_NEAREST: usize = 512;

/// How the groups of a feed are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum FeedForm {
    /// By a LATERAL join of the values with the first rows of each. With `heads_first`, only of those groups that the
    /// page can have rows of.
    ///
    /// ```sql
    /// SELECT created_at, id FROM authors JOIN LATERAL (
    ///     SELECT created_at, id FROM posts WHERE author_id = author ORDER BY created_at DESC, id DESC LIMIT 16
    /// ) firsts ON TRUE
    /// ORDER BY created_at DESC, id DESC LIMIT 16
    /// ```
    Lateral { heads_first: bool },
    /// By a UNION of a SELECT for each group. Some servers can start an index scan at a constant, but not at another
    /// table's column.
    ///
    /// ```sql
    /// (SELECT created_at, id FROM posts WHERE author_id = ? ORDER BY created_at DESC, id DESC LIMIT 16)
    /// UNION ALL
    /// (SELECT created_at, id FROM posts WHERE author_id = ? ORDER BY created_at DESC, id DESC LIMIT 16)
    /// ORDER BY created_at DESC, id DESC LIMIT 16
    /// ```
    Branches,
}

/// The groups whose rows a model's query lists.
#[derive(Debug, Clone)]
pub(crate) struct Feed {
    pub(crate) groups: Groups,
    /// The query's other filters.
    pub(crate) filters: Vec<Expr>,
    /// The query with these filters alone, as templates see it.
    pub(crate) text: QueryText,
}

/// What the text of a statement depends on, in addition to the rest of the query.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct FeedShape {
    pub(crate) form: FeedForm,
    pub(crate) source: Source,
    /// The names of the groups' columns, and the types of their values.
    columns: Vec<(String, Option<Variant>)>,
    /// Whether no row can be in two of the groups.
    are_disjoint: bool,
    /// Whether the groups have a page each.
    pub(crate) is_each: bool,
}

/// How the groups of a feed are read.
#[derive(Debug, Clone)]
pub(crate) struct FeedPlan {
    pub(crate) shape: FeedShape,
    /// How the rows of one group are read.
    pub(crate) access: AccessPath,
}

impl FeedPlan {
    fn new(groups: &Groups, access: AccessPath, form: FeedForm, is_each: bool) -> Self {
        let source = match form {
            FeedForm::Branches => Source::rows(groups),
            FeedForm::Lateral { .. } => Source::of(groups, access.dialect()),
        };
        let (columns, are_disjoint) = (typed_columns(groups), groups.are_disjoint());
        Self { shape: FeedShape { form, source, columns, are_disjoint, is_each }, access }
    }
}

/// The names of the groups' columns, and the types of their values.
fn typed_columns(groups: &Groups) -> Vec<(String, Option<Variant>)> {
    let first = groups.iter().next().unwrap_or_default();
    group_columns(groups).zip(first.iter().map(value::variant)).collect()
}

/// The page of a feed, as its form depends on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FeedPage<'a> {
    pub(crate) info: &'a TableInfo,
    pub(crate) sorts: &'a [OrderColumn],
    pub(crate) has_boundary: bool,
    /// Whether a lookup has already narrowed the groups.
    pub(crate) is_nearest: bool,
}

impl Feed {
    /// Splits the groups into blocks that one statement can read. Groups that are bound as arrays are one block.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = Self> {
        let is_array = Source::of(&self.groups, self.text.dialect()) == Source::Arrays;
        let size = if is_array { self.groups.len() } else { MAX_BRANCHES };
        self.groups.blocks(size).map(|groups| self.with_groups(groups))
    }

    pub(crate) fn count(&self) -> u64 {
        u64::try_from(self.groups.len()).unwrap_or(u64::MAX)
    }

    /// Whether a statement takes the values of any number of groups.
    fn is_list(&self) -> bool {
        Source::of(&self.groups, self.text.dialect()).is_list()
    }

    pub(crate) fn only(&self, places: &[usize]) -> Self {
        self.with_groups(self.groups.only(places.iter().copied()))
    }

    /// The same feed with other values of its groups' columns.
    fn with_groups(&self, groups: Groups) -> Self {
        Self { groups, filters: self.filters.clone(), text: self.text.clone() }
    }

    /// The order's columns of the rows of a group, without order and limit.
    fn keys(&self, rows: &ModelRows, group: Expr, sorts: &[OrderColumn]) -> SelectStatement {
        rows.keys(&self.filters, sorts).and_where(group).take()
    }

    /// Joins a row to its group in the table of groups.
    fn is_in_current(&self, source: &Source) -> Expr {
        let columns = self.groups.columns.iter().enumerate();
        filter::all(columns.map(|(at, column)| column.clone().eq(source.value(at))))
    }

    /// Whether a statement with these values can have a template. The text of an enum's value names its type.
    pub(crate) fn has_template(values: &[Value]) -> bool {
        !values.iter().any(|value| matches!(value, Value::Enum(_)))
    }

    /// How a page is read; `None` if it is best to filter by all groups.
    pub(crate) fn plan(&self, page: FeedPage<'_>) -> Option<FeedPlan> {
        let access = self.access(page.info, page.sorts)?;
        let form = self.form(page, access.is_in_order(page.sorts))?;
        Some(FeedPlan::new(&self.groups, access, form, false))
    }

    /// How the rows of one group are read; `None` without an index that has them in order.
    fn access(&self, info: &TableInfo, sorts: &[OrderColumn]) -> Option<AccessPath> {
        let equality = EqualityColumns::of(&self.filters).with_groups(&self.groups);
        let has_index = has_index_of_groups(info, &equality, &self.groups, sorts);
        has_index.then(|| AccessPath::new(info, &equality, sorts))
    }

    /// The form for a server. `in_order`: the index has the order's NULLs too.
    fn form(&self, page: FeedPage<'_>, in_order: bool) -> Option<FeedForm> {
        let has_few = self.groups.len() <= MAX_BRANCHES;
        let is_lateral = in_order && self.is_list() && !(has_few && page.has_boundary);
        match page.info.server.groups {
            GroupAccess::Merged => None,
            // Only a comparison with the column itself gives a text its type.
            GroupAccess::Lateral if self.groups.are_typed_by_columns() => has_few.then_some(FeedForm::Branches),
            GroupAccess::Lateral => Some(self.lateral()),
            GroupAccess::LateralFromStart if is_lateral && !page.is_nearest => Some(self.lateral()),
            // Above this number, folio filters by all groups, unless their heads can be found.
            GroupAccess::LateralFromStart | GroupAccess::Branches => {
                (has_few || page.is_nearest).then_some(FeedForm::Branches)
            }
        }
    }

    /// A LATERAL join, which finds the heads of many groups first.
    fn lateral(&self) -> FeedForm {
        let has_many = self.groups.len() >= HEADS_FIRST_FROM;
        FeedForm::Lateral { heads_first: has_many && self.groups.are_disjoint() }
    }
}

/// The rows of a feed's page, whose keys are to be found.
#[derive(Clone, Copy)]
pub(crate) struct FeedKeys<'a> {
    pub(crate) rows: &'a ModelRows,
    pub(crate) feed: &'a Feed,
    pub(crate) plan: &'a FeedPlan,
    /// Its columns have the names that the keys are selected under.
    pub(crate) span: Span<'a>,
    /// The values of the groups, as the source takes them.
    pub(crate) values: &'a [Value],
    /// Upper bound of the page in the order's leading columns, if known.
    pub(crate) last: &'a [Bound<'a>],
}

impl FeedKeys<'_> {
    /// The keys of the page, or of a page of each group.
    pub(crate) fn select(self) -> SelectStatement {
        match self.plan.shape.form {
            _ if self.plan.shape.is_each => self.of_each(),
            FeedForm::Lateral { heads_first } => self.lateral(heads_first),
            FeedForm::Branches => self.branches(),
        }
    }

    /// The rows of all groups, without order and limit.
    pub(crate) fn list(self) -> SelectStatement {
        match self.plan.shape.form {
            FeedForm::Branches => {
                let groups = self.conditions().fold(Condition::any(), Condition::add);
                self.rows.filtered().cond_where(groups).take()
            }
            FeedForm::Lateral { .. } => {
                let group = self.feed.is_in_current(&self.plan.shape.source);
                let mut rows = self.rows.filtered();
                rows.join_subquery(JoinType::InnerJoin, self.groups(false), source::ALIAS, group).take()
            }
        }
    }

    fn lateral(self, heads_first: bool) -> SelectStatement {
        let source = self.groups(false);
        let mut keys = self.keys_of(if heads_first { self.nearest(source) } else { source });
        if !self.feed.groups.are_disjoint() {
            keys.distinct();
        }
        self.sort(&mut keys);
        self.limited(keys)
    }

    /// The first keys, which are in order.
    fn limited(self, mut keys: SelectStatement) -> SelectStatement {
        match self.span.limit.inner {
            // Two limits: this one is part of the text, so that PostgreSQL reuses its plan.
            Some(limit) => keys.limit(limit).take(),
            None => self.span.limit.apply(&mut keys),
        }
    }

    /// The keys of the rows that a page may have of these groups.
    fn keys_of(self, groups: SelectStatement) -> SelectStatement {
        let names = self.span.sorts.iter().map(|sort| sort.output.clone());
        self.joined(groups, self.rows_read()).columns(names).take()
    }

    /// The groups as a table, with or without their numbers.
    fn groups(self, is_numbered: bool) -> SelectStatement {
        self.plan.shape.source.select(self.values, self.feed.groups.columns.len(), is_numbered)
    }

    /// The groups with the nearest heads.
    fn nearest(self, source: SelectStatement) -> SelectStatement {
        let mut nearest = self.joined(source, self.span.limit.one);
        for at in 0..self.feed.groups.columns.len() {
            nearest.column((source::ALIAS, source::group_name(at)));
        }
        self.sort(&mut nearest);
        nearest.limit(self.rows_read()).take()
    }

    /// The groups, joined with the keys of their first rows.
    fn joined(self, source: SelectStatement, limit: u64) -> SelectStatement {
        let first = self.first_of_each(limit);
        Query::select()
            .from_subquery(source, source::ALIAS)
            .join_lateral(JoinType::InnerJoin, first, "folio_firsts", Expr::cust("TRUE"))
            .take()
    }

    /// The keys of the first rows of the group that the source is at.
    ///
    /// See [`Facts::orders_by_whole_index`](crate::dialect::Facts::orders_by_whole_index).
    fn first_of_each(self, limit: u64) -> SelectStatement {
        let group = self.feed.is_in_current(&self.plan.shape.source);
        let mut first = self.within(Limit::of(limit)).of(&self.base(group));
        if self.span.access.dialect().facts().orders_by_whole_index {
            first.clear_order_by();
            predicate::order_within(&mut first, &self.feed.groups.columns, self.span.sorts);
        }
        first
    }

    /// The span of a group, of which only its first rows are needed.
    fn within(&self, limit: Limit) -> Span<'_> {
        Span { access: &self.plan.access, limit, ..self.span }
    }

    /// The keys of a group, without order and limit.
    fn base(self, group: Expr) -> SelectStatement {
        let keys = self.plan.access.with_hint(self.feed.keys(self.rows, group, self.span.sorts));
        self.bounded(keys)
    }

    /// The rows of a select up to the page's upper bound, if known.
    fn bounded(&self, mut rows: SelectStatement) -> SelectStatement {
        if !self.last.is_empty() {
            rows.cond_where(self.span.within(self.last));
        }
        rows
    }

    /// One SELECT for each group.
    fn branches(self) -> SelectStatement {
        let bases = self.conditions().map(|group| self.base(group));
        // A row that is in two groups is shown once.
        let union = if self.feed.groups.are_disjoint() { UnionType::All } else { UnionType::Distinct };
        self.within(self.span.limit.without_inner()).of_many(bases, union)
    }

    fn conditions(&self) -> impl Iterator<Item = Expr> {
        let dialect = self.span.access.dialect();
        self.feed.groups.of_each(self.values).map(move |values| filter::equal(&self.feed.groups, values, dialect))
    }

    fn sort(self, select: &mut SelectStatement) {
        self.span.sort(select, OrderColumn::in_result);
    }

    /// How many rows of a group the page may have.
    fn rows_read(self) -> u64 {
        self.span.limit.inner.unwrap_or_else(|| self.span.limit.read())
    }
}

#[cfg(test)]
mod tests;
