//! Sentinel values, which replace the parameters while a template is rendered.

use sea_query::{SelectStatement, Value};

use super::query_text::{PageSelect, PageValues, QueryText};
use crate::boundary::Bound;

/// Where the value of a parameter comes from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Param {
    Filter(usize),
    Boundary(usize),
    Group(usize),
    Last(usize),
    Limit,
    Offset,
    CountLimit,
}

impl Param {
    pub(super) fn value(self, filter_values: &[Value], page: PageValues<'_>) -> Option<Value> {
        match self {
            Self::Filter(at) => filter_values.get(at).cloned(),
            Self::Boundary(at) => page.boundary.get(at).map(|bound| bound.value.clone()),
            Self::Group(at) => page.groups.get(at).cloned(),
            Self::Last(at) => page.last.get(at).map(|bound| bound.value.clone()),
            Self::Limit => Some(page.limit.into()),
            Self::Offset => Some(page.offset.into()),
            Self::CountLimit => page.count_limit.map(Value::from),
        }
    }
}

/// Placeholders for a page's values. No value of the query's filters equals one of them, so they cannot be confused.
#[derive(Debug)]
pub(super) struct Placeholders<'a> {
    query: &'a QueryText,
    page: PageValues<'a>,
    numbers: NumberPlaceholders,
    filters: Vec<Value>,
    boundary: Vec<Value>,
    groups: Vec<Value>,
    last: Vec<Value>,
}

impl<'a> Placeholders<'a> {
    pub(super) fn unlike(query: &'a QueryText, page: PageValues<'a>) -> Self {
        let mut free = free_numbers(&query.filter_values);
        Self {
            query,
            page,
            numbers: NumberPlaceholders::from_free(&mut free),
            filters: free.by_ref().take(query.filter_values.len()).map(Value::from).collect(),
            groups: free.by_ref().take(page.groups.len()).map(Value::from).collect(),
            last: placeholders_for(page.last, &mut free),
            boundary: placeholders_for(page.boundary, &mut free),
        }
    }

    /// The text of the page's select, and where the values of its parameters come from; `None` if one of them is
    /// neither a placeholder nor, in their order, a filter's.
    pub(super) fn render(&self, select: &PageSelect<'_>) -> Option<(String, Vec<Param>)> {
        let literal = |value: &Value| self.numbers.literal(value, self.page.inner_limit);
        let (sql, values) = self.query.dialect.render(&self.fill(select), &literal);
        Some((sql, self.params(&values.0)?))
    }

    fn fill(&self, select: &PageSelect<'_>) -> SelectStatement {
        let boundary = with_placeholders(self.page.boundary, &self.boundary);
        let last = with_placeholders(self.page.last, &self.last);
        let Self { filters, groups, .. } = self;
        select(PageValues { filters, boundary: &boundary, groups, last: &last, ..self.numbers.fill(self.page) })
    }

    fn params(&self, values: &[Value]) -> Option<Vec<Param>> {
        let mut filters = self.query.filter_values.iter().enumerate().cycle();
        let mut param = |value| self.param(value).or_else(|| param_of_filter(filters.next()?, value));
        values.iter().map(&mut param).collect()
    }

    /// The parameter of a placeholder; `None` for any other value.
    fn param(&self, value: &Value) -> Option<Param> {
        let &Value::BigUnsigned(Some(number)) = value else { return None };
        let of_filters = place(&self.filters, value).map(Param::Filter);
        let of_boundary = place(&self.boundary, value).map(Param::Boundary);
        let of_groups = place(&self.groups, value).map(Param::Group);
        let last = place(&self.last, value).map(Param::Last);
        self.numbers.param(number).or(of_filters).or(of_boundary).or(of_groups).or(last)
    }
}

/// The parameter of the next filter's value, if it is this one.
fn param_of_filter((at, filter): (usize, &Value), value: &Value) -> Option<Param> {
    (filter == value).then_some(Param::Filter(at))
}

/// Numbers that are not among these values. There are more numbers than values.
fn free_numbers(values: &[Value]) -> impl Iterator<Item = u64> {
    (0..=u64::MAX).rev().filter(|number| !values.contains(&Value::from(*number)))
}

/// The placeholders of a boundary. NULL is part of the text: a condition says IS NULL.
fn placeholders_for(boundary: &[Bound<'_>], free: &mut impl Iterator<Item = u64>) -> Vec<Value> {
    let placeholder =
        |(bound, number): (&Bound<'_>, u64)| if bound.is_null() { bound.value.clone() } else { number.into() };
    boundary.iter().zip(free).map(placeholder).collect()
}

fn with_placeholders<'a>(boundary: &[Bound<'a>], placeholders: &'a [Value]) -> Vec<Bound<'a>> {
    boundary.iter().zip(placeholders).map(|(bound, value)| Bound { value, ..*bound }).collect()
}

fn place(placeholders: &[Value], value: &Value) -> Option<usize> {
    placeholders.iter().position(|placeholder| placeholder == value)
}

/// The placeholders for a page's limits and its offset.
#[derive(Debug)]
struct NumberPlaceholders {
    limit: u64,
    offset: u64,
    inner_limit: u64,
    count_limit: u64,
    one: u64,
}

impl NumberPlaceholders {
    /// The next ones of these numbers.
    fn from_free(free: &mut impl Iterator<Item = u64>) -> Self {
        let mut next = || free.next().unwrap_or_default();
        Self { limit: next(), offset: next(), inner_limit: next(), count_limit: next(), one: next() }
    }

    /// The numbers of a page, with the placeholders in their place.
    fn fill(&self, page: PageValues<'_>) -> PageValues<'static> {
        PageValues {
            limit: self.limit,
            offset: self.offset,
            inner_limit: page.inner_limit.map(|_| self.inner_limit),
            count_limit: page.count_limit.map(|_| self.count_limit),
            one: Some(self.one),
            ..PageValues::default()
        }
    }

    /// The parameter that has this placeholder.
    fn param(&self, number: u64) -> Option<Param> {
        match number {
            _ if number == self.limit => Some(Param::Limit),
            _ if number == self.offset => Some(Param::Offset),
            _ if number == self.count_limit => Some(Param::CountLimit),
            _ => None,
        }
    }

    /// The number that is written into the text in place of a placeholder; `None` for a value that is bound.
    fn literal(&self, value: &Value, inner_limit: Option<u64>) -> Option<u64> {
        match *value {
            Value::BigUnsigned(Some(number)) if number == self.one => Some(1),
            Value::BigUnsigned(Some(number)) if number == self.inner_limit => inner_limit,
            _ => None,
        }
    }
}
