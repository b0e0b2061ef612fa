//! The equality columns of a query.

use std::borrow::Cow;

use sea_query::{BinOper, ColumnName, ColumnRef, Expr, Value};

use crate::dialect::catalog::TableInfo;
use crate::dialect::{Dialect, Sql};
use crate::schema::group::Groups;
use crate::value::{self, Variant};

/// What the filters of a query say about its columns. It has no values.
#[derive(Debug, Clone, Default)]
pub struct EqualityColumns {
    /// The text of each filter.
    pub(crate) filters: Vec<String>,
    pub(super) columns: Vec<String>,
    /// The conditions whose columns are not known, because they are raw SQL.
    raw: Vec<String>,
    /// Whether there are other conditions.
    pub(super) others: bool,
}

impl EqualityColumns {
    /// The equality columns of a conjunction of filters.
    pub fn of(dialect: Dialect, filters: &[Expr]) -> Self {
        let mut equality = Self::default();
        filters.iter().for_each(|filter| equality.add(filter, Sql::of(dialect, filter).text()));
        equality
    }

    /// The equality columns of raw SQL, which are not known.
    pub(crate) fn of_raw(sql: String) -> Self {
        Self { raw: vec![sql], others: true, ..Self::default() }
    }

    /// Adds those of another filter, which has this text.
    pub(crate) fn add(&mut self, filter: &Expr, text: String) {
        self.filters.push(text);
        self.add_condition(filter);
    }

    /// Adds the columns of groups, which have one value in each. Those of a link are not the rows' own.
    pub(crate) fn with_groups(&self, groups: &Groups) -> Self {
        let mut equality = self.clone();
        if groups.link.is_none() {
            equality.columns.extend(group_columns(groups));
        }
        equality
    }

    fn add_condition(&mut self, filter: &Expr) {
        match filter {
            Expr::Tuple(inner) if inner.len() == 1 => inner.iter().for_each(|filter| self.add_condition(filter)),
            Expr::Binary(one, BinOper::And, other) => {
                self.add_condition(one);
                self.add_condition(other);
            }
            Expr::Binary(one, BinOper::Equal, other) => {
                let is_value = matches!(**other, Expr::Value(_) | Expr::AsEnum(..));
                match column(one).filter(|_| is_value) {
                    Some(name) if self.has(&name) => {}
                    Some(name) => self.columns.push(name.into_owned()),
                    None => self.others = true,
                }
            }
            Expr::Custom(sql) | Expr::CustomWithExpr(sql, _) => {
                self.raw.push(sql.to_string());
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
        self.columns.iter().map(String::as_str)
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

/// The columns that filters compare with a value each.
#[derive(Debug, Clone, Default)]
pub struct Comparisons {
    pub(crate) columns: Vec<Comparison>,
    /// Whether there are other conditions.
    has_others: bool,
    /// How many values the filters have.
    values: usize,
}

/// A column that is compared with a value.
#[derive(Debug, Clone)]
pub struct Comparison {
    pub column: Expr,
    /// The place of the value among those of all filters: 2 for `tenant` in `kind IN (1, 2) AND tenant = 3`.
    pub place: usize,
    /// The type of the value.
    pub variant: Option<Variant>,
}

impl Comparisons {
    /// Adds those of another filter.
    pub(crate) fn add(&mut self, dialect: Dialect, filter: &Expr) {
        for condition in conditions(filter) {
            let values = match comparison(condition) {
                Some((expr, value)) if column(expr).is_some() => {
                    let (column, variant) = (expr.clone(), value::variant(value));
                    self.columns.push(Comparison { column, place: self.values, variant });
                    1
                }
                _ => {
                    self.has_others = true;
                    Sql::of(dialect, condition).params().len()
                }
            };
            self.values = self.values.saturating_add(values);
        }
    }

    /// All of them; `None` if there are other conditions, or if the text of a value depends on the value, as that of an
    /// enum does. A column that is compared twice is listed twice.
    pub fn all(&self) -> Option<&[Comparison]> {
        (!self.has_others).then_some(&self.columns)
    }
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
