//! A SELECT in parts, to which columns and conditions can be added.

use sea_query::Expr;

use super::condition::Condition;
use crate::access::AccessPath;
use crate::dialect::{Dialect, Param, Sql};

/// The alias of derived tables.
pub const DERIVED: &str = "folio_rows";

/// A SELECT, or several that are united.
#[derive(Debug, Clone)]
pub struct Select {
    pub dialect: Dialect,
    pub is_distinct: bool,
    columns: Sql,
    from: Sql,
    conditions: Vec<Condition>,
    /// What comes between WHERE and ORDER BY: a GROUP BY, or further selects.
    pub rest: Sql,
    order: Sql,
    limit: Option<Number>,
    offset: Option<Param>,
}

/// The number in a LIMIT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// The page's limit.
    Page(u64),
    /// Where a count ends.
    Count(u64),
    /// A number that is bound.
    Bound(u64),
    /// A number that is part of the text.
    Literal(u64),
}

impl Number {
    pub fn get(self) -> u64 {
        let (Self::Page(number) | Self::Count(number) | Self::Bound(number) | Self::Literal(number)) = self;
        number
    }

    pub fn write(self, sql: Sql) -> Sql {
        match self {
            Self::Page(_) => sql.param(Param::Limit),
            Self::Count(_) => sql.param(Param::CountLimit),
            Self::Bound(number) => sql.constant(number),
            Self::Literal(number) => sql.push(&number.to_string()),
        }
    }
}

impl Select {
    pub fn new(dialect: Dialect) -> Self {
        let empty = || Sql::new(dialect);
        Self {
            dialect,
            is_distinct: false,
            columns: empty(),
            from: empty(),
            conditions: Vec::new(),
            rest: empty(),
            order: empty(),
            limit: None,
            offset: None,
        }
    }

    /// A select from this FROM clause.
    pub fn from(from: Sql) -> Self {
        let select = Self::new(from.dialect());
        Self { from, ..select }
    }

    /// A select from a derived table.
    pub fn from_derived(rows: &Sql, alias: &str) -> Self {
        Self::from(Sql::new(rows.dialect()).enclosed(rows).push(" AS ").name(alias))
    }

    /// All columns of a derived table.
    pub fn all_of(rows: &Sql, alias: &str) -> Self {
        Self::from_derived(rows, alias).column(|sql| sql.push("*"))
    }

    /// Adds a column to the list.
    pub fn column(mut self, write: impl FnOnce(Sql) -> Sql) -> Self {
        let list = self.columns;
        self.columns = write(if list.is_empty() { list } else { list.push(", ") });
        self
    }

    /// Adds a column with a name.
    pub fn column_as(self, write: impl FnOnce(Sql) -> Sql, name: &str) -> Self {
        self.column(|sql| write(sql).push(" AS ").name(name))
    }

    pub fn expr_as(self, expr: &Expr, name: &str) -> Self {
        self.column_as(|sql| sql.expr(expr), name)
    }

    /// The same rows with no columns yet.
    pub fn without_columns(mut self) -> Self {
        self.columns = Sql::new(self.dialect);
        self
    }

    /// Adds to the FROM clause, such as a join.
    pub fn join(mut self, write: impl FnOnce(Sql) -> Sql) -> Self {
        self.from = write(self.from);
        self
    }

    /// Names the index of its only table, if there is one to name.
    pub fn hint(self, index: Option<&str>) -> Self {
        match index {
            Some(index) => self.join(|from| from.push(" FORCE INDEX (").name(index).push(")")),
            None => self,
        }
    }

    /// Reads its only table along an access path.
    pub fn along(self, access: &AccessPath) -> Self {
        if access.is_spider() { self.without_sorted_index() } else { self.hint(access.index_name()) }
    }

    /// Takes the order of its only table from no index: see [`AccessPath::is_spider`].
    pub(crate) fn without_sorted_index(self) -> Self {
        self.join(|from| from.push(" USE INDEX FOR ORDER BY ()"))
    }

    /// Reads from another FROM clause.
    pub(crate) fn with_from(self, from: Sql) -> Self {
        Self { from, ..self }
    }

    pub fn and(mut self, condition: Condition) -> Self {
        self.conditions.push(condition);
        self
    }

    pub fn and_all(mut self, conditions: impl IntoIterator<Item = Condition>) -> Self {
        self.conditions.extend(conditions);
        self
    }

    /// Sorts by one more expression.
    pub fn order_by(mut self, write: impl FnOnce(Sql) -> Sql) -> Self {
        let order = self.order;
        self.order = write(if order.is_empty() { order.push(" ORDER BY ") } else { order.push(", ") });
        self
    }

    pub fn without_order(mut self) -> Self {
        self.order = Sql::new(self.dialect);
        self
    }

    pub fn limit(self, limit: Number) -> Self {
        Self { limit: Some(limit), ..self }
    }

    pub fn offset(self, offset: Option<Param>) -> Self {
        Self { offset, ..self }
    }

    pub fn sql(&self) -> Sql {
        let distinct = if self.is_distinct { "DISTINCT " } else { "" };
        let mut sql = Sql::new(self.dialect).push("SELECT ").push(distinct).append(&self.columns);
        if !self.from.is_empty() {
            sql = sql.push(" FROM ").append(&self.from);
        }
        if let Some(condition) = Condition::all(self.conditions.iter().cloned()) {
            sql = sql.push(" WHERE ").append(condition.sql());
        }
        limited(sql.append(&self.rest).append(&self.order), self.limit, self.offset.as_ref())
    }
}

/// A text with LIMIT and OFFSET.
pub fn limited(mut sql: Sql, limit: Option<Number>, offset: Option<&Param>) -> Sql {
    if let Some(limit) = limit {
        sql = sql.push(" LIMIT ");
        let is_signed = sql.dialect().facts().plans_for_bare_values && !matches!(limit, Number::Literal(_));
        sql = limit.write(if is_signed { sql.push("+") } else { sql });
    }
    match offset {
        Some(offset) => sql.push(" OFFSET ").param(offset.clone()),
        None => sql,
    }
}
