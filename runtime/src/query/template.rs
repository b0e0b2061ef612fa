//! How a select becomes a statement: its text, and the values bound to its parameters.
//!
//! A query sends the same text for each of its pages; only the limit, the offset and the boundary differ. So the text
//! is made once and cached as a template, which knows for each parameter where its value comes from. Callers do not see
//! that: they describe a page's select, and get a statement with its values.

use std::sync::Arc;

use sea_query::{Expr, SelectStatement, Value, Values};

use crate::cache::BoundedCache;
use crate::dialect::{Dialect, Rendered, SortBy};
use crate::model::table::Table;
use crate::query::order_column::OrderColumn;
use crate::query::predicate::Bound;
use crate::query::raw_sql::{CallerValues, SqlSource};
use crate::value;

/// A statement with its values, ready to be run.
#[derive(Debug, Clone)]
pub(crate) struct BoundSql {
    pub(crate) sql: Arc<str>,
    pub(crate) values: Values,
    /// The values of SQL text that a caller wrote, if it is part of the statement.
    pub(crate) caller: Option<CallerValues>,
    /// Whether its text is sent again even if it is long.
    pub(crate) is_repeated: bool,
}

impl BoundSql {
    /// The statement of a select that is not worth a template.
    pub(crate) fn of(dialect: Dialect, select: &SelectStatement) -> Self {
        let (sql, values) = dialect.render(select, |_| None);
        Self { sql: dialect.with_types(sql, &values.0).into(), values, caller: None, is_repeated: false }
    }

    /// The same statement, whose text is sent again even if it is long. An unnamed statement costs MySQL and MariaDB 40 ms,
    /// because the driver closes it without waiting, and the next one waits for the network.
    pub(crate) fn repeated(self) -> Self {
        Self { is_repeated: true, ..self }
    }

    /// Whether to name the statement, so that server and driver cache it. Large ones are rarely sent again.
    pub(crate) fn is_worth_a_name(&self) -> bool {
        self.is_repeated || self.sql.len() <= LARGEST_TEXT
    }
}

/// How selects become statements, if they read from SQL text of a caller's or need no template.
#[derive(Debug, Clone)]
pub(crate) struct Renderer {
    pub(crate) dialect: Dialect,
    /// The text that replaces the markers in the selects.
    pub(crate) source: Option<Arc<SqlSource>>,
}

impl Renderer {
    pub(crate) fn statement(&self, select: &SelectStatement) -> BoundSql {
        let Some(source) = &self.source else { return BoundSql::of(self.dialect, select) };
        let Rendered { mut sql, values, copies } = self.dialect.render_with_text(select, &**source);
        if let Some(with) = source.with(copies.len()) {
            // One WITH clause has the caller's expressions and folio's.
            sql = match sql.strip_prefix("WITH ") {
                Some(rest) => format!("{with}, {rest}"),
                None => format!("{with} {sql}"),
            };
        }
        let sql = self.dialect.with_types_of(sql, source.types(), &values.0);
        BoundSql { sql: sql.into(), values, caller: Some(source.values(copies)), is_repeated: false }
    }
}

/// The values that differ from one page of a query to the next.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PageValues<'a> {
    pub(crate) boundary: &'a [Bound<'a>],
    /// The values of the groups that a feed reads.
    pub(crate) groups: &'a [Value],
    pub(crate) limit: u64,
    pub(crate) offset: u64,
    /// A limit of an inner select that is written into the text: see [`Dialect::cached_plan_limit`].
    pub(crate) inner_limit: Option<u64>,
    /// Where a count of the rows ends, if it need not count them all.
    pub(crate) count_limit: Option<u64>,
    /// A limit of 1, which is written into the text as `inner_limit` is. `None` outside of a template.
    pub(crate) one: Option<u64>,
}

/// A model's query as its templates see it: what it adds to its table, as text, and the values in that text.
#[derive(Debug, Clone)]
pub(crate) struct QueryText {
    dialect: Dialect,
    /// Where the table is in memory. There is one for each model; a copy has templates of its own.
    table: usize,
    sql: Arc<str>,
    /// The values of the filters, in the order in which each statement has them.
    filter_values: Vec<Value>,
    is_cached: bool,
}

impl QueryText {
    pub(crate) fn new(dialect: Dialect, table: &'static Table, filters: &[Expr], orders: &[OrderColumn]) -> Self {
        let sorts: Vec<SortBy<'_>> = orders.iter().map(|order| (&order.expr, order.direction, order.nulls)).collect();
        let (sql, filter_values) = dialect.render_conditions(filters, &sorts);
        // The values of an order may occur in a statement more often than those of the filters.
        let is_cached = sql.len() <= LARGEST_TEXT
            && orders.iter().all(|order| !order.is_computed && matches!(order.expr, Expr::Column(_)));
        Self { dialect, table: std::ptr::from_ref(table).addr(), sql: sql.into(), filter_values, is_cached }
    }

    /// The conditions and their values, as text that differs if they do.
    pub(crate) fn to_key(&self) -> String {
        format!("{:?}", (&self.sql, &self.filter_values))
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The inner limit of a statement that reads at most `rows` rows: see [`Dialect::cached_plan_limit`].
    ///
    /// None if the filters have values: one value may match many rows and another only a few, which need different
    /// plans.
    pub(crate) fn inner_limit(&self, rows: u64) -> Option<u64> {
        let has_values = !self.filter_values.is_empty() || !self.is_cached;
        self.dialect.cached_plan_limit().filter(|limit| !has_values && rows <= *limit)
    }
}

/// The longest text that is cached, or given a name on the server, in bytes. A longer one is hardly ever sent again.
const LARGEST_TEXT: usize = 8 * 1024;

/// The templates of all queries, by the form of the statement.
///
/// `F` is everything but the query that a statement's text depends on.
#[derive(Debug)]
pub(crate) struct Templates<F>(BoundedCache<(TextKey, F), Option<SqlTemplate>>);

/// The part of a [`QueryText`] that a template depends on.
type TextKey = (Dialect, usize, Arc<str>);

/// What a cached template takes beside its texts, in bytes: an estimate.
const ENTRY_SIZE: usize = 256;

impl<F: std::hash::Hash + Eq> Templates<F> {
    pub(crate) const fn new() -> Self {
        Self(BoundedCache::new())
    }

    /// The statement of one page. `select` describes it from a page's values. It is only called if there is no
    /// template of this form yet, and may then get placeholders instead of the values.
    pub(crate) fn statement(
        &self,
        query: &QueryText,
        form: F,
        page: PageValues<'_>,
        select: impl Fn(PageValues<'_>) -> SelectStatement,
    ) -> BoundSql {
        if query.is_cached {
            let make = || {
                let template = SqlTemplate::new(query, page, &select);
                let size = template.as_ref().map_or(0, SqlTemplate::size);
                (template, size.saturating_add(query.sql.len()).saturating_add(ENTRY_SIZE))
            };
            let key = (query.dialect, query.table, query.sql.clone());
            if let Some(template) = &*self.0.get((key, form), make) {
                return template.bind(&query.filter_values, page);
            }
        }
        BoundSql::of(query.dialect, &select(page))
    }
}

/// The text of a statement, and where the value of each parameter comes from.
#[derive(Debug)]
struct SqlTemplate {
    sql: Arc<str>,
    params: Vec<Param>,
}

/// Where the value of a parameter comes from.
#[derive(Debug, Clone, Copy)]
enum Param {
    Filter(usize),
    Boundary(usize),
    Group(usize),
    Limit,
    Offset,
    CountLimit,
}

impl SqlTemplate {
    /// The template of a select; `None` if it has a value that is neither a page's nor, in their order, the filters'.
    fn new(
        query: &QueryText,
        page: PageValues<'_>,
        select: impl Fn(PageValues<'_>) -> SelectStatement,
    ) -> Option<Self> {
        let placeholders = Placeholders::unlike(&query.filter_values, page);
        let select = placeholders.fill(page, select);
        let literal = |value: &Value| match value {
            Value::BigUnsigned(Some(number)) if *number == placeholders.one => Some(1),
            value => page.inner_limit.filter(|_| *value == Value::from(placeholders.inner_limit)),
        };
        let (sql, values) = query.dialect.render(&select, literal);
        let mut filters = query.filter_values.iter().enumerate().cycle();
        let param = |value: &Value| {
            placeholders.param(value).or_else(|| {
                let (at, filter) = filters.next()?;
                (filter == value).then_some(Param::Filter(at))
            })
        };
        let params: Vec<Param> = values.iter().map(param).collect::<Option<_>>()?;
        let mut template = Self { sql: "".into(), params };
        let bound = template.bind(&query.filter_values, page);
        template.sql = query.dialect.with_types(sql, &bound.values.0).into();
        Some(template)
    }

    fn bind(&self, filter_values: &[Value], page: PageValues<'_>) -> BoundSql {
        let value = |param: &Param| match *param {
            Param::Filter(at) => filter_values.get(at).cloned(),
            Param::Boundary(at) => page.boundary.get(at).map(|bound| bound.value.clone()),
            Param::Group(at) => page.groups.get(at).cloned(),
            Param::Limit => Some(Value::from(page.limit)),
            Param::Offset => Some(Value::from(page.offset)),
            Param::CountLimit => page.count_limit.map(Value::from),
        };
        let values = Values(self.params.iter().filter_map(value).collect());
        BoundSql { sql: self.sql.clone(), values, caller: None, is_repeated: false }
    }

    /// About how much memory it takes, in bytes.
    fn size(&self) -> usize {
        self.sql.len().saturating_add(self.params.len().saturating_mul(size_of::<Param>()))
    }
}

/// Placeholders for a page's values while its template is made. No value of the filters equals one of them, so they
/// cannot be confused.
#[derive(Debug)]
struct Placeholders {
    limit: u64,
    offset: u64,
    inner_limit: u64,
    count_limit: u64,
    one: u64,
    boundary: Vec<Value>,
    groups: Vec<Value>,
}

impl Placeholders {
    /// Placeholders for a page of a query whose filters have these values.
    fn unlike(filter_values: &[Value], page: PageValues<'_>) -> Self {
        let mut free = (0..=u64::MAX).rev().filter(|number| !filter_values.contains(&Value::from(*number)));
        // There are more numbers than values.
        let mut number = || free.next().unwrap_or_default();
        let [limit, offset, inner_limit, count_limit, one] = [(); 5].map(|()| number());
        let groups = page.groups.iter().map(|_| Value::from(number())).collect();
        // NULL is part of the text: a condition says IS NULL.
        let placeholder = |bound: &Bound<'_>| match value::is_null(bound.value) {
            true => bound.value.clone(),
            false => Value::from(number()),
        };
        let boundary = page.boundary.iter().map(placeholder).collect();
        Self { limit, offset, inner_limit, count_limit, one, boundary, groups }
    }

    /// The select of a page with the placeholders in it.
    fn fill(&self, page: PageValues<'_>, select: impl Fn(PageValues<'_>) -> SelectStatement) -> SelectStatement {
        let bounds = page.boundary.iter().zip(&self.boundary);
        let boundary: Vec<_> = bounds.map(|(bound, value)| Bound { value, ..*bound }).collect();
        let inner_limit = page.inner_limit.map(|_| self.inner_limit);
        let count_limit = page.count_limit.map(|_| self.count_limit);
        let (groups, one) = (&*self.groups, Some(self.one));
        let Self { limit, offset, .. } = *self;
        select(PageValues { boundary: &boundary, groups, limit, offset, inner_limit, count_limit, one })
    }

    /// The parameter of a placeholder; `None` for any other value.
    fn param(&self, value: &Value) -> Option<Param> {
        match value {
            Value::BigUnsigned(Some(number)) if *number == self.limit => Some(Param::Limit),
            Value::BigUnsigned(Some(number)) if *number == self.offset => Some(Param::Offset),
            Value::BigUnsigned(Some(number)) if *number == self.count_limit => Some(Param::CountLimit),
            Value::BigUnsigned(Some(_)) => {
                let place = |placeholders: &[Value]| placeholders.iter().position(|placeholder| placeholder == value);
                place(&self.boundary).map(Param::Boundary).or_else(|| place(&self.groups).map(Param::Group))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use sea_query::{ExprTrait as _, Query};

    use super::*;

    static TABLE: Table = Table::new("posts", &[], &[], &[]);

    /// A page of the rows whose `author` is one of the values and whose `id` is above the boundary, twice: as its
    /// template is made, and from the template.
    fn statements(authors: [u64; 2], above: u64, limit: u64) -> [(String, Vec<Value>); 2] {
        let templates: Templates<()> = Templates::new();
        let filters = [Expr::col("author").is_in(authors)];
        let query = QueryText::new(Dialect::Sqlite, &TABLE, &filters, &[]);
        let above = Value::from(above);
        let boundary = [Bound { value: &above, cast: None }];
        let page = PageValues { boundary: &boundary, limit, ..PageValues::default() };
        let select = |page: PageValues<'_>| {
            let above = page.boundary.iter().map(|bound| Expr::col("id").gt(bound.expr()));
            let mut select = Query::select().column("id").from("posts").limit(page.limit).take();
            for condition in filters.iter().cloned().chain(above) {
                select.and_where(condition);
            }
            select
        };
        [(); 2].map(|()| {
            let BoundSql { sql, values, .. } = templates.statement(&query, (), page, select);
            (sql.to_string(), values.0)
        })
    }

    #[test]
    fn any_value_of_a_filter_is_bound_as_it_is() {
        for authors in [[1, 2], [u64::MAX, 0], [u64::MAX - 1, u64::MAX], [u64::MAX - 2, u64::MAX - 3], [7, 7]] {
            for (above, limit) in [(5, 15), (u64::MAX, 15), (authors[0], authors[1]), (15, 15)] {
                for (sql, values) in statements(authors, above, limit) {
                    assert_eq!(sql, r#"SELECT "id" FROM "posts" WHERE "author" IN (?, ?) AND "id" > ? LIMIT +?"#);
                    assert_eq!(values, [authors[0], authors[1], above, limit].map(Value::from));
                }
            }
        }
    }

    #[test]
    fn a_constant_is_not_mistaken_for_a_filters_value() {
        let templates: Templates<()> = Templates::new();
        let filters = [Expr::col("author").eq(7)];
        let query = QueryText::new(Dialect::Sqlite, &TABLE, &filters, &[]);
        let of = |author: i32| {
            let select = |_: PageValues<'_>| {
                Query::select()
                    .column("id")
                    .from("posts")
                    .and_where(Expr::val(1).eq(0))
                    .and_where(filters[0].clone())
                    .take()
            };
            let query = QueryText { filter_values: vec![author.into()], ..query.clone() };
            templates.statement(&query, (), PageValues::default(), select).values.0
        };
        assert_eq!(of(7), [1, 0, 7].map(Value::from));
        assert_eq!(of(7), [1, 0, 7].map(Value::from));
    }
}
