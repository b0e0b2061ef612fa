//! Pages of groups: the first rows of each group, in one statement, such as the first comments of each post.

use super::filter::{equal_to_bound, filter};
use super::source::{self, NUMBER, Source, number_text};
use super::{Feed, FeedForm, FeedKeys, FeedPlan};
use crate::access::{AccessPath, EqualityColumns};
use crate::dialect::catalog::TableInfo;
use crate::dialect::{GroupAccess, Sql};
use crate::order::OrderColumn;
use crate::predicate::{Limit, Names, Union, parenthesized, union_of};
use crate::statement::condition::Condition;
use crate::statement::filtered::FilteredRows;
use crate::statement::select::{DERIVED, Select};
use crate::statement::template::{BoundSql, PageValues};
use crate::statement::total;

impl Feed {
    /// How the pages of all groups are read.
    pub fn plan_of_each(&self, rows: &FilteredRows, info: Option<&TableInfo>, sorts: &[OrderColumn]) -> FeedPlan {
        let spider = || info.filter(|info| info.is_spider);
        let access = info.and_then(|info| self.access(rows, info, sorts));
        let access = access.or_else(|| Some(AccessPath::new(spider()?, &EqualityColumns::default(), sorts)));
        let access = access.unwrap_or_else(|| AccessPath::unknown(self.dialect));
        // Rows of a link come in the order of no index.
        let is_list_in_order = self.is_list() && self.groups.link.is_none() && access.is_in_order(sorts);
        let server = info.map_or(self.dialect.facts().unknown_server, |info| info.server);
        let form = match server.groups {
            _ if are_elsewhere(rows, info) => FeedForm::Rows,
            GroupAccess::LateralFromStart if is_list_in_order => FeedForm::Lateral { heads_first: false },
            GroupAccess::Lateral if !self.groups.are_typed_by_columns() => FeedForm::Lateral { heads_first: false },
            _ => FeedForm::Branches,
        };
        FeedPlan::new(&self.groups, access, form, true)
    }

    /// The rows of the group at a place, as a query that filters by the group has them.
    pub fn rows_of_group(&self, rows: &FilteredRows, at: usize) -> FilteredRows {
        rows.and(filter(&self.only(&[at]).groups, self.dialect))
    }

    /// The number of rows of each group, in the order of the groups. The count is the last column.
    ///
    /// Over several servers, it is a SELECT for each group: Citus may refuse a subquery among its columns, and Spider counts
    /// all rows. Behind a proxy, there is only one group.
    pub fn totals(&self, rows: &FilteredRows, info: Option<&TableInfo>) -> BoundSql {
        if self.dialect.facts().is_plain {
            let group = self.rows_of_group(rows, 0);
            return group.statement(&total::counted(group.select(), None).sql(), PageValues::default());
        }
        let is_elsewhere = are_elsewhere(rows, info);
        let source = if is_elsewhere { Source::rows(&self.groups) } else { Source::of(&self.groups, self.dialect) };
        let values = source.values(&self.groups);
        let total = |select: Select, group| {
            let total = total::counted(rows.keys(&[]).and(group), None);
            select.column(|sql| sql.enclosed(&total.sql()))
        };
        let totals = if source.is_list() {
            let numbered = source.numbered(self.dialect, &self.groups).column(|sql| sql.name(NUMBER));
            total(numbered, self.is_in_current(&source))
        } else {
            let totals = self.groups.iter().enumerate().map(|(at, values)| {
                let group = equal_to_bound(&self.groups, at, values, self.dialect);
                let numbered = |select: Select| select.column_as(|sql| sql.push(&number_text(at)), NUMBER);
                if is_elsewhere {
                    numbered(rows.keys(&[]).and(group).without_columns()).column(|sql| sql.push("COUNT(*)"))
                } else {
                    total(numbered(Select::new(self.dialect)), group)
                }
            });
            union_of(self.dialect, totals, Union::All)
        };
        let totals = totals.order_by(|sql| sql.name(NUMBER).push(" ASC"));
        rows.statement(&totals.sql(), PageValues { groups: &values, ..PageValues::default() }).repeated()
    }
}

impl FeedKeys<'_> {
    /// The keys of the first rows of each group, with the number of the group.
    pub(super) fn of_each(self) -> Select {
        if let FeedForm::Lateral { .. } = self.plan.shape.form {
            let numbered = self.keys_of(&self.groups(true));
            return numbered.column(|sql| sql.column(source::ALIAS, NUMBER));
        }
        let number = |keys: Select, at| keys.column_as(|sql| sql.push(&number_text(at)), NUMBER);
        self.of_each_group(|group, at| number(self.base(group), at))
    }

    /// The first rows of each group, sorted by the number of the group, which is their last column. `of_group` selects all
    /// rows of a group.
    pub(crate) fn rows_of_each(self, of_group: impl Fn(Condition) -> Select) -> Select {
        let number = |at| Sql::new(self.feed.dialect).push(&number_text(at));
        let numbered = |rows: Select, at| rows.column_as(|sql| as_count(sql, &number(at)), NUMBER);
        let rows = self.of_each_group(|group, at| numbered(of_group(group), at));
        self.span.sort(rows.order_by(|sql| sql.name(NUMBER).push(" ASC")), Names::InResult)
    }

    /// A SELECT of the first rows of each group. `of_group` selects all rows of the group at a place.
    fn of_each_group(self, of_group: impl Fn(Condition, usize) -> Select) -> Select {
        let first = self.within(Limit::of(self.rows_read()));
        let pages = self.conditions().enumerate().map(|(at, group)| first.of(&of_group(group, at)));
        union_of(self.feed.dialect, parenthesized(pages), Union::All)
    }
}

/// Whether other servers have the rows, and do not answer a subquery or a join for each group.
fn are_elsewhere(rows: &FilteredRows, info: Option<&TableInfo>) -> bool {
    info.is_some_and(|info| info.is_spider || rows.plan.equality.are_scattered(info))
}

/// Adds the number of each row's group to the rows of the keys that `FeedKeys::of_each` finds, and sorts by it first.
pub fn with_number(page: Select) -> Select {
    let number = Sql::new(page.dialect).column(DERIVED, NUMBER);
    let page = page.column_as(|sql| as_count(sql, &number), NUMBER);
    page.order_by(|sql| sql.append(&number).push(" ASC"))
}

/// Adds the number of the only group to its rows.
pub fn numbered_first(page: Select) -> Select {
    let number = Sql::new(page.dialect).push(&number_text(0));
    page.column_as(|sql| as_count(sql, &number), NUMBER)
}

/// Writes a number in the type that counts are read in.
pub(super) fn as_count(sql: Sql, number: &Sql) -> Sql {
    let kind = sql.dialect().facts().count_type;
    sql.push("CAST(").append(number).push(" AS ").push(kind).push(")")
}
