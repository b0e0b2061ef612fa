//! A select of rows of one type, with or without a model.

use std::fmt;
use std::sync::Arc;

use sea_query::{
    Asterisk, ColumnName, ColumnRef, Condition, Expr, ExprTrait as _, Func, Query, SelectStatement, TableRef, Token,
    Tokenizer, Value,
};

use crate::crypt::Keyring;
use crate::cursor::{Cursor, CursorDirection, Scope};
use crate::driver::{self, Driver, Reader};
use crate::error::Result;
use crate::keyset::{self, Bound, Boundary, Dialect, Limit, Sort};
use crate::model::{self, Model};
use crate::order::{Term, close_with_primary_key};
use crate::statement::{self, Given, Kept, Prepared, Statement};
use crate::table::{Columns, Direction, Table};
use crate::value::{self, Variant};

/// How many statements are kept of a select: many more than one has, as long as its columns keep their types.
const STATEMENTS: usize = 64;

/// The name that a wrapped select has.
const WRAPPED: &str = "folio_rows";

/// A select whose rows are `T`s: what [`Pagination`](crate::Pagination) takes.
///
/// Any [`sea_query::SelectStatement`] is one, where `T` can be read by every enabled driver.
///
/// ```
/// use folio::{Select, sea_query::Query};
///
/// let select = Query::select().columns(["id", "title"]).from("posts").take();
/// let select: Select<(i64, String)> = select.into();
/// ```
pub struct Select<T> {
    listing: Arc<Listing>,
    /// The caller's values, where the listing is kept from one call to the next; else it has them itself.
    own: Option<Vec<Value>>,
    reader: Reader<T>,
    list: List,
    total: Total,
}

/// A select of rows of whatever type.
#[derive(Debug)]
pub(crate) struct Listing {
    statement: SelectStatement,
    shape: Shape,
    /// A model's list, whose order is not in the statement.
    ordered: Option<Ordered>,
    statements: Kept<Part, Statement, STATEMENTS>,
}

/// A model's rows without filters, and the order of its list, which the primary key closes.
#[derive(Debug)]
pub(crate) struct Ordered {
    pub(crate) rows: Rows,
    pub(crate) columns: &'static Columns,
    pub(crate) order: Vec<(Expr, Direction)>,
}

impl Ordered {
    /// The order by the names of the rows' columns; `None` where it goes by anything else.
    fn by_name(&self) -> Option<Vec<(Expr, Direction)>> {
        let by_name = |(expr, direction): &(Expr, Direction)| match expr {
            Expr::Column(ColumnRef::Column(ColumnName(_, name))) if self.columns.has(&name.inner()) => {
                Some((Expr::col(name.clone()), *direction))
            }
            _ => None,
        };
        self.order.iter().map(by_name).collect()
    }
}

/// Which rows of a list a page has.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Slice {
    /// How many rows are passed over.
    pub(crate) offset: u64,
    /// How many rows there are at most.
    pub(crate) limit: u64,
    /// Whether they are read from the list's end, and come the last first.
    pub(crate) backwards: bool,
}

/// What is asked of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    All,
    Count,
    /// A page: whether rows are passed over for it, whether they and its own are few, whether its keys are found first,
    /// and whether it is read from the end.
    Page {
        offset: bool,
        few: bool,
        deferred: bool,
        backwards: bool,
    },
}

/// Where the total of a numbered page comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Total {
    /// All rows are counted.
    #[default]
    Counted,
    /// The caller knows it.
    Known(u64),
    /// The database reckons it from its statistics.
    Estimated,
}

/// A model's rows without filters, their table, and the expressions of their primary key.
#[derive(Debug, Clone)]
pub(crate) struct Rows {
    pub(crate) all: SelectStatement,
    pub(crate) table: TableRef,
    pub(crate) key: Vec<Expr>,
}

impl Rows {
    /// Those whose primary key `keys` selects, each of its columns under a name.
    ///
    /// In a CROSS JOIN SQLite begins with the table on the left. In any other it may begin with all rows, since it does
    /// not know how few keys there are. To the others it means the same.
    fn of_keys<'a>(&self, keys: SelectStatement, names: impl Iterator<Item = (&'a Expr, String)>) -> SelectStatement {
        let equal = |(key, name): (&Expr, String)| key.clone().eq(Expr::col((WRAPPED, name)));
        let on = names.map(equal).fold(Condition::all(), Condition::add);
        let mut rows = self.all.clone();
        rows.from_clear().from_subquery(keys, WRAPPED).cross_join(self.table.clone()).cond_where(on).take()
    }
}

/// How much of a statement can be worked on in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Its rows are those of its FROM and WHERE: predicates and columns can be added, and rows counted, in place.
    Plain,
    /// The same, but for a predicate: there may be an OR without parentheses beside it.
    Alternatives,
    /// Rows are grouped, united or told apart: it can only be taken as a whole.
    Whole,
}

/// What cursors over the select are bound to, beside their key.
#[derive(Debug, Clone)]
enum List {
    Model(&'static Table),
    Name(String),
}

impl<T> fmt::Debug for Select<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Select")
            .field("statement", &self.listing.statement)
            .field("list", &self.list)
            .finish_non_exhaustive()
    }
}

impl<T> Clone for Select<T> {
    fn clone(&self) -> Self {
        let (listing, own, list) = (self.listing.clone(), self.own.clone(), self.list.clone());
        Self { listing, own, list, ..*self }
    }
}

impl<T: driver::Rows> From<SelectStatement> for Select<T> {
    fn from(statement: SelectStatement) -> Self {
        let (listing, list) = (Listing::any(statement), List::Name(String::new()));
        Self { listing, own: None, reader: T::READER, list, total: Total::Counted }
    }
}

/// Takes the statement out of a chain of sea-query's builder methods.
impl<T: driver::Rows> From<&mut SelectStatement> for Select<T> {
    fn from(statement: &mut SelectStatement) -> Self {
        statement.take().into()
    }
}

impl<T: Model> Select<T> {
    /// A select of a model's rows. Its primary key closes every cursor order, and cursors are bound to its table.
    ///
    /// ```
    /// # #[derive(sqlx::FromRow, folio::Paginate)]
    /// # struct Post { id: i64, title: String }
    /// use folio::{Select, sea_query::Query};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").take();
    /// let select = Select::<Post>::model(select);
    /// ```
    #[must_use]
    pub fn model(statement: SelectStatement) -> Self {
        let (listing, list) = (Listing::any(statement), List::Model(T::TABLE));
        Self { listing, own: None, reader: T::READER, list, total: Total::Counted }
    }

    /// The select of a model's builder, with the caller's values where they are not in the listing.
    pub(crate) fn listed(listing: Arc<Listing>, own: Option<Vec<Value>>, total: Total) -> Self {
        Self { listing, own, reader: T::READER, list: List::Model(T::TABLE), total }
    }
}

impl<T> Select<T> {
    /// Binds cursors to this name too, so that those of one list do not open in another with the same key.
    ///
    /// ```
    /// use folio::{Select, sea_query::Query};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").take();
    /// let select = Select::<(i64, String)>::from(select).named("drafts");
    /// ```
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Self { list: List::Name(name.to_owned()), ..self }
    }

    /// Takes `total` for the count of all rows, instead of counting them for each page: one that is kept elsewhere, or
    /// was counted a moment ago. See [`Builder::with_total`](crate::Builder::with_total).
    ///
    /// ```
    /// use folio::{Select, sea_query::Query};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").take();
    /// let select = Select::<(i64, String)>::from(select).with_total(63_663);
    /// ```
    #[must_use]
    pub fn with_total(self, total: u64) -> Self {
        self.totalled(Total::Known(total))
    }

    /// Takes what the database reckons for the count of all rows. See
    /// [`Builder::estimated_total`](crate::Builder::estimated_total).
    ///
    /// ```
    /// use folio::{Select, sea_query::Query};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").take();
    /// let select = Select::<(i64, String)>::from(select).estimated_total();
    /// ```
    #[must_use]
    pub fn estimated_total(self) -> Self {
        self.totalled(Total::Estimated)
    }

    pub(crate) fn totalled(self, total: Total) -> Self {
        Self { total, ..self }
    }

    pub(crate) fn total(&self) -> Total {
        self.total
    }

    pub(crate) fn reader(&self) -> Reader<T> {
        self.reader
    }

    /// All rows, in no order.
    pub(crate) fn all<D: Driver>(&self) -> Prepared {
        self.part::<D>(Part::All, Slice::default())
    }

    /// The count of all rows.
    pub(crate) fn count<D: Driver>(&self) -> Prepared {
        self.part::<D>(Part::Count, Slice::default())
    }

    /// Whether pages can be read from the list's end.
    ///
    /// Only the model's own order, which its primary key closes, is the same from both ends. MySQL goes backwards along an
    /// index only where all its columns go one way, and sorts the whole list else.
    pub(crate) fn is_reversible(&self, dialect: Dialect) -> bool {
        let Some(Ordered { order, .. }) = &self.listing.ordered else { return false };
        let one_way = order.windows(2).all(|pair| matches!(pair, [(_, one), (_, other)] if one == other));
        one_way || dialect != Dialect::MySql
    }

    /// A page of the rows in the select's own order.
    pub(crate) fn page<D: Driver>(&self, slice: Slice) -> Prepared {
        let Slice { offset, limit, backwards } = slice;
        let few = self.own.as_ref().is_some_and(|own| is_few::<D>(own, offset.saturating_add(limit)));
        let deferred = !few && self.listing.ordered.is_some() && offset >= D::DEFERRED_FROM;
        self.part::<D>(Part::Page { offset: offset > 0, few, deferred, backwards }, slice)
    }

    fn part<D: Driver>(&self, part: Part, Slice { offset, limit, .. }: Slice) -> Prepared {
        let Some(own) = &self.own else { return D::prepare(&self.listing.part(part, offset, limit)) };
        let given = Given { own, boundary: &[], limit, offset };
        let make = || statement::<D>(&self.listing.part(part, statement::OFFSET, statement::LIMIT), given);
        self.listing.statements.get(part, make).with(given)
    }

    /// The select made ready to be walked by `terms`.
    pub(crate) fn walk(&self, terms: Vec<Term>) -> Walk {
        let model = match self.list {
            List::Model(table) => Some(table),
            List::Name(_) => None,
        };
        let terms = close_with_primary_key(model, terms);
        let scope = self.scope(&terms);
        let total = terms.iter().any(|term| term.table.is_some()) || model.is_some();
        let mut base = self.listing.statement.clone();
        base.clear_order_by().reset_limit().reset_offset();
        let sorts = match self.listing.shape {
            Shape::Plain => add_keys(&mut base, &terms),
            Shape::Alternatives => {
                let added = add_keys(&mut base, &terms);
                wrap(&mut base, &terms, added.into_iter().map(|sort| sort.output))
            }
            Shape::Whole => wrap(&mut base, &terms, terms.iter().map(|term| term.key.name.to_owned())),
        };
        Walk { base, terms, sorts, scope, total, rows: None, statements: Kept::default() }
    }

    fn scope(&self, terms: &[Term]) -> Scope {
        match &self.list {
            List::Model(table) => model::scope(table, terms),
            // Three words, where a model's table has one or two.
            List::Name(name) => Scope::new(&["", "select", name], None, terms),
        }
    }
}

impl Listing {
    /// Any select, which is looked at for what can be done with it.
    fn any(statement: SelectStatement) -> Arc<Self> {
        let shape = shape(&statement);
        Arc::new(Self { statement, shape, ordered: None, statements: Kept::default() })
    }

    /// The select of a model's builder without its order, which has nothing in it that needs a look.
    pub(crate) fn plain(statement: SelectStatement, ordered: Ordered) -> Self {
        Self { statement, shape: Shape::Plain, ordered: Some(ordered), statements: Kept::default() }
    }

    fn part(&self, part: Part, offset: u64, limit: u64) -> SelectStatement {
        match part {
            Part::All => self.all(),
            Part::Count => self.count(),
            Part::Page { offset: before, few: true, backwards, .. } => {
                self.first(before.then_some(offset), limit, backwards)
            }
            Part::Page { offset: before, deferred, backwards, .. } => {
                self.page(before.then_some(offset), limit, deferred, backwards)
            }
        }
    }

    fn all(&self) -> SelectStatement {
        self.statement.clone().clear_order_by().reset_limit().reset_offset().take()
    }

    /// The count of all rows: over the same FROM and WHERE where that gives it, else over the select as a whole.
    fn count(&self) -> SelectStatement {
        let mut select = self.all();
        if self.shape == Shape::Whole {
            select = Query::select().from_subquery(select, WRAPPED).take();
        }
        select.clear_selects().expr(Func::count(Expr::col(Asterisk))).take()
    }

    /// A page near the beginning, taken out of a few rows: see [`Driver::FEW`].
    fn first(&self, offset: Option<u64>, limit: u64, backwards: bool) -> SelectStatement {
        let list = self.ordered.as_ref().and_then(|list| Some((list, list.by_name()?)));
        let Some((list, order)) = list else { return self.page(offset, limit, false, backwards) };
        let few = sorted(self.statement.clone(), &list.order, backwards).limit(statement::FEW).take();
        let page = Query::select().column(Asterisk).from_subquery(few, WRAPPED).take();
        sliced(sorted(page, &order, backwards), offset, limit)
    }

    /// A page. Where it is `deferred`, its keys are found first, so that the rows before it are passed over in the index
    /// alone.
    fn page(&self, offset: Option<u64>, limit: u64, deferred: bool, backwards: bool) -> SelectStatement {
        let Some(list) = &self.ordered else { return sliced(self.statement.clone(), offset, limit) };
        let mut page = sorted(self.statement.clone(), &list.order, backwards);
        if !deferred {
            return sliced(page, offset, limit);
        }
        let key = &list.rows.key;
        let names: Vec<String> = (0..key.len()).map(key_name).collect();
        page.clear_selects();
        for (key, name) in key.iter().zip(&names) {
            page.expr_as(key.clone(), name.clone());
        }
        sorted(list.rows.of_keys(sliced(page, offset, limit), key.iter().zip(names)), &list.order, backwards)
    }
}

/// A select in an order, or from its end.
fn sorted(mut select: SelectStatement, order: &[(Expr, Direction)], backwards: bool) -> SelectStatement {
    for (expr, direction) in order {
        let direction = if backwards { direction.flip() } else { *direction };
        select.order_by_expr(expr.clone(), direction.into());
    }
    select
}

/// A select's rows from an offset on.
fn sliced(mut select: SelectStatement, offset: Option<u64>, limit: u64) -> SelectStatement {
    match offset {
        Some(offset) => select.offset(offset),
        None => select.reset_offset(),
    };
    select.limit(limit).take()
}

/// Whether a page is to be taken out of a few rows, of which so many are needed. Not where the caller has values in it:
/// rows with one of them may be many and those with another a few, which want different plans.
fn is_few<D: Driver>(own: &[Value], rows: u64) -> bool {
    own.is_empty() && D::FEW.is_some_and(|few| rows <= few)
}

/// The statement of a select with marks, whose text is that of such a call.
fn statement<D: Driver>(select: &SelectStatement, given: Given<'_>) -> Statement {
    let (sql, values) = D::build_marked(select);
    let statement = Statement::marked(sql, &values, given.own.len());
    let values = statement.with(given).values;
    statement.map(|sql| D::end(sql, &values.0))
}

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

/// The name that a column of a key has in a select of keys, where it is in nobody's way.
fn key_name(at: usize) -> String {
    format!("folio_key_{at}")
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

/// What a statement lets be done to it. sea-query does not show what one is made of, but its text does.
fn shape(statement: &SelectStatement) -> Shape {
    const WHOLE: [&str; 9] = ["GROUP", "HAVING", "DISTINCT", "UNION", "INTERSECT", "EXCEPT", "WITH", "WINDOW", "FOR"];
    let sql = text(statement);
    let (mut shape, mut depth, mut selecting) = (Shape::Plain, 0_usize, true);
    let mut word = String::new();
    for token in Tokenizer::new(&sql).iter() {
        match &token {
            // A call between SELECT and FROM may be an aggregate, which makes one row of many.
            Token::Punctuation(mark) if *mark == "(" && depth == 0 && selecting && !word.is_empty() => {
                return Shape::Whole;
            }
            Token::Punctuation(mark) if *mark == "(" => depth = depth.saturating_add(1),
            Token::Punctuation(mark) if *mark == ")" => depth = depth.saturating_sub(1),
            Token::Unquoted(text) if depth == 0 => {
                word = text.to_uppercase();
                if WHOLE.contains(&word.as_str()) {
                    return Shape::Whole;
                }
                if word == "OR" {
                    shape = Shape::Alternatives;
                }
                selecting &= word != "FROM";
                continue;
            }
            _ => {}
        }
        word.clear();
    }
    shape
}

#[cfg(feature = "postgres")]
fn text(statement: &SelectStatement) -> String {
    statement.build(sea_query::PostgresQueryBuilder).0
}

#[cfg(all(feature = "sqlite", not(feature = "postgres")))]
fn text(statement: &SelectStatement) -> String {
    statement.build(sea_query::SqliteQueryBuilder).0
}

#[cfg(all(feature = "mysql", not(any(feature = "postgres", feature = "sqlite"))))]
fn text(statement: &SelectStatement) -> String {
    statement.build(sea_query::MysqlQueryBuilder).0
}

#[cfg(test)]
mod tests {
    use sea_query::UnionType;

    use super::*;

    #[test]
    fn a_statement_is_known_by_its_text() {
        use Shape::{Alternatives, Plain, Whole};
        let posts = || Query::select().column("id").from("posts").take();
        let any = || Condition::any().add(Expr::col("a").eq(1)).add(Expr::col("b").eq(1));
        let cases: [(SelectStatement, Shape); 14] = [
            (posts(), Plain),
            (posts().and_where(Expr::col("group").eq("DISTINCT or")).take(), Plain),
            (posts().and_where(Expr::col("id").in_subquery(posts().distinct().take())).take(), Plain),
            (posts().inner_join("users", Expr::col("a").equals("b")).take(), Plain),
            (posts().order_by("id", sea_query::Order::Asc).limit(3).take(), Plain),
            (posts().and_where(Expr::cust("a = ' OR (' AND b")).take(), Plain),
            (posts().cond_where(any()).take(), Alternatives),
            (posts().and_where(Expr::cust("a = 1 OR b = 2")).take(), Alternatives),
            (posts().distinct().take(), Whole),
            (posts().cond_where(any()).group_by_col("id").take(), Whole),
            (posts().union(UnionType::All, posts()).take(), Whole),
            (posts().union(UnionType::Except, posts()).take(), Whole),
            (Query::select().expr(Func::max(Expr::col("id"))).from("posts").take(), Whole),
            (posts().lock_exclusive().take(), if cfg!(feature = "postgres") { Whole } else { Plain }),
        ];
        for (select, expected) in cases {
            assert_eq!(shape(&select), expected, "{}", text(&select));
        }
    }
}
