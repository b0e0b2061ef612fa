//! The rows of a model's table that match a query's filters, and the statements that select them.

use std::borrow::Cow;
use std::convert::Infallible;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sea_query::{Expr, Value};

use super::bound::{BoundSql, PageValues, is_short};
use super::condition::{Condition, Joint, operand};
use super::select::{DERIVED, Select};
use super::total;
use crate::access::{AccessPath, Comparison, Comparisons, EqualityColumns};
use crate::cache::BoundedCache;
use crate::dialect::{ConstantShape, Dialect, Mark, Param, Sql, type_name};
use crate::order::OrderColumn;
use crate::schema::table::{Columns, Table};
use crate::schema::term::Term;
use crate::value::Variant;

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

/// The rows of a table that match filters: how they are read, and the values of the filters.
#[derive(Debug, Clone)]
pub struct FilteredRows {
    pub plan: Arc<RowsPlan>,
    /// The parameters of the request that values of the filters came from, for an error about one of these values.
    pub request_parameters: Vec<String>,
    /// The values of the filters.
    pub values: Vec<Value>,
}

/// How the rows of a list are read. All of its pages share it, so it has no values of the filters.
#[derive(Debug, Clone)]
pub struct RowsPlan {
    pub dialect: Dialect,
    pub table: &'static Table,
    /// What the filters say about columns, for the choice of an index.
    pub equality: EqualityColumns,
    pub(crate) comparisons: Comparisons,
    /// The filters, one after the other, and the order, as text with the numbers of their values.
    sql: Sql,
    /// Where each filter ends in that text, and how it is joined with others.
    ends: Vec<(Mark, Joint)>,
    /// The columns that are selected.
    pub(super) columns: &'static Columns,
    /// What is selected after them.
    added: Vec<Added>,
    /// Identifies the plan in the keys of templates; `None` if the plan is not cached.
    pub(super) number: Option<u64>,
}

/// What a list selects, and the conditions of its rows.
#[derive(Debug)]
pub struct RowsRequest<'a> {
    pub dialect: Dialect,
    pub table: &'static Table,
    /// The columns that are selected.
    pub columns: &'static Columns,
    /// What is selected after them, apart from what the order needs.
    pub added: Vec<Added>,
    pub filters: Vec<Expr>,
    /// More conditions, each with the expression that it was written from.
    pub conditions: Vec<(Expr, Condition)>,
    /// The order of the statements.
    pub orders: &'a [OrderColumn],
}

/// What a plan depends on besides the [`RowsRequest`]: how the list is paged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Paging {
    /// In no order.
    Unordered,
    /// By numbered pages.
    Numbered,
    /// In a [keyset order](crate::keyset::KeysetOrder).
    Keyset(u64),
    /// Like the plan with this number, whose rows it restricts further.
    Within(u64),
}

/// A list's plan is found by this. The derives make tables and columns constants; if a constant has several addresses,
/// each has plans of its own.
#[derive(Debug, PartialEq, Eq, Hash)]
struct PlanKey {
    dialect: Dialect,
    /// Of the table and of the row's columns.
    addresses: [usize; 2],
    paging: Paging,
    /// The conditions, the order and the added expressions, without placeholders.
    text: String,
    values: Vec<ConstantShape>,
}

static PLANS: BoundedCache<PlanKey, RowsPlan> = BoundedCache::new();

impl RowsRequest<'_> {
    /// The conditions and the order as text, in the order of a plan's values.
    fn sql(&self) -> Sql {
        let mut sql = Sql::new(self.dialect);
        for filter in &self.filters {
            sql = sql.expr(filter).push(",");
        }
        for (_, condition) in &self.conditions {
            sql = sql.append(condition.sql()).push(",");
        }
        with_orders(sql, self.orders)
    }
}

/// The text with an order after it. folio's names for the direction and the NULL position do as well as SQL, because the
/// text only has to differ.
fn with_orders(sql: Sql, orders: &[OrderColumn]) -> Sql {
    orders.iter().fold(sql, |sql, OrderColumn { expr, direction, nulls, .. }| {
        sql.expr(expr).push(&format!(" {direction:?} {nulls:?},"))
    })
}

impl FilteredRows {
    /// The rows of a list, by its plan if one of its pages has been read before.
    ///
    /// `complete` is only called for a new plan: it rejects an invalid list, and adds what the order needs to be selected.
    pub fn of_list<E>(
        mut request: RowsRequest<'_>,
        paging: Paging,
        complete: impl FnOnce(&mut RowsRequest<'_>) -> Result<(), E>,
    ) -> Result<Self, E> {
        let (mut text, shapes, values) = request.sql().into_parts();
        // The values of an order and of what is selected may occur in a statement more often than those of the filters.
        let mut is_cached = is_short(&text) && request.orders.iter().all(OrderColumn::is_column);
        if !request.added.is_empty() {
            let added = selected(request.dialect, &request.added);
            is_cached &= added.params().next().is_none();
            text.push_str(&added.text());
        }
        let key = PlanKey {
            dialect: request.dialect,
            addresses: [ptr::from_ref(request.table).addr(), ptr::from_ref(request.columns).addr()],
            paging,
            text,
            values: shapes,
        };
        if is_cached && let Some(plan) = PLANS.find(&key) {
            return Ok(Self { plan, values, request_parameters: Vec::new() });
        }
        complete(&mut request)?;
        let plan = RowsPlan::new(request);
        let plan = if is_cached { plan.kept(key) } else { Arc::new(plan) };
        Ok(Self { plan, values, request_parameters: Vec::new() })
    }

    /// The rows that match these filters.
    pub fn new(dialect: Dialect, table: &'static Table, filters: Vec<Expr>, orders: &[OrderColumn]) -> Self {
        let columns = &table.columns;
        let request =
            RowsRequest { dialect, table, columns, added: Vec::new(), filters, conditions: Vec::new(), orders };
        match Self::of_list(request, Paging::Unordered, |_| Ok::<_, Infallible>(())) {
            Ok(rows) => rows,
            Err(never) => match never {},
        }
    }

    /// All rows of the table, with or without the filters, and no columns yet.
    pub fn whole_table(&self) -> Select {
        Select::from(Sql::new(self.plan.dialect).table(self.plan.table))
    }

    /// Whether the model has a column of this name, and no other value of the result has the name.
    pub(crate) fn may_select(&self, name: &str) -> bool {
        let is_taken = |added: &Added| added.name == name && !matches!(added.expr, Expr::Column(_));
        self.plan.table.columns.has(name) && !self.plan.added.iter().any(is_taken)
    }

    /// Whether a row of the result has a column of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.plan.columns.has(name) || self.plan.added.iter().any(|added| added.name == name)
    }

    /// The rows that also match a condition, with the expression that it was written from. It comes after the filters,
    /// and before the order.
    pub fn and(&self, (expr, condition): (Expr, Condition)) -> Self {
        let (text, shapes, own) = condition.sql().clone().into_parts();
        let mut values = self.values.clone();
        let end = self.plan.ends.last().map_or(0, |(end, _)| end.params()).min(values.len());
        values.splice(end..end, own);
        let key = self.plan.number.filter(|_| is_short(&text)).map(|number| PlanKey {
            dialect: self.plan.dialect,
            addresses: [0; 2],
            paging: Paging::Within(number),
            text,
            values: shapes,
        });
        let plan = match key {
            Some(key) => PLANS.find(&key).unwrap_or_else(|| self.plan.and(&expr, &condition).kept(key)),
            None => Arc::new(self.plan.and(&expr, &condition)),
        };
        Self { plan, values, request_parameters: self.request_parameters.clone() }
    }

    /// The filters as conditions.
    fn conditions(&self) -> impl Iterator<Item = Condition> {
        self.plan.ends.iter().scan(Mark::default(), |start, (end, joint)| {
            Some(Condition::new(self.plan.sql.between(std::mem::replace(start, *end), *end), *joint))
        })
    }

    /// The filters, written so that no database plans for the compared values, except those of the columns `by_value`.
    fn conditions_by(&self, by_value: &[String]) -> impl Iterator<Item = Condition> {
        self.conditions().map(|condition| match by_value.iter().any(|name| condition.sql().has_word(name)) {
            true => condition,
            false => condition.map(Sql::with_signed_comparisons),
        })
    }

    /// The conditions and their values, as text that differs if they do. A feed of one group has the text of a filter
    /// by the group's value.
    pub fn to_key(&self) -> String {
        let text = self.plan.dialect.with_types(self.plan.sql.unsigned_text(), self.values.iter().map(type_name));
        format!("{:?}", (text, &self.values))
    }

    /// The statement of a select of these rows, without a template because it is rarely needed.
    pub fn statement(&self, sql: &Sql, page: PageValues<'_>) -> BoundSql {
        BoundSql::of_sql(sql, &self.values, page)
    }

    /// The statement of the most frequent values of a column: see `total::by_value`.
    pub fn count_by(&self, column: &Expr, variant: Variant, limit: u64) -> BoundSql {
        self.statement(&total::by_value(self.select(), column, variant, limit).sql(), PageValues::default())
    }

    /// The literal limit of a statement that reads at most `rows` rows: see
    /// [`Facts::literal_limit`](crate::dialect::Facts::literal_limit). It is only of use with a [generic
    /// plan](Self::generic_plan).
    pub(crate) fn literal_limit(&self, rows: u64) -> Option<u64> {
        self.plan.dialect.facts().literal_limit.filter(|limit| self.plan.number.is_some() && rows <= *limit)
    }

    /// Whether a generic plan is right for the query: it is right for the access path, or the filters have no values.
    /// Otherwise, one value may match many rows and another only a few, which need different plans.
    pub(crate) fn generic_plan(&self, of_access: bool) -> bool {
        of_access || self.values.is_empty()
    }

    /// Selects the row type's columns of all rows of the table.
    pub(crate) fn select_all(&self) -> Select {
        let select = self.whole_table();
        let select = match self.plan.columns {
            Columns::All(_) => select.column(|sql| sql.star(self.plan.table)),
            Columns::Named(fields) => {
                fields.iter().fold(select, |select, field| select.column(|sql| sql.name(field.column)))
            }
        };
        self.plan.added.iter().fold(select, |select, Added { expr, name }| select.expr_as(expr, name))
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
        self.plan.table.primary_key().map(|key| Term::of_table(self.plan.table, key).expr()).collect()
    }

    /// The rows, with or without filters, whose primary key `keys` selects, each of its columns under a name: a deferred
    /// join, which finds the keys of a page in an index alone, and never reads the rows before the page.
    ///
    /// It is a LEFT JOIN so that a key with NULL, which equals no row's, leads to an error and not to a page without
    /// the row. All databases then start with the keys; in an inner join, SQLite may start with all rows, because it
    /// does not know how few keys there are.
    pub(crate) fn of_keys(&self, keys: &Sql, names: impl Iterator<Item = String>) -> Select {
        let equal = |(column, name): (&Expr, String)| {
            let key = Sql::new(self.plan.dialect).column(DERIVED, &name);
            Condition::comparison(operand(self.plan.dialect, column), "=", &key)
        };
        let primary_key = self.primary_key();
        let on = Condition::all(primary_key.iter().zip(names).map(equal).chain(self.repeated()));
        let keys = Sql::new(self.plan.dialect).enclosed(keys).push(" AS ").name(DERIVED);
        let mut from = keys.push(" LEFT JOIN ").table(self.plan.table);
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
        if !self.plan.dialect.facts().finds_shards_by_equalities {
            return Vec::new();
        }
        let repeat = |equal: &Comparison| {
            let value = Sql::new(self.plan.dialect).param(Param::Filter(equal.place));
            Condition::comparison(operand(self.plan.dialect, &equal.column), "=", &value)
        };
        self.plan.comparisons.columns.iter().map(repeat).collect()
    }
}

impl RowsPlan {
    fn new(RowsRequest { dialect, table, columns, added, filters, conditions, orders }: RowsRequest<'_>) -> Self {
        let (mut sql, mut ends) = (Sql::new(dialect), Vec::new());
        let (mut equality, mut comparisons) = (EqualityColumns::default(), Comparisons::default());
        let filters = filters.into_iter().map(|filter| {
            let condition = Condition::of(dialect, &filter);
            (filter, condition)
        });
        for (expr, condition) in filters.chain(conditions) {
            sql = sql.append(condition.sql());
            ends.push((sql.mark(), condition.joint()));
            equality.add(&expr, condition.sql().text());
            comparisons.add(dialect, &expr);
        }
        let sql = numbered(with_orders(sql, orders));
        Self { dialect, table, equality, comparisons, sql, ends, columns, added, number: None }
    }

    /// The plan of the rows that also match a condition.
    fn and(&self, expr: &Expr, condition: &Condition) -> Self {
        let end = self.ends.last().map_or_else(Mark::default, |(end, _)| *end);
        let filters = self.sql.between(Mark::default(), end).append(condition.sql());
        let mut plan = Self { number: None, ..self.clone() };
        plan.ends.push((filters.mark(), condition.joint()));
        plan.equality.add(expr, condition.sql().text());
        plan.comparisons.add(self.dialect, expr);
        plan.sql = numbered(filters.append(&self.sql.between(end, self.sql.mark())));
        plan
    }

    /// Keeps the plan, and gives it a number.
    fn kept(self, key: PlanKey) -> Arc<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let size = self.size().saturating_add(key.text.len());
        PLANS.insert(key, Self { number: Some(NEXT.fetch_add(1, Ordering::Relaxed)), ..self }, size)
    }

    /// About how much memory it takes, in bytes.
    fn size(&self) -> usize {
        let texts = self.equality.filters.iter().map(String::len).fold(0, usize::saturating_add);
        size_of::<Self>().saturating_add(texts.saturating_mul(8)).saturating_add(self.added.len().saturating_mul(512))
    }
}

/// The text with the numbers of its values in their places.
fn numbered(sql: Sql) -> Sql {
    let mut values = 0..;
    sql.with_params(|param| match param {
        Param::Constant(_) | Param::Filter(_) => Param::Filter(values.next().unwrap_or_default()),
        param => param,
    })
}

/// What is selected after a row's columns, as text.
fn selected(dialect: Dialect, added: &[Added]) -> Sql {
    let write = |sql: Sql, Added { expr, name }: &Added| sql.expr(expr).push(" AS ").name(name).push(",");
    added.iter().fold(Sql::new(dialect), write)
}

#[cfg(test)]
#[cfg(all(feature = "sqlite", feature = "postgres", feature = "mysql"))]
mod tests {
    use sea_query::ExprTrait as _;

    use super::*;

    static TABLE: Table = Table::new("posts", &[], &[], &[]);

    #[test]
    fn lists_share_a_plan_unless_their_text_differs() {
        let request = |dialect, filters, added: &[&'static str]| {
            let added = added.iter().map(|sql| Added { expr: Expr::cust(*sql), name: "added".into() }).collect();
            let (table, columns) = (&TABLE, &TABLE.columns);
            RowsRequest { dialect, table, columns, added, filters, conditions: Vec::new(), orders: &[] }
        };
        let planned = |request, paging| FilteredRows::of_list::<()>(request, paging, |_| Ok(())).unwrap();
        let paging = Paging::Keyset(u64::MAX);
        let tenant = |dialect, value: i32| request(dialect, vec![Expr::col("tenant").eq(value)], &["1"]);
        let (first, next) = (planned(tenant(Dialect::Sqlite, 3), paging), planned(tenant(Dialect::Sqlite, 4), paging));
        assert!(Arc::ptr_eq(&first.plan, &next.plan));
        assert_eq!((first.values, next.values), (vec![3.into()], vec![4.into()]));
        let sign = |condition: Condition| condition.map(Sql::signed);
        let signed = sign(Condition::of(Dialect::Sqlite, &Expr::col("tenant").eq(3)));
        let others = [
            (tenant(Dialect::MySql, 3), paging),
            (tenant(Dialect::Sqlite, 3), Paging::Numbered),
            (request(Dialect::Sqlite, vec![Expr::col("tenant").eq(3_i64)], &["1"]), paging),
            (request(Dialect::Sqlite, vec![Expr::col("tenant").ne(3)], &["1"]), paging),
            (request(Dialect::Sqlite, vec![Expr::col("tenant").eq(3)], &["2"]), paging),
            (
                RowsRequest {
                    conditions: vec![(Expr::col("tenant").eq(3), signed)],
                    ..request(Dialect::Sqlite, Vec::new(), &["1"])
                },
                paging,
            ),
        ];
        for (at, (request, paging)) in others.into_iter().enumerate() {
            assert!(!Arc::ptr_eq(&first.plan, &planned(request, paging).plan), "{at}");
        }
    }

    #[test]
    fn a_plan_is_kept_by_a_plus_before_the_values_of_equalities() {
        let by_value = vec!["tenant".to_owned()];
        let kept = |generic_plan, filter: Expr| {
            let access = AccessPath::Sqlite { row_values: false, generic_plan, by_value: by_value.clone() };
            let rows = FilteredRows::new(Dialect::Sqlite, &TABLE, vec![filter], &[]);
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
