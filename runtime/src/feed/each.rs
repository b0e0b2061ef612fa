//! Pages of groups: the first rows of each group, in one statement, such as the first comments of each post.

use sea_query::{Expr, ExprTrait as _, Order, Query, SelectStatement, UnionType, Value};

use super::filter::{equal, filter};
use super::source::{self, NUMBER, Source};
use super::{Feed, FeedForm, FeedKeys, FeedPlan};
use crate::access::AccessPath;
use crate::dialect::catalog::TableInfo;
use crate::dialect::{Dialect, GroupAccess};
use crate::order::OrderColumn;
use crate::predicate::{self, Limit};
use crate::statement::deferred_join::{DERIVED, ModelRows};
use crate::statement::total;

impl Feed {
    /// How the pages of all groups are read.
    pub(crate) fn plan_of_each(&self, info: Option<&TableInfo>, sorts: &[OrderColumn]) -> FeedPlan {
        let access = self.access_of_each(info, sorts);
        let is_list_in_order = self.is_list() && access.is_in_order(sorts);
        let server = info.map_or(self.text.dialect().facts().unknown_server, |info| info.server);
        let form = match server.groups {
            GroupAccess::LateralFromStart if is_list_in_order => FeedForm::Lateral { heads_first: false },
            GroupAccess::Lateral if !self.groups.are_typed_by_columns() => FeedForm::Lateral { heads_first: false },
            _ => FeedForm::Branches,
        };
        FeedPlan::new(&self.groups, access, form, true)
    }

    fn access_of_each(&self, info: Option<&TableInfo>, sorts: &[OrderColumn]) -> AccessPath {
        let dialect = self.text.dialect();
        info.and_then(|info| self.access(info, sorts)).unwrap_or_else(|| AccessPath::unknown(dialect))
    }

    /// The condition that a row is in the group at a place, as a filter of a query.
    pub(crate) fn group(&self, at: usize) -> Expr {
        filter(&self.only(&[at]).groups, self.text.dialect())
    }

    /// The number of rows of each group, in the order of the groups. The count is the last column.
    pub(crate) fn totals(&self, rows: &ModelRows) -> SelectStatement {
        let source = Source::of(&self.groups, self.text.dialect());
        let mut totals = if source.is_list() { self.totals_of(rows, &source) } else { self.united_totals(rows) };
        totals.order_by(NUMBER, Order::Asc).take()
    }

    fn totals_of(&self, rows: &ModelRows, source: &Source) -> SelectStatement {
        let total = self.total(rows, self.is_in_current(source));
        source.numbered(&self.groups).column(NUMBER).expr(total).take()
    }

    fn united_totals(&self, rows: &ModelRows) -> SelectStatement {
        let groups = self.groups.iter().enumerate();
        let totals = groups.map(|(at, values)| self.numbered_total(rows, at, values));
        predicate::union_of(totals, UnionType::All)
    }

    /// The number of a group and that of its rows.
    fn numbered_total(&self, rows: &ModelRows, at: usize, values: &[Value]) -> SelectStatement {
        let total = self.total(rows, equal(&self.groups, values, self.text.dialect()));
        Query::select().expr_as(source::number(at), NUMBER).expr(total).take()
    }

    fn total(&self, rows: &ModelRows, group: Expr) -> Expr {
        total::counted(self.keys(rows, group, &[]), None).into()
    }
}

impl FeedKeys<'_> {
    /// The keys of the first rows of each group, with the number of the group.
    pub(super) fn of_each(self) -> SelectStatement {
        match self.plan.shape.form {
            FeedForm::Lateral { .. } => self.each_lateral(),
            FeedForm::Branches => self.each_branch(),
        }
    }

    fn each_lateral(self) -> SelectStatement {
        self.keys_of(self.groups(true)).column((source::ALIAS, NUMBER)).take()
    }

    fn each_branch(self) -> SelectStatement {
        let pages = self.conditions().enumerate().map(|(at, group)| self.numbered_page(at, group));
        predicate::all_of(self.span.access.dialect(), pages)
    }

    /// The keys of a group's first rows, with the number of the group.
    fn numbered_page(self, at: usize, group: Expr) -> SelectStatement {
        let base = self.base(group).expr_as(source::number(at), NUMBER).take();
        self.within(Limit::of(self.rows_read())).of(&base)
    }
}

/// Adds the number of each row's group to the rows of the keys that [`FeedKeys::of_each`] finds, and sorts by it first.
pub(crate) fn with_number(page: &mut SelectStatement, dialect: Dialect) {
    let number = || Expr::col((DERIVED, NUMBER));
    page.expr_as(as_count(dialect, number()), NUMBER).order_by_expr(number(), Order::Asc);
}

/// A number in the type that counts are read in.
pub(super) fn as_count(dialect: Dialect, number: Expr) -> Expr {
    number.cast_as(dialect.facts().count_type)
}
