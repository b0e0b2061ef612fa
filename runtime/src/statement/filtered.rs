//! The rows of a model's table that match a query's filters, and the statements that select them.
//!
//! A deferred join finds the keys of a page in an index alone, and reads its rows by these keys. The rows before the
//! page are never read.

use std::sync::Arc;

use sea_query::{Expr, Value};

use super::bound::{BoundSql, PageValues, is_short};
use super::condition::{Condition, Joint, operand};
use super::select::{DERIVED, Select};
use crate::access::{AccessPath, equalities};
use crate::dialect::{Dialect, Mark, Param, Sql, type_name};
use crate::order::OrderColumn;
use crate::schema::table::{Columns, Table};
use crate::schema::term::Term;

/// The rows of a table that match filters.
#[derive(Debug, Clone)]
pub(crate) struct FilteredRows {
    pub(crate) dialect: Dialect,
    pub(crate) table: &'static Table,
    /// The filters as they were written, for the choice of an index.
    pub(crate) filters: Vec<Expr>,
    /// The filters, one after the other, and the order, as text with the numbers of their values.
    sql: Sql,
    /// Where each filter ends in that text, and how it is joined with others.
    ends: Vec<(Mark, Joint)>,
    /// The values of the filters.
    pub(crate) values: Vec<Value>,
    /// Expressions that are selected after the table's columns, each under a name.
    expressions: Vec<OrderColumn>,
    /// The filters and the order as text, by which templates are found; `None` if it is not worth a template.
    pub(super) text: Option<Arc<str>>,
}

impl FilteredRows {
    /// The rows that match these filters and conditions, each with the expression that it was written from, for statements
    /// in this order.
    pub(crate) fn new(
        dialect: Dialect,
        table: &'static Table,
        mut filters: Vec<Expr>,
        conditions: Vec<(Expr, Condition)>,
        orders: &[OrderColumn],
    ) -> Self {
        let mut sql = Sql::new(dialect);
        let mut ends = Vec::with_capacity(filters.len().saturating_add(conditions.len()));
        for filter in &filters {
            sql = sql.expr(filter);
            ends.push((sql.mark(), Joint::of(filter)));
        }
        for (expr, condition) in conditions {
            sql = sql.append(condition.sql());
            ends.push((sql.mark(), condition.joint()));
            filters.push(expr);
        }
        for OrderColumn { expr, direction, nulls, .. } in orders {
            // folio's names for the direction and the NULL position do as well as SQL: the text only has to differ.
            sql = sql.expr(expr).push(&format!(" {direction:?} {nulls:?},"));
        }
        // The values of an order may occur in a statement more often than those of the filters.
        let is_cached = orders.iter().all(OrderColumn::is_column);
        let rows = Self { dialect, table, filters, sql, ends, values: Vec::new(), expressions: Vec::new(), text: None };
        rows.numbered(is_cached)
    }

    /// Takes the values out of the text, in whose place are their numbers then.
    fn numbered(mut self, is_cached: bool) -> Self {
        let known = std::mem::take(&mut self.values);
        let mut values = Vec::new();
        self.sql = self.sql.with_params(|param| {
            match param {
                Param::Constant(value) => values.push(value),
                Param::Filter(at) => values.extend(known.get(at).cloned()),
                param => return param,
            }
            Param::Filter(values.len().saturating_sub(1))
        });
        let text = self.dialect.with_types(self.sql.text(), values.iter().map(type_name));
        // The empty text of a list without filters takes no allocation.
        let shared = || if text.is_empty() { Arc::default() } else { text.as_str().into() };
        let text = (is_cached && is_short(&text)).then(shared);
        Self { values, text, ..self }
    }

    /// The same rows, with these expressions after the table's columns.
    pub(crate) fn selecting(self, expressions: Vec<OrderColumn>) -> Self {
        Self { expressions, ..self }
    }

    /// The rows that also match a condition, with the expression that it was written from. It comes after the filters, and
    /// before the order.
    pub(crate) fn and(&self, (expr, condition): (Expr, Condition)) -> Self {
        let end = self.ends.last().map_or_else(Mark::default, |(end, _)| *end);
        let filters = self.sql.between(Mark::default(), end).append(condition.sql());
        let mut rows = self.clone();
        rows.ends.push((filters.mark(), condition.joint()));
        rows.filters.push(expr);
        rows.sql = filters.append(&self.sql.between(end, self.sql.mark()));
        rows.numbered(self.text.is_some())
    }

    /// The filters as conditions.
    fn conditions(&self) -> impl Iterator<Item = Condition> {
        self.ends.iter().scan(Mark::default(), |start, (end, joint)| {
            Some(Condition::new(self.sql.between(std::mem::replace(start, *end), *end), *joint))
        })
    }

    /// The conditions and their values, as text that differs if they do. A feed of one group has the text of a filter by
    /// the group's value.
    pub(crate) fn to_key(&self) -> String {
        let text = self.dialect.with_types(self.sql.unsigned_text(), self.values.iter().map(type_name));
        format!("{:?}", (text, &self.values))
    }

    /// The statement of a select of these rows, without a template because it is rarely needed.
    pub(crate) fn statement(&self, sql: &Sql, page: PageValues<'_>) -> BoundSql {
        BoundSql::of_sql(sql, &self.values, page)
    }

    pub(crate) fn has_values(&self) -> bool {
        !self.values.is_empty()
    }

    /// The literal limit of a statement that reads at most `rows` rows: see [`Facts::cached_plan_limit`](crate::dialect::Facts::cached_plan_limit). It may only be
    /// used if the query [has one plan](Self::has_one_plan).
    pub(crate) fn literal_limit(&self, rows: u64) -> Option<u64> {
        self.dialect.facts().cached_plan_limit.filter(|limit| self.text.is_some() && rows <= *limit)
    }

    /// Whether the query may have a generic plan: if it is right for all values of the filters, or there are none.
    /// Otherwise, one value may match many rows and another only a few, which need different plans.
    pub(crate) fn has_one_plan(&self, suits_all_values: bool) -> bool {
        suits_all_values || !self.has_values()
    }

    /// All rows of the table.
    pub(crate) fn unfiltered(&self) -> Select {
        let select = Select::from_table(self.dialect, self.table);
        let select = match &self.table.columns {
            Columns::All(_) => select.column(|sql| sql.name(self.table.name).push(".*")),
            Columns::Named(fields) => {
                fields.iter().fold(select, |select, field| select.column(|sql| sql.name(field.column)))
            }
        };
        self.expressions.iter().fold(select, |select, sort| select.expr_as(&sort.expr, &sort.output))
    }

    pub(crate) fn filtered(&self) -> Select {
        self.unfiltered().and_all(self.conditions())
    }

    /// The rows, with the filters in the form that lets the database keep a generic plan, if this access path has one:
    /// see [`Sql::signed`].
    pub(crate) fn planned_for(&self, access: &AccessPath) -> Select {
        let sign = |condition: Condition| if access.generic_plan() { condition.map(Sql::signed) } else { condition };
        self.unfiltered().and_all(self.conditions().map(sign))
    }

    /// The order's columns of the filtered rows, each under its name.
    pub(crate) fn keys(&self, sorts: &[OrderColumn]) -> Select {
        let keys = Select::from_table(self.dialect, self.table).and_all(self.conditions());
        sorts.iter().fold(keys, |keys, sort| keys.expr_as(&sort.expr, &sort.output))
    }

    pub(crate) fn primary_key(&self) -> Vec<Expr> {
        self.table.primary_key().map(|key| Term::of_table(self.table, key).expr()).collect()
    }

    /// The rows, with or without filters, whose primary key `keys` selects, each of its columns under a name.
    ///
    /// It is a LEFT JOIN so that a key with NULL, which equals no row's, leads to an error and not to a page without the row.
    /// All databases then start with the keys; in an inner join, SQLite may start with all rows, because it does not know how
    /// few keys there are.
    pub(crate) fn of_keys(&self, keys: &Sql, names: impl Iterator<Item = String>) -> Select {
        let equal = |(column, name): (&Expr, String)| {
            let key = Sql::new(self.dialect).column(DERIVED, &name);
            Condition::comparison(operand(self.dialect, column), "=", &key)
        };
        let primary_key = self.primary_key();
        let on = Condition::all(primary_key.iter().zip(names).map(equal).chain(self.repeated()));
        let mut from =
            Sql::new(self.dialect).enclosed(keys).push(" AS ").name(DERIVED).push(" LEFT JOIN ").table(self.table);
        if let Some(on) = on {
            from = from.push(" ON ").append(on.sql());
        }
        from.finds_keys_first = true;
        self.unfiltered().with_from(from)
    }

    /// The equalities of the filters, to repeat where the rows of found keys are read. They hold for these rows anyway.
    ///
    /// A server in front of several shards, such as Citus, looks for them there: without them, it asks every shard for the
    /// rows. Other filters are not repeated, because a subquery would run twice.
    fn repeated(&self) -> Vec<Condition> {
        if !self.dialect.facts().finds_shards_by_equalities {
            return Vec::new();
        }
        let count = |filter: &Expr| Sql::of(self.dialect, filter).params().len();
        let repeat = |(column, at): (&Expr, usize)| {
            let value = Sql::new(self.dialect).param(Param::Filter(at));
            Condition::comparison(operand(self.dialect, column), "=", &value)
        };
        equalities(&self.filters, count).into_iter().map(repeat).collect()
    }
}

#[cfg(test)]
mod tests {
    use sea_query::ExprTrait as _;

    use super::*;

    static TABLE: Table = Table::new("posts", &[], &[], &[]);

    #[test]
    fn a_plan_is_kept_by_a_plus_before_the_values_of_equalities() {
        let kept = |generic_plan, filter: Expr| {
            let access = AccessPath::Sqlite { row_values: false, generic_plan };
            let rows = FilteredRows::new(Dialect::Sqlite, &TABLE, vec![filter], Vec::new(), &[]);
            let sql = rows.planned_for(&access).sql().text();
            sql.split_once(" WHERE ").map(|(_, conditions)| conditions.to_owned()).unwrap_or_default()
        };
        let (tenant, other) = (|| Expr::col("tenant").eq(3), Expr::col("other").eq(3));
        assert_eq!(kept(true, tenant()), r#""tenant" = + ?"#);
        assert_eq!(kept(true, Expr::tuple([tenant()])), r#"("tenant" = + ?)"#);
        assert_eq!(kept(true, tenant().and(other)), r#""tenant" = + ? AND "other" = + ?"#);
        assert_eq!(kept(false, tenant()), r#""tenant" = ?"#);
    }
}
