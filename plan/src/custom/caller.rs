//! A select that a caller wrote: how it is counted, paged by offset, and prepared for cursor pages.

mod key;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sea_query::{Expr, SelectStatement, Value};

use self::key::{KeyColumn, Place, has_primary_key, is_table, table_of};
use crate::access::AccessPath;
use crate::cache::BoundedCache;
use crate::custom::lexer::Tokens;
use crate::custom::raw_sql::{RawSql, SqlSource};
use crate::custom::renderer::Renderer;
use crate::custom::shape::{Kind, Lookup, Shape};
use crate::custom::volatile::{self, VolatileColumn};
use crate::dialect::{Dialect, Param, Sql};
use crate::error::{Misuse, Result};
use crate::order::{OrderColumn, check_mergeable, key_name};
use crate::schema::table::Table;
use crate::schema::term::{Term, check_terms};
use crate::statement::condition::Condition;
use crate::statement::select::{DERIVED, Number, Select, limited};
use crate::statement::slice::Slice;
use crate::statement::template::{LARGEST_TEXT, may_select_star};
use crate::statement::total::{self, counted};

/// A list as a caller wrote it.
#[derive(Debug, Clone)]
pub enum Listing {
    Select(Box<SelectStatement>),
    Text(RawSql),
    /// A method was called that this kind of list does not have. The text says which, and what to write.
    Misused(String),
}

/// A select that a caller wrote, and what can be done with it.
#[derive(Debug, Clone)]
pub struct CallerSelect {
    /// The rows in no order.
    text: Sql,
    /// The rows in the select's own order.
    ordered: Sql,
    /// The select's own order, if it has one that follows the text.
    order: Sql,
    /// The text in parts, if columns can be added to it.
    parts: Option<Select>,
    shape: Shape,
    /// The columns whose values change between pages.
    volatile: Vec<VolatileColumn>,
    renderer: Renderer,
    /// The caller's own limit and offset. The list consists of the rows that remain.
    limit: Option<u64>,
    offset: u64,
    /// By which the plans of its lists are found; `None` if it is not found again itself.
    pub(crate) number: Option<u64>,
}

/// SQL text is found again by this.
#[derive(Debug, PartialEq, Eq, Hash)]
struct TextKey {
    dialect: Dialect,
    texts: Vec<Arc<str>>,
    checked_for: Option<&'static str>,
    values: usize,
    is_stable: bool,
}

/// What was read from SQL texts.
static READ: BoundedCache<TextKey, CallerSelect> = BoundedCache::new();

/// The largest limit and offset that every database takes.
const UNLIMITED: u64 = i64::MAX as u64;

/// A select with its key among its columns.
#[derive(Debug)]
pub struct Keyed {
    pub base: Select,
    pub access: AccessPath,
    /// The selects whose rows `base` unites, if a page can be read from each of them.
    pub arms: Vec<Select>,
    pub terms: Vec<Term>,
    pub sorts: Vec<OrderColumn>,
    /// The table of the order, if its primary key is among the terms, so that no two rows tie.
    pub table: Option<&'static Table>,
}

/// How one statement reads a page and its total.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TotalForm {
    /// With the count as a column of the page.
    Beside,
    /// With rows that are computed once, for the page and for the count.
    Whole,
}

impl CallerSelect {
    /// Analyzes a list through its SQL text, and says how its statements are written. Text that a caller wrote is read
    /// once. `is_stable`: all of its values are the same on each page, as its caller states.
    ///
    /// # Errors
    /// [`Misuse`] for a select that cannot be paged, such as one that locks rows.
    pub fn new(listing: Listing, is_stable: bool, dialect: Dialect) -> Result<(Arc<Self>, Renderer)> {
        let raw = match listing {
            Listing::Select(statement) => {
                let select = Self::of_select(*statement, dialect)?.checked(is_stable)?;
                let renderer = select.renderer.clone();
                return Ok((Arc::new(select), renderer));
            }
            Listing::Text(raw) => raw,
            Listing::Misused(text) => return Err(Misuse::new(text)),
        };
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let RawSql { texts, values, checked_for } = &raw;
        let key = TextKey { dialect, texts: texts.clone(), checked_for: *checked_for, values: values.len(), is_stable };
        let select = match READ.find(&key) {
            Some(select) => select,
            None => {
                let mut select = Self::of_text(&raw, dialect)?.checked(is_stable)?;
                let size = texts.iter().map(|text| text.len()).fold(0, usize::saturating_add);
                if size <= LARGEST_TEXT {
                    select.number = Some(NEXT.fetch_add(1, Ordering::Relaxed));
                    READ.insert(key, select, size.saturating_mul(8).saturating_add(size_of::<Self>()))
                } else {
                    Arc::new(select)
                }
            }
        };
        let renderer = Renderer { values: raw.values.into(), ..select.renderer.clone() };
        Ok((select, renderer))
    }

    /// The select as its caller states it, unless a proxy could not merge its pages and its count.
    fn checked(self, is_stable: bool) -> Result<Self> {
        let select = self.checked_mergeable()?;
        Ok(if is_stable { Self { volatile: Vec::new(), ..select } } else { select })
    }

    /// Rejects a select of which a proxy could not merge the pages and the count, because they would have a derived
    /// table.
    fn checked_mergeable(self) -> Result<Self> {
        let is_flat = self.shape.kind == Kind::Plain && self.parts.is_some() && !self.is_limited();
        if is_flat || !self.dialect().facts().is_plain {
            return Ok(self);
        }
        Err(Misuse::new(
            "with `Folio::plain_statements`, a page is one SELECT without a derived table, which SQL text, UNION, DISTINCT, \
             GROUP BY, and a limit of the select's own would need: write it with sea-query as one SELECT over its tables, or \
             read from a server that has all rows",
        ))
    }

    fn of_select(mut statement: SelectStatement, dialect: Dialect) -> Result<Self> {
        // sea-query has no getters. It writes LIMIT and OFFSET last, so if the select has one, its value is the last of
        // that kind.
        let whole = Sql::of_select(dialect, &statement);
        let number = |keyword| match whole.last_after(keyword) {
            Some(Param::Constant(Value::BigUnsigned(number))) => *number,
            _ => None,
        };
        let has = |reset: fn(&mut SelectStatement) -> &mut SelectStatement| *reset(&mut statement.clone()) != statement;
        let limit = number(" LIMIT ").filter(|_| has(SelectStatement::reset_limit));
        let offset = number(" OFFSET ").filter(|_| has(SelectStatement::reset_offset));

        let ordered = Sql::of_select(dialect, statement.reset_limit().reset_offset());
        let text = Sql::of_select(dialect, statement.clear_order_by());
        let sql = text.text();
        let without_list = Sql::of_select(dialect, statement.clone().clear_selects()).text();
        let tokens = Tokens::of(dialect, &sql);
        let shape = Shape::of(&tokens, &Tokens::of(dialect, &without_list))?;
        let parts = if shape.is_regular { parts(&text, &tokens, shape.kind) } else { None };
        let order = match ordered.text().strip_prefix(&sql) {
            Some(order) => ordered.part(sql.len()..sql.len().saturating_add(order.len())),
            None => Sql::new(dialect),
        };
        let volatile = volatile::columns_of(dialect, &tokens.read);
        let renderer = Renderer { dialect, source: None, values: [].into(), selects_star: may_select_star(&sql) };
        let offset = offset.unwrap_or(0);
        Ok(Self { text, ordered, order, parts, shape, volatile, renderer, limit, offset, number: None })
    }

    fn of_text(raw: &RawSql, dialect: Dialect) -> Result<Self> {
        let texts = raw.texts_for(dialect)?;
        let (source, shape) = SqlSource::new(&texts, raw.values.len(), dialect)?;
        let text = source.all();
        let selects_star = texts.iter().any(|text| may_select_star(text));
        let renderer = Renderer { dialect, source: Some(Arc::new(source)), values: [].into(), selects_star };
        let columns = |text| volatile::columns_of(dialect, &Tokens::of(dialect, text).read);
        let volatile = texts.iter().flat_map(|text| columns(text)).collect();
        let (ordered, order) = (text.clone(), Sql::new(dialect));
        Ok(Self { text, ordered, order, parts: None, shape, volatile, renderer, limit: None, offset: 0, number: None })
    }

    pub fn dialect(&self) -> Dialect {
        self.renderer.dialect
    }

    fn is_text(&self) -> bool {
        self.renderer.source.is_some()
    }

    /// Whether only the select as a whole can be used.
    fn is_whole(&self) -> bool {
        self.shape.kind == Kind::Whole || self.is_text()
    }

    /// All rows of the list.
    pub fn all(&self) -> Sql {
        match self.all_in_parts() {
            Some(parts) => parts.sql(),
            None if self.is_limited() => {
                let (limit, offset) = self.window();
                limited(self.ordered.clone(), Some(limit), Some(&offset))
            }
            None if self.shape.order_selects_rows => self.ordered.clone(),
            None => self.text.clone(),
        }
    }

    /// All rows of the list, if columns can be added to the select.
    fn all_in_parts(&self) -> Option<Select> {
        let parts = self.parts.clone()?;
        let parts = if self.is_limited() || self.shape.order_selects_rows { self.in_order(parts) } else { parts };
        let (limit, offset) = self.window();
        Some(if self.is_limited() { parts.limit(limit).offset(Some(offset)) } else { parts })
    }

    /// The select's own limit and offset, in numbers that every database takes. Some databases have no OFFSET without
    /// LIMIT.
    fn window(&self) -> (Number, Param) {
        let limit = self.limit.unwrap_or(UNLIMITED).min(UNLIMITED);
        (Number::Bound(limit), Param::Constant(self.offset.min(UNLIMITED).into()))
    }

    /// The parts, with the select's own order.
    fn in_order(&self, mut parts: Select) -> Select {
        parts.rest = parts.rest.append(&self.order);
        parts
    }

    /// The count of all rows: over the same FROM and WHERE if the result is the same, or else over a derived table.
    /// With `up_to`, no more rows than that are counted.
    pub fn count(&self, up_to: Option<u64>) -> Select {
        // Without the list, SQLite would read an alias in the WHERE clause as a text.
        let needs_list = self.renderer.dialect.facts().reads_unknown_names_as_texts && self.shape.has_aliases();
        let in_place = !self.is_whole() && self.shape.kind != Kind::Computed && !self.is_limited() && !needs_list;
        match self.parts.clone().filter(|_| in_place) {
            Some(parts) => counted(parts, up_to),
            None => counted(Select::from_derived(&self.all(), DERIVED), up_to),
        }
    }

    /// How a page and its total are read together; `None` if they need a statement each. `is_keyed` says whether the
    /// page is of the select with its key, in an order that replaces its own.
    pub(crate) fn total_form(&self, is_keyed: bool) -> Option<TotalForm> {
        let takes_columns = self.shape.is_regular || self.is_text();
        if self.shape.counts_apart || !takes_columns && !self.shape.ends_in_window {
            return None;
        }
        let is_whole = is_keyed && self.shape.is_computed && takes_columns;
        Some(if is_whole { TotalForm::Whole } else { TotalForm::Beside })
    }

    /// A page with the total as its last column.
    pub fn with_total(&self, page: Select, form: TotalForm, up_to: Option<u64>) -> Sql {
        match form {
            TotalForm::Beside => total::beside(page, &self.count(up_to), false).sql(),
            TotalForm::Whole => total::beside_whole(page, &self.all()),
        }
    }

    /// Rejects a select that cannot be paged by number.
    ///
    /// # Errors
    /// [`Misuse`] for an order or a limit in raw SQL.
    pub(crate) fn check_numbered(&self) -> Result<()> {
        if self.is_text() {
            return Err(Misuse::new(
                "a page of SQL text needs an order: add `order_by` with columns that end in a unique one, such as \
                 `.order_by(Column::<i64>::new(\"id\"))`",
            ));
        }
        self.check_tail()
    }

    /// Rejects a select whose end cannot be replaced. SQL text was checked when it was read.
    ///
    /// # Errors
    /// [`Misuse`] for an order or a limit in raw SQL.
    pub fn check_tail(&self) -> Result<()> {
        if self.shape.raw_tail && !self.is_text() {
            return Err(Misuse::new(
                "the select has ORDER BY, LIMIT or OFFSET in raw SQL, where no page can be cut from it: write them with \
                 sea-query's `order_by`, `limit` and `offset`",
            ));
        }
        Ok(())
    }

    /// The select with the primary key of its table after its own order, so that the order is total; `None` if it cannot
    /// have it there.
    pub(crate) fn with_tie_breaker(&self, table: &Table) -> Option<Self> {
        let repeats_no_row = self.shape.kind == Kind::Plain && !self.is_text() && !self.shape.order_selects_rows;
        let from = self.shape.table.as_ref().filter(|from| repeats_no_row && is_table(from, table));
        let from = from.filter(|_| !self.order.is_empty())?;
        let name = from.alias.as_ref().unwrap_or(&from.name);
        let order = table
            .primary_key()
            .fold(self.order.clone(), |order, key| order.push(", ").column(name, key.name).push(" ASC"));
        Some(Self { order, ..self.clone() })
    }

    /// A page in the select's own order, if a column can be added to it. sea-query writes nothing after a WINDOW
    /// clause, so such a select is a derived table.
    pub(crate) fn page_in_parts(&self, slice: Slice) -> Option<Select> {
        let parts = match &self.parts {
            _ if self.shape.ends_in_window => Select::all_of(&self.ordered, DERIVED),
            parts => self.in_order(parts.clone()?),
        };
        let (limit, offset) = self.within_limits(slice);
        Some(parts.limit(limit).offset(offset))
    }

    /// A page in the select's own order.
    pub fn page(&self, slice: Slice) -> Sql {
        if let Some(parts) = self.page_in_parts(slice) {
            return parts.sql();
        }
        let (limit, offset) = self.within_limits(slice);
        limited(self.ordered.clone(), Some(limit), offset.as_ref())
    }

    /// The limit and the offset of a slice of the list, in the select without its own.
    fn within_limits(&self, slice: Slice) -> (Number, Option<Param>) {
        let offset = self.offset.saturating_add(slice.offset).min(UNLIMITED);
        let limit = self.limit.map_or(slice.limit, |limit| limit.saturating_sub(slice.offset).min(slice.limit));
        (Number::Bound(limit), (offset > 0).then(|| Param::Constant(offset.into())))
    }

    /// The select with the columns of `terms` among its own. Those from `given` on only break ties.
    ///
    /// # Errors
    /// [`Misuse`] for a term whose column the select does not have, or whose value changes between
    /// pages.
    pub fn keyed(&self, terms: Vec<Term>, given: usize) -> Result<Keyed> {
        check_terms(&terms)?;
        volatile::check_terms(self.dialect(), &terms)?;
        volatile::check_columns(&self.volatile, &terms)?;
        let key = self.key(terms, given)?;
        let in_place = self.takes_conditions(&key);
        if !in_place && self.dialect().facts().is_plain {
            return Err(Misuse::new(
                "with `Folio::plain_statements`, a select is sorted by columns of its tables: an alias, or an expression in a \
                 select with aliases, would need a derived table",
            ));
        }
        let sorts: Vec<_> = key.iter().map(|column| column.sort(in_place)).collect();
        check_mergeable(self.dialect(), &sorts)?;
        let unknown = AccessPath::unknown(self.dialect());
        // No index has the rows of groups. MariaDB would add the branch to their HAVING, where it may find a column's name
        // ambiguous.
        let has_index = self.shape.kind != Kind::Whole || self.is_text();
        Ok(Keyed {
            base: self.base(&key, in_place),
            access: if has_index { unknown } else { unknown.without_false_branch() },
            arms: self.arms(),
            sorts,
            table: self.table_of_order(&key),
            terms: key.into_iter().map(|column| column.term).collect(),
        })
    }

    /// Whether conditions on the key can be added to the select itself.
    fn takes_conditions(&self, key: &[KeyColumn]) -> bool {
        // ORDER BY may read a column in an expression as a column of the result.
        let may_be_alias = |term: &Term| term.expression().is_some() && self.shape.has_aliases();
        self.shape.kind == Kind::Plain
            && !self.is_whole()
            && !self.is_limited()
            && key.iter().all(|column| column.is_from() && !may_be_alias(&column.term))
    }

    /// All rows, with the columns of the key in their result.
    fn base(&self, key: &[KeyColumn], in_place: bool) -> Select {
        let Some(parts) = self.all_in_parts() else { return Select::all_of(&self.all(), DERIVED) };
        let select = key.iter().fold(parts, |select, KeyColumn { place, name, .. }| match place {
            Place::From(column) => select.expr_as(column, name),
            Place::Result(_) => select,
        });
        if in_place { select } else { Select::all_of(&select.sql(), DERIVED) }
    }

    /// The columns of the key. Those that folio selects get names that the result does not have. Tie-breakers that the
    /// select does not have are dropped.
    fn key(&self, terms: Vec<Term>, given: usize) -> Result<Vec<KeyColumn>> {
        let mut free = (0..).map(key_name).filter(|name| !self.shape.has_output(name));
        let written = terms.get(..given).unwrap_or(&terms).to_vec();
        let column = |(at, term)| match self.place(&term) {
            // Grouped or deduplicated rows may not have the primary key that would break ties.
            Err(_) if at >= given => None,
            _ if at >= given && self.has_other_name(&term, &written) => None,
            place => Some(place.map(|place| KeyColumn::new(term, place, &mut free))),
        };
        terms.into_iter().enumerate().filter_map(column).collect()
    }

    /// Whether the order names a tie-breaker's table only by aliases, so that the select does not know it by this name. In
    /// a join of a table to itself, the FROM clause begins with the name.
    fn has_other_name(&self, term: &Term, written: &[Term]) -> bool {
        let is_same = |other: &&Term| other.table.map(|table| table.name) == term.table.map(|table| table.name);
        let mut names = written.iter().filter(is_same).map(Term::qualifier).peekable();
        let is_first = self.shape.first.as_deref() == term.qualifier();
        names.peek().is_some() && !is_first && names.all(|name| name != term.qualifier())
    }

    /// The selects from which a page can be read by itself, if there are several.
    fn arms(&self) -> Vec<Select> {
        let united = self.renderer.source.as_ref().filter(|source| source.has_arms());
        united.map(|source| source.arms().collect()).unwrap_or_default()
    }

    fn place(&self, term: &Term) -> Result<Place> {
        if term.expression().is_some() {
            return self.place_of_expression(term);
        }
        match self.look_up(term) {
            Some(found) => self.output(term, found).map(Place::Result),
            None => Ok(Place::From(self.column(term))),
        }
    }

    /// Looks for a term's column in the result; `None` if it is a table's. As in ORDER BY, an unqualified name refers
    /// to a column of the result first, and then to a table's.
    fn look_up(&self, term: &Term) -> Option<Lookup> {
        let name = term.key.name;
        match term.qualifier() {
            None if self.is_whole() || self.shape.is_of_result(name) => Some(self.shape.output(name)),
            Some(qualifier) if self.is_whole() => Some(self.shape.output_of(qualifier, name)),
            _ => None,
        }
    }

    /// The name of a term's column in the result.
    fn output(&self, term: &Term, found: Lookup) -> Result<String> {
        match found {
            Lookup::Found(output) => Ok(output),
            Lookup::Ambiguous(output) => Err(Misuse::new(format!(
                "the order has {}, but several columns of the select are named `{output}`: give them aliases, and order \
                 by `Column::new(\"…\")` with one of these",
                written(term)
            ))),
            // Before the first page of SQL text, its columns are looked up.
            Lookup::Missing if self.is_text() && term.qualifier().is_none() => Ok(term.key.name.to_owned()),
            Lookup::Missing => Err(Misuse::new(format!(
                "the order has {}, which is not among the columns of the select's result: select it, or order by \
                 `Column::new(\"…\")` with a column that is",
                written(term)
            ))),
        }
    }

    /// An expression of the order is evaluated inside the select, where its columns are.
    fn place_of_expression(&self, term: &Term) -> Result<Place> {
        if self.is_whole() {
            return Err(Misuse::new(format!(
                "the order has the expression `{0}`, which cannot be evaluated inside SQL text, or inside a select that \
                 groups, unites or deduplicates rows: select it as `{0}`, and order by `Column::new(\"{0}\")`",
                term.key.name
            )));
        }
        term.check()?;
        Ok(Place::From(term.expr()))
    }

    /// A term's column in the FROM clause. If several tables have a column with an unqualified name, the select list
    /// decides.
    fn column(&self, term: &Term) -> Expr {
        let name = term.key.name;
        match (term.qualifier(), self.shape.qualifier_of(name)) {
            (None, Some(qualifier)) => Expr::col((qualifier.to_owned(), name)),
            (None, None) => self.renderer.dialect.unqualified(name),
            _ => term.expr(),
        }
    }

    /// Rows tie unless they all come from one table, whose primary key is part of the key.
    fn table_of_order(&self, key: &[KeyColumn]) -> Option<&'static Table> {
        let repeats_no_row = matches!(self.shape.kind, Kind::Plain | Kind::Disjunction);
        let from = self.shape.table.as_ref().filter(|_| repeats_no_row);
        from.and_then(|from| table_of(key, from)).filter(|table| has_primary_key(key, table))
    }

    fn is_limited(&self) -> bool {
        self.limit.is_some() || self.offset > 0
    }
}

/// A term's column as an error names it.
fn written(term: &Term) -> String {
    format!("`{}`", term.qualified_name())
}

/// A select in parts, by where its clauses are in its text: the list, what it reads from, and the conditions if others
/// can be added to them.
fn parts(text: &Sql, Tokens { sql, read, .. }: &Tokens<'_>, kind: Kind) -> Option<Select> {
    let clause = |keyword: &str| read.iter().find(|token| token.is_top_level(keyword));
    let (select, from) = (clause("SELECT")?, clause("FROM")?);
    let condition = clause("WHERE").filter(|_| kind == Kind::Plain);
    // One space precedes and follows each keyword.
    let part = |start: usize, end: usize| {
        text.part(start.saturating_add(1)..end.saturating_sub(1).max(start.saturating_add(1)))
    };
    let end = condition.map_or(sql.len().saturating_add(1), |condition| condition.start);
    let parts = Select::from(part(from.end(), end)).column(|_| part(select.end(), from.start));
    Some(match condition {
        Some(condition) => parts.and(Condition::conjunction(part(condition.end(), sql.len().saturating_add(1)))),
        None => parts,
    })
}

#[cfg(test)]
mod tests;
