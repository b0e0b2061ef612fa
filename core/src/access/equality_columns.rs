//! The equality columns of a query.

use std::borrow::Cow;

use sea_query::{BinOper, ColumnName, ColumnRef, Expr, Value};

use crate::dialect::catalog::TableInfo;
use crate::schema::group::Groups;

/// The equality columns of a query: those that its filters compare with a single value.
#[derive(Debug, Default)]
pub struct EqualityColumns<'a> {
    pub(super) filters: &'a [Expr],
    pub(super) columns: Vec<Cow<'a, str>>,
    /// The conditions whose columns are not known, because they are raw SQL.
    raw: Vec<Cow<'a, str>>,
    /// Whether there are other conditions.
    pub(super) others: bool,
}

impl<'a> EqualityColumns<'a> {
    /// The equality columns of a conjunction of filters.
    pub fn of(filters: &'a [Expr]) -> Self {
        let mut equality = Self { filters, ..Self::default() };
        filters.iter().for_each(|filter| equality.add(filter));
        equality
    }

    /// The equality columns of raw SQL, which are not known.
    pub(crate) fn of_raw(sql: String) -> Self {
        Self { raw: vec![Cow::Owned(sql)], others: true, ..Self::default() }
    }

    /// Adds the columns of groups, which have one value in each. Those of a link are not the rows' own.
    pub(crate) fn with_groups(mut self, groups: &Groups) -> Self {
        if groups.link.is_none() {
            self.columns.extend(group_columns(groups).map(Cow::Owned));
        }
        self
    }

    fn add(&mut self, filter: &'a Expr) {
        match filter {
            Expr::Tuple(inner) if inner.len() == 1 => inner.iter().for_each(|filter| self.add(filter)),
            Expr::Binary(one, BinOper::And, other) => {
                self.add(one);
                self.add(other);
            }
            Expr::Binary(one, BinOper::Equal, other) => {
                let is_value = matches!(**other, Expr::Value(_) | Expr::AsEnum(..));
                match column(one).filter(|_| is_value) {
                    Some(name) if self.has(&name) => {}
                    Some(name) => self.columns.push(name),
                    None => self.others = true,
                }
            }
            Expr::Custom(sql) | Expr::CustomWithExpr(sql, _) => {
                self.raw.push(Cow::Borrowed(sql));
                self.others = true;
            }
            _ => self.others = true,
        }
    }

    /// Whether the rows of a list with these columns are on several servers, which are asked at once.
    pub fn are_scattered(&self, info: &TableInfo) -> bool {
        info.distribution_column.as_ref().is_some_and(|column| !self.has(column))
    }

    /// The columns that are known to be equality columns.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(AsRef::as_ref)
    }

    pub fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|name| name.eq_ignore_ascii_case(column))
    }

    /// Whether a column may be an equality column: it is one, or raw SQL has its name.
    pub fn may_have(&self, column: &str) -> bool {
        let words = self.raw.iter().flat_map(|sql| sql.split(|char: char| !char.is_alphanumeric() && char != '_'));
        self.has(column) || words.into_iter().any(|word| !word.is_empty() && word.eq_ignore_ascii_case(column))
    }

    /// Whether there may be unknown equality columns, because there is raw SQL.
    pub fn has_raw(&self) -> bool {
        !self.raw.is_empty()
    }
}

/// The columns that filters compare with a value each, and the values, in their order: `tenant` with 3 and `kind` with
/// 1 for `tenant = 3 AND kind = 1`.
///
/// `None` if there are other conditions, or if the text of a value depends on it. A column that is compared twice is
/// listed twice.
pub fn compared(filters: &[Expr]) -> Option<Vec<(&Expr, &Value)>> {
    filters.iter().flat_map(conditions).map(comparison).collect()
}

/// The columns that filters compare with a value each, and the place of the value among the values of all filters.
/// Other conditions may stand between them; `count` tells how many values one has.
///
/// For `kind IN (1, 2) AND tenant = 3` it is `tenant` with the place 2.
pub(crate) fn equalities(filters: &[Expr], count: impl Fn(&Expr) -> usize) -> Vec<(&Expr, usize)> {
    let (mut found, mut pending, mut place) = (Vec::new(), Vec::new(), 0_usize);
    for condition in filters.iter().flat_map(conditions) {
        let Some((column, _)) = comparison(condition).filter(|(one, _)| column(one).is_some()) else {
            pending.push(condition);
            continue;
        };
        place = pending.drain(..).map(&count).fold(place, usize::saturating_add);
        found.push((column, place));
        place = place.saturating_add(1);
    }
    found
}

/// The conditions that a filter joins by AND.
fn conditions(filter: &Expr) -> Vec<&Expr> {
    match filter {
        Expr::Tuple(inner) if inner.len() == 1 => inner.iter().flat_map(conditions).collect(),
        Expr::Binary(one, BinOper::And, other) => [conditions(one), conditions(other)].concat(),
        condition => vec![condition],
    }
}

/// The column that a condition compares with a value. The text of an enum's value names its type.
fn comparison(condition: &Expr) -> Option<(&Expr, &Value)> {
    match condition {
        Expr::Binary(column, BinOper::Equal, value) => match &**value {
            Expr::Value(Value::Enum(_)) => None,
            Expr::Value(value) => Some((column, value)),
            _ => None,
        },
        _ => None,
    }
}

pub(crate) fn group_columns(groups: &Groups) -> impl Iterator<Item = String> {
    groups.columns.iter().filter_map(column).map(Cow::into_owned)
}

/// The name of a column.
pub fn column(expr: &Expr) -> Option<Cow<'_, str>> {
    match expr {
        Expr::Column(ColumnRef::Column(ColumnName(_, name))) => Some(name.inner()),
        _ => None,
    }
}
