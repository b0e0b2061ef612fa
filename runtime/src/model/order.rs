//! Orders of cursor pages: columns with a direction and a NULL position.
//!
//! A caller writes a [`CursorOrder`]: a column, a [`KeyOrder`] such as `Post::SCORE.desc().nulls_last()`, or a tuple of
//! them. A nullable column without a NULL position is not a [`CursorOrder`]. An order compiles to [`Term`]s, which
//! know their column's type only as data, and [`close_with_primary_key`] appends the tie-breaker. The SQL of an order
//! is written in [`crate::query`].

use std::fmt;

use sea_query::{ColumnName, Expr, IntoIden as _};

use crate::model::column::{Column, table_name};
use crate::model::table::{Direction, KeyColumn, Nulls, Table};
use crate::value::{ColumnValue, CursorValue, NullsUnstated, Variant};

impl<T> Column<T> {
    /// Sorts by this column in ascending order: the smallest value first.
    ///
    /// ```
    /// let order = folio::Column::<i64>::new("score").asc();
    /// assert_eq!(format!("{order:?}"), "score Asc");
    /// ```
    #[must_use]
    pub const fn asc(self) -> KeyOrder<T> {
        KeyOrder { column: self, direction: Direction::Asc, nulls: None }
    }

    /// Sorts by this column in descending order: the largest value first.
    ///
    /// ```
    /// let order = folio::Column::<i64>::new("score").desc();
    /// assert_eq!(format!("{order:?}"), "score Desc");
    /// ```
    #[must_use]
    pub const fn desc(self) -> KeyOrder<T> {
        KeyOrder { column: self, direction: Direction::Desc, nulls: None }
    }

    /// Sorts by this column in ascending order, with NULLs before all values.
    ///
    /// ```
    /// let order = folio::Column::<Option<i64>>::new("score").nulls_first();
    /// assert_eq!(format!("{order:?}"), "score Asc nulls First");
    /// ```
    #[must_use]
    pub const fn nulls_first(self) -> KeyOrder<T, true> {
        self.asc().nulls_first()
    }

    /// Sorts by this column in ascending order, with NULLs after all values.
    ///
    /// ```
    /// let order = folio::Column::<Option<i64>>::new("score").nulls_last();
    /// assert_eq!(format!("{order:?}"), "score Asc nulls Last");
    /// ```
    #[must_use]
    pub const fn nulls_last(self) -> KeyOrder<T, true> {
        self.asc().nulls_last()
    }
}

// For a message that says what to write. Without these methods, the compiler says that `erased` exists, but not for this
// column.
impl<T> Column<Option<T>> {
    #[doc(hidden)]
    #[must_use]
    pub fn erased(self) -> ErasedOrder
    where
        Option<T>: NullsUnstated,
    {
        CursorOrder::erased(self)
    }
}

impl<T> KeyOrder<Option<T>> {
    #[doc(hidden)]
    #[must_use]
    pub fn erased(self) -> ErasedOrder
    where
        Option<T>: NullsUnstated,
    {
        CursorOrder::erased(self)
    }
}

/// A column with a direction and an optional NULL position: one part of a [`CursorOrder`].
///
/// Created by [`Column::asc`] and [`Column::desc`]. `STATED` is whether the NULL position is stated. Nullable columns
/// need one, because the databases differ: PostgreSQL sorts NULLs after all values, SQLite, MySQL and MariaDB before
/// them.
///
/// ```
/// use folio::Column;
///
/// let order = Column::<Option<i32>>::new("score").desc().nulls_last();
/// assert_eq!(format!("{order:?}"), "score Desc nulls Last");
/// ```
pub struct KeyOrder<T, const STATED: bool = false> {
    column: Column<T>,
    direction: Direction,
    nulls: Option<Nulls>,
}

impl<T, const STATED: bool> Clone for KeyOrder<T, STATED> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const STATED: bool> Copy for KeyOrder<T, STATED> {}

impl<T> KeyOrder<T> {
    /// Places NULLs before all values, whatever the direction.
    ///
    /// ```
    /// let order = folio::Column::<Option<i64>>::new("score").desc().nulls_first();
    /// assert_eq!(format!("{order:?}"), "score Desc nulls First");
    /// ```
    #[must_use]
    pub const fn nulls_first(self) -> KeyOrder<T, true> {
        KeyOrder { column: self.column, direction: self.direction, nulls: Some(Nulls::First) }
    }

    /// Places NULLs after all values, whatever the direction.
    ///
    /// ```
    /// let order = folio::Column::<Option<i64>>::new("score").desc().nulls_last();
    /// assert_eq!(format!("{order:?}"), "score Desc nulls Last");
    /// ```
    #[must_use]
    pub const fn nulls_last(self) -> KeyOrder<T, true> {
        KeyOrder { column: self.column, direction: self.direction, nulls: Some(Nulls::Last) }
    }
}

impl<T, const STATED: bool> fmt::Debug for KeyOrder<T, STATED> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        sorted(f, self.column.name, self.direction, self.nulls)
    }
}

fn sorted(f: &mut fmt::Formatter<'_>, name: &str, direction: Direction, nulls: Option<Nulls>) -> fmt::Result {
    write!(f, "{name} {direction:?}")?;
    nulls.map_or(Ok(()), |nulls| write!(f, " nulls {nulls:?}"))
}

/// One column of an order, with its type as data.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Term {
    pub(crate) table: Option<&'static Table>,
    alias: Option<&'static str>,
    pub(crate) key: KeyColumn,
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        sorted(f, self.key.name, self.key.direction, self.key.nulls)
    }
}

/// See [`Term::identity`].
pub(crate) type TermIdentity = (Option<usize>, Option<&'static str>, KeyColumn);

impl Term {
    pub(crate) fn of_table(table: &'static Table, key: KeyColumn) -> Self {
        Self { table: Some(table), alias: None, key }
    }

    /// The column as an expression, qualified by its alias or table.
    pub(crate) fn expr(&self) -> Expr {
        Expr::Column(ColumnName(table_name(self.table, self.alias), self.key.name.into_iden()).into())
    }

    /// A value that identifies the term, for use in a cache key. Tables are static, so an address identifies one.
    pub(crate) fn identity(&self) -> TermIdentity {
        (self.table.map(|table| std::ptr::from_ref(table).addr()), self.alias, self.key)
    }

    /// The name that qualifies the column: the alias, else the table.
    pub(crate) fn qualifier(&self) -> Option<&'static str> {
        self.alias.or(self.table.map(|table| table.name))
    }

    /// The variant of the column's type, and whether it can be NULL.
    pub(crate) fn kind(&self) -> (Variant, bool) {
        (self.key.variant, self.key.nulls.is_some())
    }

    /// The same column in the other direction. Its NULLs stay where they are.
    pub(crate) fn reversed(mut self) -> Self {
        self.key.direction = self.key.direction.flip();
        self
    }

    /// The alias, or else the schema and the name, of its table, and the column's name.
    fn place(&self) -> impl PartialEq + use<> {
        let table = self.table.filter(|_| self.alias.is_none());
        (self.alias, table.map(|table| (table.schema, table.name)), self.key.name)
    }

    fn is_column(&self, table: &'static Table, name: &str) -> bool {
        self.key.name == name && self.table.is_none_or(|own| own.name == table.name)
    }
}

/// Appends the tie-breaker: the missing primary key columns of each table in the terms, and of the model's.
///
/// Only a total order loses no rows. The columns are appended in the direction of the last term, so that one index
/// serves both directions.
pub(crate) fn close_with_primary_key(model: Option<&'static Table>, mut terms: Vec<Term>) -> Vec<Term> {
    let direction = terms.last().map_or(Direction::Asc, |term| term.key.direction);
    let of_terms = terms.iter().filter_map(|term| term.table.map(|table| (table, term.alias)));
    let mut owners: Vec<_> = of_terms.collect();
    // Unqualified columns may be the model's.
    if let Some(model) = model.filter(|model| !owners.iter().any(|(table, _)| table.name == model.name)) {
        owners.push((model, None));
    }
    for (table, alias) in owners {
        for key in table.primary_key() {
            if !terms.iter().any(|term| term.is_column(table, key.name)) {
                terms.push(Term { table: Some(table), alias, key: KeyColumn { direction, ..key } });
            }
        }
    }
    terms
}

/// The order of cursor pages: a [`Column`], optionally with `.asc()`, `.desc()`, `.nulls_first()` or `.nulls_last()`,
/// or a tuple of up to eight of these.
///
/// - Nullable columns have to state their NULL position, because the databases differ. Leaving it out is a compile
///   error.
/// - If the columns are a model's, missing primary key columns are appended as a tie-breaker. Otherwise the last column
///   has to be unique; a page that ends between rows that tie is an error.
/// - Cursors are bound to their order. If you change it, clients' cursors become invalid.
///
/// Pass an order to [`Builder::cursor_by`](crate::Builder::cursor_by) or
/// [`Pagination::cursor`](crate::Pagination::cursor). For the index that makes it fast, see the guide's chapter
/// [`cursor_keys`](crate::guide::cursor_keys).
///
/// ```
/// use folio::{Column, CursorOrder};
///
/// const SCORE: Column<Option<i32>> = Column::new("score");
/// const ID: Column<i64> = Column::new("id");
///
/// assert_eq!(format!("{:?}", ID.erased()), "[id Asc]");
/// assert_eq!(format!("{:?}", (SCORE.desc().nulls_last(), ID).erased()), "[score Desc nulls Last, id Asc]");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a valid cursor order",
    label = "write a column, one with `.desc()`, or a tuple of up to eight of them"
)]
pub trait CursorOrder: Sized {
    #[doc(hidden)]
    fn terms(self) -> Vec<Term>;

    /// Erases the order's type, so that orders of different columns fit into one variable. Use it for an order that is
    /// chosen at run time; for one that the client chooses, see [`Sorts`](crate::Sorts).
    ///
    /// ```
    /// use folio::{Column, CursorOrder};
    ///
    /// const SCORE: Column<i32> = Column::new("score");
    /// const TITLE: Column<String> = Column::new("title");
    /// const ID: Column<i64> = Column::new("id");
    ///
    /// let order = match "title" {
    ///     "title" => TITLE.erased(),
    ///     _ => SCORE.desc().erased(),
    /// };
    /// assert_eq!(format!("{:?}", order.then(ID)), "[title Asc, id Asc]");
    /// ```
    fn erased(self) -> ErasedOrder {
        ErasedOrder(self.terms())
    }
}

/// A [`CursorOrder`] whose columns are only known at run time, from [`erased`](CursorOrder::erased) or
/// [`Sorts`](crate::Sorts), which reads the order that a client asks for.
///
/// ```
/// use folio::{Column, CursorOrder, ErasedOrder};
///
/// /// The order of a list that is either a feed or an index.
/// fn order(is_feed: bool) -> ErasedOrder {
///     if is_feed { Column::<i64>::new("id").desc().erased() } else { Column::<String>::new("title").erased() }
/// }
/// assert_eq!(format!("{:?}", order(true)), "[id Desc]");
/// ```
#[derive(Clone)]
pub struct ErasedOrder(Vec<Term>);

impl ErasedOrder {
    /// Appends another order, which sorts the rows that are equal in this one.
    ///
    /// ```
    /// use folio::{Column, CursorOrder};
    ///
    /// let order = Column::<i32>::new("score").desc().erased().then(Column::<i64>::new("id"));
    /// assert_eq!(format!("{order:?}"), "[score Desc, id Asc]");
    /// ```
    #[must_use]
    pub fn then(mut self, order: impl CursorOrder) -> Self {
        self.0.extend(order.terms());
        self
    }

    /// The order by these terms, each column where it occurs first. Later occurrences sort rows that are equal in it.
    pub(crate) fn without_repeats(mut terms: Vec<Term>) -> Self {
        let mut places = Vec::new();
        terms.retain(|term| {
            let is_new = !places.contains(&term.place());
            if is_new {
                places.push(term.place());
            }
            is_new
        });
        Self(terms)
    }
}

impl CursorOrder for ErasedOrder {
    fn terms(self) -> Vec<Term> {
        self.0
    }
}

impl fmt::Debug for ErasedOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0).finish()
    }
}

impl<T: ColumnValue> CursorOrder for Column<T> {
    fn terms(self) -> Vec<Term> {
        self.asc().terms()
    }
}

impl<T: ColumnValue> CursorOrder for KeyOrder<T> {
    fn terms(self) -> Vec<Term> {
        const { assert!(!T::NULLABLE, "a type with `NULLABLE` does not implement `folio::ColumnValue`") }
        vec![self.term()]
    }
}

impl<T: CursorValue> CursorOrder for KeyOrder<T, true> {
    fn terms(self) -> Vec<Term> {
        vec![self.term()]
    }
}

impl<T: CursorValue, const STATED: bool> KeyOrder<T, STATED> {
    fn term(self) -> Term {
        let Column { table, alias, name, .. } = self.column;
        Term { table, alias, key: KeyColumn::new(name, T::__KIND, self.direction, self.nulls) }
    }
}

macro_rules! tuples {
    ($($($part:ident)+;)*) => {$(
        impl<$($part: CursorOrder),+> CursorOrder for ($($part,)+) {
            fn terms(self) -> Vec<Term> {
                #[expect(non_snake_case, reason = "named after their types")]
                let ($($part,)+) = self;
                let mut terms = Vec::new();
                $(terms.extend($part.terms());)+
                terms
            }
        }
    )*};
}
tuples! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
}
