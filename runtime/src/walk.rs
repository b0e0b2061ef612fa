//! A select made ready to be walked by a key.

use sea_query::{Asterisk, Expr, Query, SelectStatement, Value};

use crate::crypt::Keyring;
use crate::cursor::{Cursor, CursorDirection, Scope};
use crate::driver::Driver;
use crate::error::Result;
use crate::keyset::{self, Bound, Boundary, Dialect, Limit, Sort};
use crate::listing::{Listing, Shape};
use crate::model;
use crate::order::Term;
use crate::rows::{Rows, STATEMENTS, WRAPPED, is_few, key_name, statement};
use crate::statement::{self, Given, Kept, Prepared, Statement};
use crate::table::Table;
use crate::value::{self, Variant};

/// A select without order and limit, and the order in which it is walked.
#[derive(Debug)]
pub(crate) struct Walk {
    pub(crate) base: SelectStatement,
    pub(crate) terms: Vec<Term>,
    pub(crate) sorts: Vec<Sort>,
    pub(crate) scope: Scope,
    /// Whether the order is known to tell every two rows apart.
    pub(crate) total: bool,
    /// Where there are filters that the primary key can do without: the rows without them.
    rows: Option<Rows>,
    statements: Kept<Form, Statement, STATEMENTS>,
}

/// What the text of a walk's page hangs on: its direction; where it has a boundary, whether that is part of it, and how
/// each of its values is bound; and whether its rows are few.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Form {
    direction: CursorDirection,
    boundary: Option<(bool, Vec<BoundForm>)>,
    few: bool,
}

/// Whether a value is NULL, its type, and what it is cast to.
type BoundForm = (bool, Option<Variant>, Option<String>);

impl Walk {
    /// The walk of any select, by terms that tell every two rows apart where `total` says so.
    pub(crate) fn any(listing: &Listing, terms: Vec<Term>, scope: Scope, total: bool) -> Self {
        let mut base = listing.unordered();
        let sorts = match listing.shape {
            Shape::Plain => add_keys(&mut base, &terms),
            Shape::Alternatives => {
                let added = add_keys(&mut base, &terms);
                wrap(&mut base, &terms, added.into_iter().map(|sort| sort.output))
            }
            Shape::Whole => wrap(&mut base, &terms, terms.iter().map(|term| term.key.name.to_owned())),
        };
        Self { base, terms, sorts, scope, total, rows: None, statements: Kept::default() }
    }

    /// The walk of a model's builder, whose select has the key among its columns, under their own names.
    pub(crate) fn plain(table: &Table, base: SelectStatement, terms: Vec<Term>, rows: Option<Rows>) -> Self {
        let scope = model::scope(table, &terms);
        let sorts = terms.iter().map(|term| sort(term, term.expr(), term.key.name.to_owned())).collect();
        Self { base, terms, sorts, scope, total: true, rows, statements: Kept::default() }
    }

    /// Opens a cursor over the walk.
    pub(crate) fn open(&self, keyring: &Keyring, token: &str) -> Result<Cursor> {
        let types: Vec<_> = self.terms.iter().map(Term::kind).collect();
        Cursor::open(keyring, &self.scope, &types, token)
    }

    /// The first `limit` rows behind `boundary`, or the first of all, in a direction. `own` are the caller's values,
    /// where the walk is kept from one call to the next; else it has them itself.
    pub(crate) fn page<D: Driver>(
        &self,
        own: Option<&[Value]>,
        direction: CursorDirection,
        boundary: Option<Boundary<'_>>,
        limit: u64,
    ) -> Prepared {
        let Some(own) = own else {
            return D::prepare(&self.select(D::DIALECT, direction, boundary, Limit { rows: limit, few: None }));
        };
        let few = is_few::<D>(own, limit);
        let bounds = boundary.map_or(&[][..], |boundary| boundary.values);
        let given = Given { own, boundary: bounds, limit, offset: 0 };
        let form = |bound: &Bound<'_>| {
            (value::is_null(bound.value), value::variant(bound.value), bound.cast.map(str::to_owned))
        };
        let form = boundary.map(|boundary| (boundary.inclusive, boundary.values.iter().map(form).collect()));
        let make = || {
            let mark = |(at, bound): (usize, &Bound<'_>)| {
                if value::is_null(bound.value) { bound.value.clone() } else { statement::mark(at) }
            };
            let marks: Vec<Value> = bounds.iter().enumerate().map(mark).collect();
            let marked: Vec<_> = bounds.iter().zip(&marks).map(|(bound, value)| Bound { value, ..*bound }).collect();
            let boundary = boundary.map(|boundary| Boundary { values: &marked, ..boundary });
            let limit = Limit { rows: statement::LIMIT, few: few.then_some(statement::FEW) };
            statement::<D>(&self.select(D::DIALECT, direction, boundary, limit), given)
        };
        self.statements.get(Form { direction, boundary: form, few }, make).with(given)
    }

    fn select(
        &self,
        dialect: Dialect,
        direction: CursorDirection,
        boundary: Option<Boundary<'_>>,
        limit: Limit,
    ) -> SelectStatement {
        match direction {
            CursorDirection::Next => self.behind(dialect, &self.sorts, boundary, limit),
            CursorDirection::Prev => {
                let reversed: Vec<Sort> = self.sorts.iter().map(Sort::reversed).collect();
                self.behind(dialect, &reversed, boundary, limit)
            }
        }
    }

    /// The first rows behind `boundary`, in the order of `sorts`: the walk's own, or the way back.
    ///
    /// Where MySQL and MariaDB look the value of a filter up, they pass over each of its rows before the boundary once
    /// they think that cheaper than a range. For the key alone, which the index has all of, they do not.
    fn behind(
        &self,
        dialect: Dialect,
        sorts: &[Sort],
        boundary: Option<Boundary<'_>>,
        limit: Limit,
    ) -> SelectStatement {
        let Some(rows) = self.rows.as_ref().filter(|_| dialect == Dialect::MySql) else {
            return keyset::page(dialect, &self.base, sorts, boundary, limit);
        };
        let named = |(at, sort): (usize, &Sort)| Sort { output: key_name(at), ..sort.clone() };
        let sorts: Vec<Sort> = sorts.iter().enumerate().map(named).collect();
        let mut keys = self.base.clone();
        keys.clear_selects();
        for sort in &sorts {
            keys.expr_as(sort.expr.clone(), sort.output.clone());
        }
        let keys = keyset::page(dialect, &keys, &sorts, boundary, limit);
        let primary = sorts.iter().filter(|sort| rows.key.contains(&sort.expr));
        let mut page = rows.of_keys(keys, primary.map(|sort| (&sort.expr, sort.output.clone())));
        keyset::order(dialect, &mut page, &sorts, |sort| sort.expr.clone());
        page
    }
}

fn sort(term: &Term, expr: Expr, output: String) -> Sort {
    Sort { expr, output, direction: term.key.direction, nulls: term.key.nulls }
}

/// Selects the key beside the rows, under names of its own: the rows need not have it, or have it under another name.
fn add_keys(base: &mut SelectStatement, terms: &[Term]) -> Vec<Sort> {
    let add = |(at, term): (usize, &Term)| {
        let output = key_name(at);
        base.expr_as(term.expr(), output.clone());
        sort(term, term.expr(), output)
    };
    terms.iter().enumerate().map(add).collect()
}

/// Makes the select a table of its own, in which the key's columns have these names.
fn wrap(base: &mut SelectStatement, terms: &[Term], names: impl Iterator<Item = String>) -> Vec<Sort> {
    *base = Query::select().column(Asterisk).from_subquery(base.take(), WRAPPED).take();
    terms.iter().zip(names).map(|(term, name)| sort(term, Expr::col(name.clone()), name)).collect()
}
