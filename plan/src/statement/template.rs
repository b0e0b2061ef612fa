//! How a statement gets its text, and the values bound to its parameters.
//!
//! A query sends the same text for each of its pages; only the limit, the offset and the boundary differ. So the text
//! is written once and cached as a template, with the source of each parameter's value. Callers do not see that: they
//! say how a page's SQL is written, and get a statement with its values.

use std::sync::Arc;

use sea_query::Values;

pub use super::bound::{BoundSql, CallerValues, OpaqueValue, PageValues};
pub(crate) use super::bound::{LARGEST_TEXT, may_select_star};
use super::filtered::FilteredRows;
use crate::cache::BoundedCache;
use crate::dialect::{Param, Sql, type_name};

/// The templates of all lists, by the number of their plan and the form of the statement.
///
/// `F` is everything that a statement's text depends on, except for the plan.
#[derive(Debug)]
pub struct Templates<F>(BoundedCache<(u64, F), Template>);

/// The estimated size of a cached template in bytes, without its text.
const ENTRY_SIZE: usize = 256;

impl<F: std::hash::Hash + Eq> Templates<F> {
    #[expect(clippy::new_without_default, reason = "caches are static, and `default` is not const")]
    pub const fn new() -> Self {
        Self(BoundedCache::new())
    }

    /// The statement of a page, from a template if the list and the page have one. `write` is only called if it does not
    /// exist yet.
    ///
    /// Constants are not cached, because they may be a caller's.
    pub fn statement(
        &self,
        query: &FilteredRows,
        form: Option<F>,
        page: PageValues<'_>,
        write: impl FnOnce() -> Sql,
    ) -> BoundSql {
        let Some(key) = query.plan.number.zip(form) else {
            return BoundSql::of_sql(&write(), &query.values, page);
        };
        if let Some(template) = self.0.find(&key) {
            return template.bind(query, page);
        }
        let sql = write();
        if sql.params().any(|param| matches!(param, Param::Constant(_))) {
            return BoundSql::of_sql(&sql, &query.values, page);
        }
        let template = Template::new(&sql, query, page);
        let size = template.size().saturating_add(ENTRY_SIZE);
        self.0.insert(key, template, size).bind(query, page)
    }
}

/// The text of a statement, and where the value of each parameter comes from.
#[derive(Debug)]
struct Template {
    sql: Arc<str>,
    params: Vec<Param>,
    selects_star: bool,
    finds_keys_first: bool,
}

impl Template {
    fn new(sql: &Sql, query: &FilteredRows, page: PageValues<'_>) -> Self {
        let params: Vec<Param> = sql.params().cloned().collect();
        let (text, values) = (sql.text(), page.bind(&params, &query.values));
        let (selects_star, finds_keys_first) = (sql.selects_star, sql.finds_keys_first);
        let sql = sql.dialect().with_types(text, values.iter().map(type_name)).into();
        Self { sql, params, selects_star, finds_keys_first }
    }

    fn bind(&self, query: &FilteredRows, page: PageValues<'_>) -> BoundSql {
        let values = Values(page.bind(&self.params, &query.values));
        BoundSql {
            selects_star: self.selects_star,
            finds_keys_first: self.finds_keys_first,
            ..BoundSql::new(self.sql.clone(), values)
        }
    }

    /// About how much memory it takes, in bytes.
    fn size(&self) -> usize {
        self.sql.len().saturating_add(self.params.len().saturating_mul(size_of::<Param>()))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use sea_query::{Expr, ExprTrait as _, Value};

    use super::*;
    use crate::boundary::BoundaryValue;
    use crate::dialect::Dialect;
    use crate::schema::table::{Field, Table};
    use crate::statement::condition::Condition;
    use crate::statement::select::Number;

    const ID: Field =
        Field { column: "id", kind: || "i64", sqlite: true, postgres: true, mysql: true, postgres_type: None };
    static TABLE: Table = Table::new("posts", &[ID], &[], &[]);

    fn rows(filters: impl IntoIterator<Item = Expr>) -> FilteredRows {
        FilteredRows::new(Dialect::Sqlite, &TABLE, filters.into_iter().collect(), &[])
    }

    /// `column > param`.
    fn is_above(column: &str, param: Param) -> Condition {
        Condition::bare(Sql::new(Dialect::Sqlite).name(column).push(" > ").param(param))
    }

    /// A page of the rows whose `author` is one of the values and whose `id` is above the boundary, twice: as its
    /// template is made, and from the template.
    fn statements(authors: [u64; 2], above: u64, limit: u64) -> [(String, Vec<Value>); 2] {
        let templates: Templates<()> = Templates::new();
        let query = rows([Expr::col("author").is_in(authors)]);
        let above = Value::from(above);
        let boundary = [BoundaryValue::plain(above.clone())];
        let page = PageValues { boundary: &boundary, limit, ..PageValues::default() };
        let select = || query.select().and(is_above("id", Param::Boundary(0))).limit(Number::Page(limit)).sql();
        [(); 2].map(|()| {
            let BoundSql { sql, values, .. } = templates.statement(&query, Some(()), page, select);
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
        let of = |author: i32, constant: i32| {
            let query = rows([Expr::col("author").eq(author)]);
            let select = || {
                let first = is_above("id", Param::Constant(constant.into()));
                query.select_all().and(first).and_all(Condition::all([is_above("author", Param::Filter(0))])).sql()
            };
            templates.statement(&query, Some(()), PageValues::default(), select).values.0
        };
        assert_eq!(of(7, 7), [7, 7].map(Value::from));
        // A constant may be a caller's, so it is in no template.
        assert_eq!(of(8, 1), [1, 8].map(Value::from));
    }

    /// A page's select, which counts how often it is called.
    fn counted<'a>(query: &'a FilteredRows, calls: &'a Cell<usize>) -> impl Fn() -> Sql + Copy + 'a {
        move || {
            calls.set(calls.get().saturating_add(1));
            query.select().limit(Number::Page(15)).sql()
        }
    }

    #[test]
    fn a_select_can_have_the_filters_values_in_any_order() {
        let templates = Templates::new();
        let of = |author: i32, kind: i32| {
            let query = rows([Expr::col("author").eq(author), Expr::col("kind").eq(kind)]);
            let select = || {
                let conditions = [("kind", 1), ("author", 0), ("author", 0)];
                let conditions = conditions.map(|(column, at)| is_above(column, Param::Filter(at)));
                query.select_all().and_all(conditions).sql()
            };
            templates.statement(&query, Some(()), PageValues::default(), select).values.0
        };
        for (author, kind) in [(7, 7), (1, 2), (2, 1)] {
            assert_eq!(of(author, kind), [kind, author, author].map(Value::from));
        }
    }

    #[test]
    fn a_select_is_written_once_for_all_pages() {
        let (templates, calls) = (Templates::new(), Cell::new(0));
        let query = rows([Expr::col("author").eq(7)]);
        let select = counted(&query, &calls);
        let of =
            |limit| templates.statement(&query, Some("page"), PageValues { limit, ..PageValues::default() }, select);
        let (first, second) = (of(15), of(20));
        assert_eq!(calls.get(), 1);
        assert!(Arc::ptr_eq(&first.sql, &second.sql));
        assert_eq!(second.values.0, [7.into(), 20_u64.into()]);
        templates.statement(&query, Some("other page"), PageValues::default(), select);
        assert_eq!(calls.get(), 2);
    }

    #[test]
    fn a_long_text_has_no_template_and_is_not_persistent() {
        let (templates, calls) = (Templates::new(), Cell::new(0));
        let query = rows([Expr::col("author").is_in(0..5_000)]);
        let of = || templates.statement(&query, Some(()), PageValues::default(), counted(&query, &calls));
        let (first, second) = (of(), of());
        assert_eq!((calls.get(), first.values.0.len()), (2, 5_001));
        assert!(!Arc::ptr_eq(&first.sql, &second.sql));
        assert!(!first.is_worth_persisting);
        assert!(second.repeated().is_worth_persisting);
        let short = rows([]).whole_table().sql();
        assert!(BoundSql::of_sql(&short, &[], PageValues::default()).is_worth_persisting);
    }

    #[test]
    fn the_cache_knows_how_much_memory_a_template_takes() {
        let query = rows([Expr::col("author").is_in(0..500)]);
        let page = PageValues::default();
        let template = Template::new(&counted(&query, &Cell::new(0))(), &query, page);
        let size = template.size();
        assert!(size < template.sql.len() + 501 * 64, "{size} bytes, of which {} are text", template.sql.len());
        assert!(size >= template.sql.len() + 501 * size_of::<Param>());
    }
}
