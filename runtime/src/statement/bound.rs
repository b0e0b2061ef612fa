//! Statements with their values, and the values in which the pages of a query differ.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use sea_query::{SelectStatement, Value, Values};

use crate::boundary::Bound;
use crate::dialect::{Dialect, Param, ParameterForm, Sql, type_name};
use crate::statement::slice::Slice;
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
    /// Whether it finds keys first, and then the rows that have them.
    pub(crate) finds_keys_first: bool,
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

/// The values that differ from one page of a query to the next.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PageValues<'a> {
    pub(crate) boundary: &'a [Bound<'a>],
    /// The values of the groups that a feed reads.
    pub(crate) groups: &'a [Value],
    /// Upper bound of a feed's page in the order's leading columns, if known.
    pub(crate) upper: &'a [Bound<'a>],
    pub(crate) limit: u64,
    pub(crate) offset: u64,
    /// Where a count of the rows ends, if it need not count them all.
    pub(crate) count_limit: Option<u64>,
}

impl From<Slice> for PageValues<'_> {
    fn from(Slice { offset, limit, .. }: Slice) -> Self {
        Self { offset, limit, ..Self::default() }
    }
}

impl PageValues<'_> {
    /// The value of a parameter. `filters` are the values of the query's filters.
    fn of(self, param: &Param, filters: &[Value]) -> Option<Value> {
        let bound = |bounds: &[Bound<'_>], at: &usize| bounds.get(*at).map(|bound| bound.value.clone());
        match param {
            Param::Filter(at) => filters.get(*at).cloned(),
            Param::Boundary(at) => bound(self.boundary, at),
            Param::Group(at) => self.groups.get(*at).cloned(),
            Param::UpperBound(at) => bound(self.upper, at),
            Param::Limit => Some(self.limit.into()),
            Param::Offset => Some(self.offset.into()),
            Param::CountLimit => self.count_limit.map(Value::from),
            Param::Constant(value) => Some(value.clone()),
            Param::Caller(_) => None,
        }
    }

    pub(crate) fn bind<'p>(self, params: impl IntoIterator<Item = &'p Param>, filters: &[Value]) -> Vec<Value> {
        params.into_iter().filter_map(|param| self.of(param, filters)).collect()
    }
}

impl BoundSql {
    /// A statement without a caller's text.
    pub(crate) fn new(sql: impl Into<Arc<str>>, values: Values) -> Self {
        let sql = sql.into();
        Self {
            sql,
            values,
            caller: None,
            is_repeated: false,
            selects_star: false,
            finds_keys_first: false,
            shares_parameters: false,
        }
    }

    /// The statement of a select of sea-query.
    pub(crate) fn of(dialect: Dialect, select: &SelectStatement) -> Self {
        Self::of_sql(&Sql::of_select(dialect, select), &[], PageValues::default())
    }

    /// A statement that is not worth a template.
    ///
    /// If it has more values than a statement may have, those that are equal share a parameter, where the database numbers
    /// them. A filter's list is in some statements more than once.
    pub(crate) fn of_sql(sql: &Sql, filters: &[Value], page: PageValues<'_>) -> Self {
        let dialect = sql.dialect();
        let mut values = page.bind(sql.params(), filters);
        let shares_parameters = values.len() > dialect.facts().max_parameters;
        let text = if shares_parameters && dialect.facts().parameters != ParameterForm::Positional {
            let (mut numbers, mut shared) = (HashMap::new(), Vec::new());
            let places: Vec<usize> = values
                .into_iter()
                .map(|value| {
                    *numbers.entry(format!("{value:?}")).or_insert_with(|| {
                        shared.push(value);
                        shared.len()
                    })
                })
                .collect();
            values = shared;
            sql.numbered(true, |at, _| places.get(at).copied().unwrap_or_default())
        } else {
            sql.text()
        };
        let selects_star = selects_star_of_table(&text);
        let text = dialect.with_types(text, values.iter().map(type_name));
        let finds_keys_first = sql.finds_keys_first;
        Self { selects_star, finds_keys_first, shares_parameters, ..Self::new(text, Values(values)) }
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
pub(super) fn selects_star_of_table(sql: &str) -> bool {
    sql.contains(".*")
}

/// Whether a caller's SQL may select `*`.
pub(crate) fn may_select_star(sql: &str) -> bool {
    sql.matches('*').count() > sql.matches("(*)").count()
}

/// The longest text that is cached, or given a name on the server, in bytes. A longer one is hardly ever sent again.
const LARGEST_TEXT: usize = 8 * 1024;

/// Whether a text may be sent again, and so is worth keeping.
pub(super) fn is_short(sql: &str) -> bool {
    sql.len() <= LARGEST_TEXT
}
