//! Statements with their values, and the values in which the pages of a query differ.

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use sea_query::{SelectStatement, Value, Values};

use crate::boundary::BoundaryValue;
use crate::dialect::{Dialect, Param, ParameterForm, Sql, type_name};
use crate::statement::slice::Slice;

/// A statement with its values, ready to be run.
#[derive(Debug, Clone)]
pub struct BoundSql {
    pub sql: Arc<str>,
    pub values: Values,
    /// The values of SQL text that a caller wrote, if it is part of the statement.
    pub caller: Option<CallerValues>,
    /// Whether server and driver are to keep it prepared. A long one is rarely sent again.
    pub is_worth_persisting: bool,
    /// Whether it selects `*`, so that a migration may change its columns while its text stays the same.
    pub selects_star: bool,
    /// Whether it finds keys first, and then the rows that have them.
    pub finds_keys_first: bool,
    /// Whether equal values share a parameter, because the statement would have too many.
    pub shares_parameters: bool,
}

/// A value that a caller bound to SQL text. Only the driver knows how to bind it.
pub trait OpaqueValue: Any + fmt::Debug + Send + Sync {
    /// A text that identifies the value.
    fn to_key(&self) -> String;

    /// The name of the value's type on PostgreSQL; empty if it is for another database.
    fn postgres_type(&self) -> &str;
}

/// The caller's values in a statement, and their positions among folio's own.
#[derive(Debug, Clone, Default)]
pub struct CallerValues {
    pub values: Arc<[Arc<dyn OpaqueValue>]>,
    /// For each copy of a text: how many of folio's values come before it, and which of the caller's it binds.
    pub copies: Vec<(usize, Range<usize>)>,
}

/// The values that differ from one page of a query to the next.
#[derive(Debug, Clone, Copy, Default)]
pub struct PageValues<'a> {
    pub boundary: &'a [BoundaryValue],
    /// The values of the groups that a feed reads.
    pub groups: &'a [Value],
    /// Upper bound of a feed's page in the order's leading columns, if known.
    pub upper: &'a [BoundaryValue],
    pub limit: u64,
    pub offset: u64,
    /// Where a count of the rows ends, if it need not count them all.
    pub count_limit: Option<u64>,
}

impl From<Slice> for PageValues<'_> {
    fn from(Slice { offset, limit, .. }: Slice) -> Self {
        Self { offset, limit, ..Self::default() }
    }
}

impl PageValues<'_> {
    /// The values of a statement's parameters. `filters` are those that all statements of a list bind.
    pub fn bind<'p>(self, params: impl IntoIterator<Item = &'p Param>, filters: &[Value]) -> Vec<Value> {
        let bound = |values: &[BoundaryValue], at: &usize| values.get(*at).map(|value| value.bound().clone());
        let value = |param: &Param| match param {
            Param::Filter(at) => filters.get(*at).cloned(),
            Param::Boundary(at) => bound(self.boundary, at),
            Param::Group(at) => self.groups.get(*at).cloned(),
            Param::UpperBound(at) => bound(self.upper, at),
            Param::Limit => Some(self.limit.into()),
            Param::Offset => Some(self.offset.into()),
            Param::CountLimit => self.count_limit.map(Value::from),
            Param::Constant(value) => Some(value.clone()),
            Param::Caller(_) => None,
        };
        params.into_iter().filter_map(value).collect()
    }
}

impl BoundSql {
    /// A statement without a caller's text.
    pub fn new(sql: impl Into<Arc<str>>, values: Values) -> Self {
        let sql: Arc<str> = sql.into();
        Self {
            is_worth_persisting: is_short(&sql),
            sql,
            values,
            caller: None,
            selects_star: false,
            finds_keys_first: false,
            shares_parameters: false,
        }
    }

    /// The statement of a select of sea-query.
    pub fn of(dialect: Dialect, select: &SelectStatement) -> Self {
        Self::of_sql(&Sql::of_select(dialect, select), &[], PageValues::default())
    }

    /// A statement that is not worth a template.
    ///
    /// If it has more values than a statement may have, those that are equal share a parameter, where the database
    /// numbers them. A filter's list is in some statements more than once.
    pub fn of_sql(sql: &Sql, filters: &[Value], page: PageValues<'_>) -> Self {
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
        let text = dialect.with_types(text, values.iter().map(type_name));
        let (selects_star, finds_keys_first) = (sql.selects_star, sql.finds_keys_first);
        Self { selects_star, finds_keys_first, shares_parameters, ..Self::new(text, Values(values)) }
    }

    /// The same statement, marked as one that will be sent again even if it is long. On MySQL and MariaDB, a statement
    /// that is not persistent costs 40 ms: the driver closes it without waiting for a response, which delays the next
    /// statement on the network.
    pub fn repeated(self) -> Self {
        Self { is_worth_persisting: true, ..self }
    }

    /// Whether it has as many parameters as a statement may have, or fewer, and the database finds them fast.
    pub fn fits(&self, dialect: Dialect) -> bool {
        if self.shares_parameters && !dialect.facts().finds_parameters_fast {
            return false;
        }
        let callers = self.caller.iter().flat_map(|caller| &caller.copies).map(|(_, values)| values.len());
        callers.fold(self.values.0.len(), usize::saturating_add) <= dialect.facts().max_parameters
    }
}

/// Whether a caller's SQL may select `*`.
pub(crate) fn may_select_star(sql: &str) -> bool {
    sql.matches('*').count() > sql.matches("(*)").count()
}

/// The longest text that is cached, or that is persistent on the server, in bytes. A longer one is hardly ever sent
/// again.
pub(crate) const LARGEST_TEXT: usize = 8 * 1024;

/// Whether a text may be sent again, and so is worth keeping.
pub(super) fn is_short(sql: &str) -> bool {
    sql.len() <= LARGEST_TEXT
}
