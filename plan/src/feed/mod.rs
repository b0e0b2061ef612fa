//! Feeds: the first rows of several groups in one order, such as the newest posts of all authors that a reader follows.
//!
//! In an index that begins with the group's columns, followed by the order, each group's rows are sorted. But `author
//! IN (…) ORDER BY created LIMIT 15` reads and sorts all rows of all groups on PostgreSQL, MySQL and MariaDB. A feed
//! reads at most a page of each group. If there are many groups, it first reads only each group's *head*, its first
//! row, because the page can only have rows from the groups with the nearest heads. SQLite merges the groups of an IN
//! itself.
//!
//! The keys of a page are found in this way, and its rows by their keys. Which form is chosen was measured:
//! `tests/tests/million/feeds.rs` limits the rows that are read, and `benches/benches/feeds` has the times.

mod each;
mod extent;
mod filter;
mod heads;
mod ranking;
mod source;

pub use self::each::{numbered_first, with_number};
pub use self::extent::first_place;
pub use self::filter::{check_mergeable, filter};
pub use self::heads::HeadKey;
pub use self::source::Source;
use crate::access::{AccessPath, group_columns, has_index_of_groups};
use crate::boundary::BoundaryValue;
use crate::dialect::catalog::TableInfo;
use crate::dialect::{Dialect, GroupAccess};
use crate::order::OrderColumn;
use crate::predicate::{Limit, Names, Span, Union, order_within};
use crate::schema::group::{Groups, Link};
use crate::statement::condition::{Condition, operand};
use crate::statement::filtered::FilteredRows;
use crate::statement::select::{Number, Select};
use crate::value::{self, Variant};

/// The number of groups from which reading their heads first takes less time.
const HEADS_FIRST_FROM: usize = 64;

/// The maximum number of groups with a SELECT each. Preparing more of them takes longer than reading the rows.
pub const MAX_BRANCHES: usize = 128;

/// The maximum number of groups with a SELECT each on MariaDB, if a separate statement can find their heads.
const MAX_BRANCHES_WITHOUT_HEADS: usize = 32;

/// The maximum number of groups with a SELECT each on MySQL after a boundary, if separate statements can look up the
/// page's upper bound. Without that, each SELECT takes up to a millisecond, and each statement a round trip.
const MAX_BRANCHES_WITHOUT_EXTENT: usize = 7;

/// The maximum number of groups that remain after their heads were read. There can be more of them than the page has
/// rows, if many heads tie with the boundary.
pub const MAX_NEAREST: usize = 512;

/// How the groups of a feed are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FeedForm {
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
    /// The same UNION, but of whole rows. Only for a page of each group: Citus reads the whole table for a join with found
    /// keys, and Spider loses rows.
    Rows,
}

/// The groups whose rows a model's query lists.
#[derive(Debug, Clone)]
pub struct Feed {
    pub groups: Groups,
    pub dialect: Dialect,
}

/// What the text of a statement depends on, in addition to the rest of the query.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FeedShape {
    pub form: FeedForm,
    pub source: Source,
    /// The names of the groups' columns, and the types of their values.
    columns: Vec<(String, Option<Variant>)>,
    /// Whether no row can be in two of the groups.
    are_disjoint: bool,
    /// The table that links rows to the groups.
    link: Option<Link>,
    /// Whether the groups have a page each.
    pub is_each: bool,
}

/// How the statement of a feed is written: the shape of its text, and the access path to each group.
#[derive(Debug, Clone)]
pub struct FeedPlan {
    pub shape: FeedShape,
    /// How the rows of one group are read.
    pub access: AccessPath,
}

impl FeedPlan {
    fn new(groups: &Groups, access: AccessPath, form: FeedForm, is_each: bool) -> Self {
        let source = match form {
            FeedForm::Branches | FeedForm::Rows => Source::rows(groups),
            FeedForm::Lateral { .. } => Source::of(groups, access.dialect()),
        };
        let (columns, are_disjoint) = (typed_columns(groups), groups.are_disjoint());
        let link = groups.link.clone();
        Self { shape: FeedShape { form, source, columns, are_disjoint, link, is_each }, access }
    }
}

/// The names of the groups' columns, and the types of their values.
fn typed_columns(groups: &Groups) -> Vec<(String, Option<Variant>)> {
    let first = groups.iter().next().unwrap_or_default();
    group_columns(groups).zip(first.iter().map(value::variant)).collect()
}

/// The page of a feed, as its form depends on it.
#[derive(Debug, Clone, Copy)]
pub struct FeedPage<'a> {
    pub info: &'a TableInfo,
    pub sorts: &'a [OrderColumn],
    pub has_boundary: bool,
    /// Whether a lookup has already narrowed the groups.
    pub is_nearest: bool,
}

impl Feed {
    /// Splits the groups into blocks that one statement can read. Groups that are bound as arrays are one block. Behind a
    /// proxy, each group is.
    pub fn blocks(&self) -> impl Iterator<Item = Self> {
        let size = match Source::of(&self.groups, self.dialect) {
            _ if self.dialect.facts().is_plain => 1,
            Source::Arrays => self.groups.len(),
            Source::Json(_) | Source::Rows(_) => MAX_BRANCHES,
        };
        self.groups.blocks(size).map(|groups| self.with_groups(groups))
    }

    pub fn count(&self) -> u64 {
        u64::try_from(self.groups.len()).unwrap_or(u64::MAX)
    }

    /// Whether a statement takes the values of any number of groups.
    fn is_list(&self) -> bool {
        Source::of(&self.groups, self.dialect).is_list()
    }

    pub fn only(&self, places: &[usize]) -> Self {
        self.with_groups(self.groups.only(places.iter().copied()))
    }

    /// The same feed with other values of its groups' columns.
    fn with_groups(&self, groups: Groups) -> Self {
        Self { groups, dialect: self.dialect }
    }

    /// Joins a row to its group in the table of groups.
    fn is_in_current(&self, source: &Source) -> Condition {
        let columns = self.groups.columns.iter().enumerate().map(|(at, column)| {
            Condition::comparison(operand(self.dialect, column), "=", &source.value(self.dialect, at))
        });
        let group = Condition::all(columns).unwrap_or_else(|| Condition::nowhere(self.dialect));
        filter::are_linked(&self.groups, group)
    }

    /// How a page is read; `None` if it is best to filter by all groups. Citus refuses a LATERAL join over several servers,
    /// and merges the groups of an IN from each.
    pub fn plan(&self, rows: &FilteredRows, page: FeedPage<'_>) -> Option<FeedPlan> {
        if rows.plan.equality.are_scattered(page.info) {
            return None;
        }
        let access = self.access(rows, page.info, page.sorts)?;
        let form = self.form(page, access.is_in_order(page.sorts))?;
        Some(FeedPlan::new(&self.groups, access, form, false))
    }

    /// How the rows of one group are read; `None` without an index that has them in order. MariaDB's Spider loses rows
    /// if their keys are found first.
    fn access(&self, rows: &FilteredRows, info: &TableInfo, sorts: &[OrderColumn]) -> Option<AccessPath> {
        let equality = rows.plan.equality.with_groups(&self.groups);
        let has_index = has_index_of_groups(info, &equality, &self.groups, sorts);
        (has_index && !info.is_spider).then(|| AccessPath::new(info, &equality, sorts))
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
pub struct FeedKeys<'a> {
    pub rows: &'a FilteredRows,
    pub feed: &'a Feed,
    pub plan: &'a FeedPlan,
    /// Its columns have the names that the keys are selected under.
    pub span: Span<'a>,
    /// Upper bound of the page in the order's leading columns, if known.
    pub upper: &'a [BoundaryValue],
}

impl<'a> FeedKeys<'a> {
    /// The keys of the page, or of a page of each group.
    pub fn select(self) -> Select {
        match self.plan.shape.form {
            _ if self.plan.shape.is_each => self.of_each(),
            FeedForm::Lateral { heads_first } => self.lateral(heads_first),
            FeedForm::Branches | FeedForm::Rows => {
                let bases = self.conditions().map(|group| self.base(group));
                // A row that is in two groups is shown once.
                let union = if self.feed.groups.are_disjoint() { Union::All } else { Union::Distinct };
                self.within(Limit { literal_limit: None, ..self.span.limit }).of_many(bases, union)
            }
        }
    }

    /// The rows of all groups, without order and limit.
    pub fn list(self) -> Select {
        let rows = self.rows.select();
        match self.plan.shape.form {
            FeedForm::Branches | FeedForm::Rows => rows.and_all(Condition::any(self.conditions())),
            FeedForm::Lateral { .. } => {
                let group = self.feed.is_in_current(&self.plan.shape.source);
                let groups = self.groups(false).sql();
                rows.join(|from| {
                    let from = from.push(" INNER JOIN ").enclosed(&groups).push(" AS ").name(source::ALIAS);
                    from.push(" ON ").append(group.sql())
                })
            }
        }
    }

    fn lateral(self, heads_first: bool) -> Select {
        let mut source = self.groups(false);
        if heads_first {
            // Only the groups with the nearest heads.
            let columns = 0..self.feed.groups.columns.len();
            let nearest = columns.fold(self.joined(&source, Number::Literal(1)), |nearest, at| {
                nearest.column(|sql| sql.column(source::ALIAS, &source::group_name(at)))
            });
            source = self.span.sort(nearest, Names::InResult).limit(self.rows_read());
        }
        let mut keys = self.keys_of(&source);
        keys.is_distinct = !self.feed.groups.are_disjoint();
        let keys = self.span.sort(keys, Names::InResult);
        match self.span.limit.literal_limit {
            // Two limits: this one is part of the text, so that PostgreSQL keeps a generic plan.
            Some(limit) => keys.limit(Number::Literal(limit)),
            None => self.span.limit.apply(keys),
        }
    }

    /// The keys of the rows that a page may have of these groups.
    fn keys_of(self, groups: &Select) -> Select {
        let keys = self.joined(groups, self.rows_read());
        self.span.sorts.iter().fold(keys, |keys, sort| keys.column(|sql| sql.name(&sort.output)))
    }

    /// The groups as a table, with or without their numbers.
    fn groups(self, is_numbered: bool) -> Select {
        self.plan.shape.source.select(self.feed.dialect, &self.feed.groups, is_numbered)
    }

    /// The groups, joined with the keys of their first rows.
    ///
    /// See [`Facts::orders_by_whole_index`](crate::dialect::Facts::orders_by_whole_index).
    fn joined(self, source: &Select, limit: Number) -> Select {
        let group = self.feed.is_in_current(&self.plan.shape.source);
        let mut first = self.within(Limit::of(limit)).of(&self.base(group));
        if self.feed.dialect.facts().orders_by_whole_index && self.feed.groups.link.is_none() {
            first = order_within(first.without_order(), &self.feed.groups.columns, self.span.sorts);
        }
        Select::from_derived(&source.sql(), source::ALIAS).join(|from| {
            let from = from.push(" INNER JOIN LATERAL ").enclosed(&first.sql());
            from.push(" AS ").name("folio_firsts").push(" ON TRUE")
        })
    }

    /// The span of a group, of which only its first rows are needed.
    fn within(self, limit: Limit) -> Span<'a> {
        Span { access: &self.plan.access, limit, ..self.span }
    }

    /// The keys of a group, without order and limit.
    fn base(self, group: Condition) -> Select {
        self.bounded(self.hinted(self.rows.keys_by(self.span.sorts, self.plan.access.by_value())).and(group))
    }

    fn hinted(self, rows: Select) -> Select {
        rows.along(&self.plan.access)
    }

    /// The rows of a select up to the page's upper bound, if known.
    fn bounded(self, rows: Select) -> Select {
        if self.upper.is_empty() { rows } else { rows.and(self.span.within(self.upper)) }
    }

    /// The condition of each group, in the order of the values.
    fn conditions(self) -> impl Iterator<Item = Condition> + use<'a> {
        let Feed { groups, dialect } = self.feed;
        let width = groups.columns.len().max(1);
        let values = self.plan.shape.source.values(groups);
        let count = values.len().div_ceil(width);
        (0..count).map(move |at| {
            let own = values.get(at.saturating_mul(width)..).unwrap_or_default();
            filter::equal_to_bound(groups, at, own, *dialect)
        })
    }

    /// How many rows of a group the page may have.
    fn rows_read(self) -> Number {
        self.span.limit.literal_limit.map_or(self.span.limit.read(), Number::Literal)
    }
}

#[cfg(test)]
mod tests;
