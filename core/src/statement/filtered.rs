//! The rows of a model's table that match a query's filters, and the statements that select them.

use std::borrow::Cow;
use std::sync::Arc;

use sea_query::{Expr, Value};

use super::bound::{BoundSql, PageValues, QueryValues, is_short};
use super::condition::{Condition, Joint, operand};
use super::select::{DERIVED, Select};
use super::total;
use crate::access::{AccessPath, equalities};
use crate::dialect::{Dialect, History, Mark, Param, Sql, type_name};
use crate::error::{Misuse, Result};
use crate::order::OrderColumn;
use crate::schema::table::{Columns, Table};
use crate::schema::term::Term;
use crate::value::{AsOf, Variant};

/// An expression that is selected after a row's columns, and its name in the result.
#[derive(Debug, Clone)]
pub struct Added {
    pub expr: Expr,
    pub name: Cow<'static, str>,
}

impl From<&OrderColumn> for Added {
    fn from(column: &OrderColumn) -> Self {
        Self { expr: column.expr.clone(), name: column.output.clone().into() }
    }
}

/// The rows of a table that match filters.
#[derive(Debug, Clone)]
pub struct FilteredRows {
    pub dialect: Dialect,
    pub table: &'static Table,
    /// The filters as they were written, for the choice of an index.
    pub filters: Vec<Expr>,
    /// The parameters of the request that values of the filters came from, for an error about one of these values.
    pub request_parameters: Vec<String>,
    /// The filters, one after the other, and the order, as text with the numbers of their values.
    sql: Sql,
    /// Where each filter ends in that text, and how it is joined with others.
    ends: Vec<(Mark, Joint)>,
    /// The values of the filters.
    pub values: Vec<Value>,
    /// The columns that are selected.
    pub(super) columns: &'static Columns,
    /// What is selected after them.
    added: Vec<Added>,
    /// The filters and the order as text, by which templates are found; `None` if it is not worth a template.
    pub(super) text: Option<Arc<str>>,
    /// The moment at which the table is read, if it is not now, and how a statement says so.
    moment: Option<(AsOf, &'static History)>,
}

impl FilteredRows {
    /// The rows that match these filters and conditions, each with the expression that it was written from, for
    /// statements in this order.
    pub fn new(
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
        let (columns, request_parameters, values, added) = (&table.columns, Vec::new(), Vec::new(), Vec::new());
        let (text, moment) = (None, None);
        let rows =
            Self { dialect, table, filters, request_parameters, sql, ends, values, columns, added, text, moment };
        rows.with_values_numbered(is_cached)
    }

    /// The same rows, as the table had them at a moment. The moment is not part of [`to_key`](Self::to_key), because a
    /// cursor has its own.
    pub fn read_at(self, as_of: AsOf) -> Result<Self> {
        let history = self.dialect.facts().history.as_ref().ok_or_else(|| {
            Misuse::new(format!(
                "`as_of` needs MariaDB, whose system-versioned tables keep earlier rows, and the database is {}: leave \
                 `as_of` out, or read all pages in one transaction at `RepeatableRead`",
                self.dialect.facts().driver
            ))
        })?;
        Ok(Self { moment: Some((as_of, history)), ..self })
    }

    /// The moment at which the table is read, if it is not now.
    pub fn as_of(&self) -> Option<AsOf> {
        self.moment.map(|(as_of, _)| as_of)
    }

    /// Reads the table at another moment, if it is read at one.
    pub(crate) fn change_moment(&mut self, to: AsOf) {
        if let Some((as_of, _)) = &mut self.moment {
            *as_of = to;
        }
    }

    /// The values that all statements bind.
    pub(super) fn bound_values(&self) -> QueryValues<'_> {
        QueryValues { filters: &self.values, as_of: self.as_of() }
    }

    /// Writes the table into a FROM clause, with the moment at which it is read. No statement of a model's rows names the
    /// table otherwise.
    fn source(&self, from: Sql) -> Sql {
        let from = from.table(self.table);
        match self.moment {
            Some((_, History { before, after, .. })) => from.push(before).param(Param::AsOf).push(after),
            None => from,
        }
    }

    /// All rows of the table, with or without the filters, and no columns yet.
    pub fn whole_table(&self) -> Select {
        Select::from(self.source(Sql::new(self.dialect)))
    }

    /// Whether the model has a column of this name, and no other value of the result has the name.
    pub(crate) fn may_select(&self, name: &str) -> bool {
        let is_taken = |added: &Added| added.name == name && !matches!(added.expr, Expr::Column(_));
        self.table.columns.has(name) && !self.added.iter().any(is_taken)
    }

    /// Moves the values out of the text, which keeps their numbers in their place.
    fn with_values_numbered(mut self, is_cached: bool) -> Self {
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

    /// The same rows, of which these columns are selected, and these expressions after them. What is selected is not
    /// part of [`to_key`](Self::to_key), so that it makes no difference to cursors.
    pub fn selecting(self, columns: &'static Columns, added: Vec<Added>) -> Self {
        let write = |sql: Sql, Added { expr, name }: &Added| sql.expr(expr).push(" AS ").name(name).push(",");
        let list = added.iter().fold(Sql::new(self.dialect), write);
        let text = match self.text {
            // As with an order, the values of an expression may occur in a statement more than once.
            Some(_) if list.params().next().is_some() => None,
            Some(text) if !list.is_empty() => Some(format!("{text};{}", list.text()).into()),
            text => text,
        };
        Self { columns, added, text, ..self }
    }

    /// Whether a row of the result has a column of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.columns.has(name) || self.added.iter().any(|added| added.name == name)
    }

    /// The rows that also match a condition, with the expression that it was written from. It comes after the filters,
    /// and before the order.
    pub fn and(&self, (expr, condition): (Expr, Condition)) -> Self {
        let end = self.ends.last().map_or_else(Mark::default, |(end, _)| *end);
        let filters = self.sql.between(Mark::default(), end).append(condition.sql());
        let mut rows = self.clone();
        rows.ends.push((filters.mark(), condition.joint()));
        rows.filters.push(expr);
        rows.sql = filters.append(&self.sql.between(end, self.sql.mark()));
        rows.with_values_numbered(self.text.is_some())
    }

    /// The filters as conditions.
    fn conditions(&self) -> impl Iterator<Item = Condition> {
        self.ends.iter().scan(Mark::default(), |start, (end, joint)| {
            Some(Condition::new(self.sql.between(std::mem::replace(start, *end), *end), *joint))
        })
    }

    /// The filters, with comparisons for whose values no database plans, except those of the columns `by_value`.
    fn conditions_by(&self, by_value: &[String]) -> impl Iterator<Item = Condition> {
        self.conditions().map(|condition| match by_value.iter().any(|name| condition.sql().has_word(name)) {
            true => condition,
            false => condition.map(Sql::with_signed_comparisons),
        })
    }

    /// The conditions and their values, as text that differs if they do. A feed of one group has the text of a filter
    /// by the group's value.
    pub fn to_key(&self) -> String {
        let text = self.dialect.with_types(self.sql.unsigned_text(), self.values.iter().map(type_name));
        format!("{:?}", (text, &self.values))
    }

    /// The statement of a select of these rows, without a template because it is rarely needed.
    pub fn statement(&self, sql: &Sql, page: PageValues<'_>) -> BoundSql {
        BoundSql::of_sql(sql, self.bound_values(), page)
    }

    /// The statement of the most frequent values of a column: see `total::by_value`.
    pub fn count_by(&self, column: &Expr, variant: Variant, limit: u64) -> BoundSql {
        self.statement(&total::by_value(self.select(), column, variant, limit).sql(), PageValues::default())
    }

    pub fn has_values(&self) -> bool {
        !self.values.is_empty()
    }

    /// The literal limit of a statement that reads at most `rows` rows: see
    /// [`Facts::literal_limit`](crate::dialect::Facts::literal_limit). It is only of use with a [generic
    /// plan](Self::generic_plan).
    pub(crate) fn literal_limit(&self, rows: u64) -> Option<u64> {
        self.dialect.facts().literal_limit.filter(|limit| self.text.is_some() && rows <= *limit)
    }

    /// Whether a generic plan is right for the query: it is right for the access path, or the filters have no values.
    /// Otherwise, one value may match many rows and another only a few, which need different plans.
    pub(crate) fn generic_plan(&self, of_access: bool) -> bool {
        of_access || !self.has_values()
    }

    /// Selects the row type's columns of all rows of the table.
    pub(crate) fn select_all(&self) -> Select {
        let select = self.whole_table();
        let select = match self.columns {
            Columns::All(_) => select.column(|sql| sql.star(self.table)),
            Columns::Named(fields) => {
                fields.iter().fold(select, |select, field| select.column(|sql| sql.name(field.column)))
            }
        };
        self.added.iter().fold(select, |select, Added { expr, name }| select.expr_as(expr, name))
    }

    /// The rows that match the filters.
    pub fn select(&self) -> Select {
        self.select_by(&[])
    }

    /// The rows that match the filters. The database may plan for the values of these columns.
    pub(crate) fn select_by(&self, by_value: &[String]) -> Select {
        self.select_all().and_all(self.conditions_by(by_value))
    }

    /// The rows along this access path. If a generic plan is right for it, the filters have the form that lets the
    /// database keep one: see [`Sql::signed`].
    pub(crate) fn select_along(&self, access: &AccessPath) -> Select {
        if access.generic_plan() {
            return self.select_all().and_all(self.conditions().map(|condition| condition.map(Sql::signed)));
        }
        self.select_by(access.by_value())
    }

    /// The order's columns of the filtered rows, each under its name.
    pub fn keys(&self, sorts: &[OrderColumn]) -> Select {
        self.keys_by(sorts, &[])
    }

    /// The same keys. The database may plan for the values of the columns `by_value`.
    pub(crate) fn keys_by(&self, sorts: &[OrderColumn], by_value: &[String]) -> Select {
        let keys = self.whole_table().and_all(self.conditions_by(by_value));
        sorts.iter().fold(keys, |keys, sort| keys.expr_as(&sort.expr, &sort.output))
    }

    pub fn primary_key(&self) -> Vec<Expr> {
        self.table.primary_key().map(|key| Term::of_table(self.table, key).expr()).collect()
    }

    /// The rows, with or without filters, whose primary key `keys` selects, each of its columns under a name: a deferred
    /// join, which finds the keys of a page in an index alone, and never reads the rows before the page.
    ///
    /// It is a LEFT JOIN so that a key with NULL, which equals no row's, leads to an error and not to a page without
    /// the row. All databases then start with the keys; in an inner join, SQLite may start with all rows, because it
    /// does not know how few keys there are.
    ///
    /// At a moment of the past it is the join of [`History`], which keeps both properties.
    pub(crate) fn of_keys(&self, keys: &Sql, names: impl Iterator<Item = String>) -> Select {
        let (join, operator) = self.moment.map_or((" LEFT JOIN ", "="), |(_, history)| (history.join, history.equal));
        let equal = |(column, name): (&Expr, String)| {
            let key = Sql::new(self.dialect).column(DERIVED, &name);
            Condition::comparison(operand(self.dialect, column), operator, &key)
        };
        let primary_key = self.primary_key();
        let on = Condition::all(primary_key.iter().zip(names).map(equal).chain(self.repeated()));
        let mut from = self.source(Sql::new(self.dialect).enclosed(keys).push(" AS ").name(DERIVED).push(join));
        if let Some(on) = on {
            from = from.push(" ON ").append(on.sql());
        }
        from.finds_keys_first = true;
        self.select_all().with_from(from)
    }

    /// The equalities of the filters, to repeat where the rows of found keys are read. They hold for these rows anyway.
    ///
    /// A server in front of several shards, such as Citus, looks for them there: without them, it asks every shard for
    /// the rows. Other filters are not repeated, because a subquery would run twice.
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
    use std::time::{Duration, UNIX_EPOCH};

    use sea_query::ExprTrait as _;

    use super::*;

    static TABLE: Table = Table::new("posts", &[], &[], &[]);

    #[test]
    fn the_moment_comes_before_the_index_and_the_values_of_filters() {
        let as_of = AsOf::new(UNIX_EPOCH + Duration::from_micros(7)).unwrap();
        let rows = |dialect| FilteredRows::new(dialect, &TABLE, vec![Expr::col("tenant").eq(3)], Vec::new(), &[]);
        let mut rows_then = rows(Dialect::MySql).read_at(as_of).unwrap();
        let of = |rows: &FilteredRows| {
            let select = rows.keys(&[]).column(|sql| sql.push("1")).hint(Some("by_tenant"));
            let BoundSql { sql, values, .. } = rows.statement(&select.sql(), PageValues::default());
            (sql.to_string(), values.0)
        };
        let text = "SELECT 1 FROM `posts` FOR SYSTEM_TIME AS OF TIMESTAMP FROM_UNIXTIME(? * 0.000001) \
                    FORCE INDEX (`by_tenant`) WHERE `tenant` = ?";
        assert_eq!(of(&rows_then), (text.to_owned(), vec![7_i64.into(), 3.into()]));
        rows_then.change_moment(AsOf::new(UNIX_EPOCH + Duration::from_micros(8)).unwrap());
        assert_eq!(of(&rows_then), (text.to_owned(), vec![8_i64.into(), 3.into()]));
        assert_eq!(rows_then.to_key(), rows(Dialect::MySql).to_key());

        let mut rows_now = rows(Dialect::MySql);
        rows_now.change_moment(as_of);
        assert_eq!(rows_now.as_of(), None);
        for dialect in [Dialect::Sqlite, Dialect::Postgres] {
            let error = rows(dialect).read_at(as_of).unwrap_err().to_string();
            assert!(error.starts_with("`as_of` needs MariaDB"), "{error}");
        }
    }

    #[test]
    fn a_plan_is_kept_by_a_plus_before_the_values_of_equalities() {
        let by_value = vec!["tenant".to_owned()];
        let kept = |generic_plan, filter: Expr| {
            let access = AccessPath::Sqlite { row_values: false, generic_plan, by_value: by_value.clone() };
            let rows = FilteredRows::new(Dialect::Sqlite, &TABLE, vec![filter], Vec::new(), &[]);
            let sql = rows.select_along(&access).sql().text();
            sql.split_once(" WHERE ").map(|(_, conditions)| conditions.to_owned()).unwrap_or_default()
        };
        let (tenant, other) = (|| Expr::col("tenant").eq(3), Expr::col("other").eq(3));
        assert_eq!(kept(true, tenant()), r#""tenant" = + ?"#);
        assert_eq!(kept(true, Expr::tuple([tenant()])), r#"("tenant" = + ?)"#);
        assert_eq!(kept(true, tenant().and(other)), r#""tenant" = + ? AND "other" = + ?"#);
        assert_eq!(kept(false, tenant()), r#""tenant" = ?"#);
        assert_eq!(kept(false, Expr::col("other").eq(3)), r#""other" = + ?"#);
        assert_eq!(kept(false, Expr::col("other").between(3, 4)), r#""other" BETWEEN + ? AND + ?"#);
        assert_eq!(kept(false, Expr::col("other").like("a%")), r#""other" LIKE ?"#);
    }
}
