//! How a select becomes a statement: its text, and the values bound to its parameters.
//!
//! A query sends the same text for each of its pages; only the limit, the offset and the boundary differ. So the text
//! is made once and cached as a template, which knows for each parameter where its value comes from. Callers do not see
//! that: they describe a page's select, and get a statement with its values.

mod placeholders;
mod query_text;

use std::ops::Range;
use std::sync::Arc;

use sea_query::{SelectStatement, Value, Values};

use self::placeholders::{Param, Placeholders};
pub(crate) use self::query_text::{PageSelect, PageValues, QueryText};
use self::query_text::{TextKey, is_short};
use crate::cache::BoundedCache;
use crate::dialect::Dialect;
use crate::value::bind::CallerValue;

/// A statement with its values, ready to be run.
#[derive(Debug, Clone)]
pub(crate) struct BoundSql {
    pub(crate) sql: Arc<str>,
    pub(crate) values: Values,
    /// The values of SQL text that a caller wrote, if it is part of the statement.
    pub(crate) caller: Option<CallerValues>,
    /// Whether its text will be sent again, even if it is long.
    pub(crate) is_repeated: bool,
    /// Whether it selects `*`, so that a migration may change its columns while its text stays the same.
    pub(crate) selects_star: bool,
    /// Whether equal values share a parameter, because the statement would have too many.
    pub(crate) shares_parameters: bool,
}

/// The caller's values in a statement, and their positions among folio's own.
#[derive(Debug, Clone, Default)]
pub(crate) struct CallerValues {
    pub(crate) values: Arc<[CallerValue]>,
    /// For each copy of a text: how many of folio's values come before it, and which of the caller's it binds.
    pub(crate) copies: Vec<(usize, Range<usize>)>,
}

impl BoundSql {
    /// A statement without a caller's text.
    pub(crate) fn new(sql: impl Into<Arc<str>>, values: Values) -> Self {
        let sql = sql.into();
        Self { sql, values, caller: None, is_repeated: false, selects_star: false, shares_parameters: false }
    }

    /// The statement of a select that is not worth a template.
    pub(crate) fn of(dialect: Dialect, select: &SelectStatement) -> Self {
        let (mut sql, mut values) = dialect.render(select, &|_| None);
        let shares_parameters = values.0.len() > dialect.facts().max_parameters;
        if shares_parameters {
            (sql, values) = dialect.render_shared(select);
        }
        let selects_star = selects_star_of_table(&sql);
        Self { selects_star, shares_parameters, ..Self::new(dialect.with_types(sql, &values.0), values) }
    }

    pub(crate) fn with_caller(self, caller: CallerValues) -> Self {
        Self { caller: Some(caller), ..self }
    }

    /// The same statement, marked as one that will be sent again even if it is long. On MySQL and MariaDB, an unnamed
    /// statement costs 40 ms: the driver closes it without waiting for a response, which delays the next statement on
    /// the network.
    pub(crate) fn repeated(self) -> Self {
        Self { is_repeated: true, ..self }
    }

    /// Whether it has as many parameters as a statement may have, or fewer, and the database finds them fast.
    pub(crate) fn fits(&self, dialect: Dialect) -> bool {
        if self.shares_parameters && !dialect.facts().finds_parameters_fast {
            return false;
        }
        let callers = self.caller.iter().flat_map(|caller| &caller.copies).map(|(_, values)| values.len());
        callers.fold(self.values.0.len(), usize::saturating_add) <= dialect.facts().max_parameters
    }

    /// Whether to name the statement, so that server and driver cache it. Large ones are rarely sent again.
    pub(crate) fn is_worth_persisting(&self) -> bool {
        self.is_repeated || is_short(&self.sql)
    }
}

/// Whether a statement of folio's selects all columns of a table. It writes a `*` without a table for those of a derived
/// table, which the statement names itself.
fn selects_star_of_table(sql: &str) -> bool {
    sql.contains(".*")
}

/// Whether a caller's SQL may select `*`.
pub(crate) fn may_select_star(sql: &str) -> bool {
    sql.matches('*').count() > sql.matches("(*)").count()
}

/// The templates of all queries, by the form of the statement.
///
/// `F` is everything that a statement's text depends on, except for the query.
#[derive(Debug)]
pub(crate) struct Templates<F>(BoundedCache<(TextKey, F), Option<SqlTemplate>>);

/// The estimated size of a cached template in bytes, without its texts.
const ENTRY_SIZE: usize = 256;

impl<F: std::hash::Hash + Eq> Templates<F> {
    pub(crate) const fn new() -> Self {
        Self(BoundedCache::new())
    }

    /// The statement of one page. `select` is only called if there is no template of this form yet.
    pub(crate) fn statement(
        &self,
        query: &QueryText,
        form: F,
        page: PageValues<'_>,
        select: &PageSelect<'_>,
    ) -> BoundSql {
        match self.template(query, form, page, select).as_deref() {
            Some(Some(template)) => template.bind(query, page),
            _ => BoundSql::of(query.dialect, &select(page)),
        }
    }

    /// The cached template of this form, which is created if it does not exist. Some selects have none.
    fn template(
        &self,
        query: &QueryText,
        form: F,
        page: PageValues<'_>,
        select: &PageSelect<'_>,
    ) -> Option<Arc<Option<SqlTemplate>>> {
        let key = query.is_cached.then(|| (query.template_key(), form))?;
        Some(self.0.get(key, || cache_entry(query, page, select)))
    }
}

/// The template of a select, if it can have one, and the memory that the cache needs for it, in bytes.
fn cache_entry(query: &QueryText, page: PageValues<'_>, select: &PageSelect<'_>) -> (Option<SqlTemplate>, usize) {
    let template = SqlTemplate::new(query, page, select);
    let size = template.as_ref().map_or(0, SqlTemplate::size);
    (template, size.saturating_add(query.sql.len()).saturating_add(ENTRY_SIZE))
}

/// The text of a statement, and where the value of each parameter comes from.
#[derive(Debug)]
struct SqlTemplate {
    sql: Arc<str>,
    params: Vec<Param>,
    selects_star: bool,
}

impl SqlTemplate {
    /// The template of a select; `None` if it has a value that is neither a page's nor, in their order, the filters'.
    fn new(query: &QueryText, page: PageValues<'_>, select: &PageSelect<'_>) -> Option<Self> {
        let (sql, params) = Placeholders::unlike(query, page).render(select)?;
        let selects_star = selects_star_of_table(&sql);
        let sql = query.dialect.with_types(sql, &values_of(&params, query, page));
        Some(Self { sql: sql.into(), params, selects_star })
    }

    fn bind(&self, query: &QueryText, page: PageValues<'_>) -> BoundSql {
        let values = Values(values_of(&self.params, query, page));
        BoundSql { selects_star: self.selects_star, ..BoundSql::new(self.sql.clone(), values) }
    }

    /// About how much memory it takes, in bytes.
    fn size(&self) -> usize {
        self.sql.len().saturating_add(self.params.len().saturating_mul(size_of::<Param>()))
    }
}

fn values_of(params: &[Param], query: &QueryText, page: PageValues<'_>) -> Vec<Value> {
    params.iter().filter_map(|param| param.value(&query.filter_values, page)).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use sea_query::{Expr, ExprTrait as _, Query};

    use super::*;
    use crate::boundary::Bound;
    use crate::schema::table::Table;

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
            let BoundSql { sql, values, .. } = templates.statement(&query, (), page, &select);
            (sql.to_string(), values.0)
        })
    }

    #[test]
    fn any_value_of_a_filter_is_bound_unchanged() {
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
            templates.statement(&query, (), PageValues::default(), &select).values.0
        };
        assert_eq!(of(7), [1, 0, 7].map(Value::from));
        assert_eq!(of(7), [1, 0, 7].map(Value::from));
    }

    /// Builds the page's select, and counts how often it is called.
    fn counted<'a>(filters: &'a [Expr], calls: &'a Cell<usize>) -> impl Fn(PageValues<'_>) -> SelectStatement + 'a {
        move |page| {
            calls.set(calls.get().saturating_add(1));
            let mut select = Query::select().column("id").from("posts").limit(page.limit).take();
            for filter in filters {
                select.and_where(filter.clone());
            }
            select
        }
    }

    #[test]
    fn a_select_can_have_the_filters_values_in_any_order() {
        let templates = Templates::new();
        let of = |author: i32, kind: i32| {
            let filters = [Expr::col("author").eq(author), Expr::col("kind").eq(kind)];
            let query = QueryText::new(Dialect::Sqlite, &TABLE, &filters, &[]);
            let select = |page: PageValues<'_>| {
                let [author, kind] = page.filters else { panic!("two values") };
                let range = Expr::col("author").between(author.clone(), author.clone());
                let kind = Expr::col("kind").eq(kind.clone());
                Query::select().column("id").from("posts").and_where(kind).and_where(range).take()
            };
            templates.statement(&query, (), query.values(PageValues::default()), &select).values.0
        };
        for (author, kind) in [(7, 7), (1, 2), (2, 1)] {
            assert_eq!(of(author, kind), [kind, author, author].map(Value::from));
        }
    }

    #[test]
    fn a_select_is_written_once_for_all_pages() {
        let (templates, calls) = (Templates::new(), Cell::new(0));
        let filters = [Expr::col("author").eq(7)];
        let query = QueryText::new(Dialect::Sqlite, &TABLE, &filters, &[]);
        let select = counted(&filters, &calls);
        let of = |limit| templates.statement(&query, "page", PageValues { limit, ..PageValues::default() }, &select);
        let (first, second) = (of(15), of(20));
        assert_eq!(calls.get(), 1);
        assert!(Arc::ptr_eq(&first.sql, &second.sql));
        assert_eq!(second.values.0, [7.into(), 20_u64.into()]);
        templates.statement(&query, "other page", PageValues::default(), &select);
        assert_eq!(calls.get(), 2);
    }

    #[test]
    fn a_long_text_has_neither_template_nor_name() {
        let (templates, calls) = (Templates::new(), Cell::new(0));
        let filters = [Expr::col("author").is_in(0..5_000)];
        let query = QueryText::new(Dialect::Sqlite, &TABLE, &filters, &[]);
        let select = counted(&filters, &calls);
        let of = || templates.statement(&query, (), PageValues::default(), &select);
        let (first, second) = (of(), of());
        assert_eq!((calls.get(), first.values.0.len()), (2, 5_001));
        assert!(!Arc::ptr_eq(&first.sql, &second.sql));
        assert!(!first.is_worth_persisting());
        assert!(second.repeated().is_worth_persisting());
        assert!(
            BoundSql::of(Dialect::Sqlite, &Query::select().column("id").from("posts").take()).is_worth_persisting()
        );
    }

    #[test]
    fn the_cache_knows_how_much_memory_a_template_takes() {
        let filters = [Expr::col("author").is_in(0..500)];
        let query = QueryText::new(Dialect::Sqlite, &TABLE, &filters, &[]);
        let (template, size) = cache_entry(&query, PageValues::default(), &counted(&filters, &Cell::new(0)));
        let template = template.expect("every value is a filter's or the page's");
        let texts = template.sql.len() + query.sql.len();
        assert!(size < texts + 501 * 64 + 1_024, "{size} bytes, of which {texts} are texts");
        assert!(size >= texts + 501 * size_of::<Param>());
    }
}
