//! Orders to walk by: columns with a direction, and where their NULLs lie.

use std::fmt;

use sea_query::{ColumnName, Expr, IntoIden as _};

use crate::model::column::{Column, table_name};
use crate::model::table::{Direction, KeyColumn, Nulls, Table};
use crate::value::{CursorValue, Variant};

impl<T> Column<T> {
    /// An order by this column, the smallest first.
    ///
    /// ```
    /// let order = folio::Column::<i64>::new("score").asc();
    /// assert_eq!(format!("{order:?}"), "score Asc");
    /// ```
    #[must_use]
    pub const fn asc(self) -> KeyOrder<T> {
        KeyOrder { column: self, direction: Direction::Asc, nulls: None }
    }

    /// An order by this column, the largest first.
    ///
    /// ```
    /// let order = folio::Column::<i64>::new("score").desc();
    /// assert_eq!(format!("{order:?}"), "score Desc");
    /// ```
    #[must_use]
    pub const fn desc(self) -> KeyOrder<T> {
        KeyOrder { column: self, direction: Direction::Desc, nulls: None }
    }

    /// An ascending order by this column, its NULLs before every value.
    ///
    /// ```
    /// let order = folio::Column::<Option<i64>>::new("score").nulls_first();
    /// assert_eq!(format!("{order:?}"), "score Asc nulls First");
    /// ```
    #[must_use]
    pub const fn nulls_first(self) -> KeyOrder<T, true> {
        self.asc().nulls_first()
    }

    /// An ascending order by this column, its NULLs after every value.
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

/// A column with its direction, and where its NULLs lie: one part of a [`CursorOrder`].
///
/// `STATED` is whether it says where its NULLs lie, which a column that may be NULL has to.
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
    /// The NULLs before every value.
    ///
    /// ```
    /// let order = folio::Column::<Option<i64>>::new("score").desc().nulls_first();
    /// assert_eq!(format!("{order:?}"), "score Desc nulls First");
    /// ```
    #[must_use]
    pub const fn nulls_first(self) -> KeyOrder<T, true> {
        KeyOrder { column: self.column, direction: self.direction, nulls: Some(Nulls::First) }
    }

    /// The NULLs after every value.
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

/// One column of an order, its type known by its tag only.
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

    /// The column in a FROM clause that has its table.
    pub(crate) fn expr(&self) -> Expr {
        Expr::Column(ColumnName(table_name(self.table, self.alias), self.key.name.into_iden()).into())
    }

    /// What tells the term from every other: its table by its place in memory.
    pub(crate) fn identity(&self) -> TermIdentity {
        (self.table.map(|table| std::ptr::from_ref(table).addr()), self.alias, self.key)
    }

    /// What the column is written behind.
    pub(crate) fn qualifier(&self) -> Option<&'static str> {
        self.alias.or(self.table.map(|table| table.name))
    }

    /// The tag of its type, and whether it can be NULL.
    pub(crate) fn kind(&self) -> (Variant, bool) {
        (self.key.variant, self.key.nulls.is_some())
    }

    fn is_column(&self, table: &'static Table, name: &str) -> bool {
        self.key.name == name && self.table.is_none_or(|own| own.name == table.name)
    }
}

/// The terms, followed by the missing primary key columns of each table that they name, and of the model's: only a
/// total order loses no row.
///
/// It goes the way of the last term, so that one index serves both directions.
pub(crate) fn close_with_primary_key(model: Option<&'static Table>, mut terms: Vec<Term>) -> Vec<Term> {
    let direction = terms.last().map_or(Direction::Asc, |term| term.key.direction);
    let of_terms = terms.iter().filter_map(|term| term.table.map(|table| (table, term.alias)));
    let mut owners: Vec<_> = of_terms.collect();
    // Columns that are written by their names alone are the model's, too.
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

/// An order to walk by: a [`Column`], one with `.asc()`, `.desc()`, `.nulls_first()` or `.nulls_last()`, or a tuple of
/// up to eight of them.
///
/// Nullable columns have to state their NULL position, because the databases differ. If the columns are a model's,
/// missing primary key columns are appended; otherwise the last column has to be unique.
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
    /// Whether every column that may be NULL says where its NULLs lie.
    #[doc(hidden)]
    const STATED: bool;

    #[doc(hidden)]
    fn terms(self) -> Vec<Term>;

    /// The order without its type, for one that is put together at run time, such as one that the client chooses.
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
        const { assert_stated::<Self>() }
        ErasedOrder(self.terms())
    }
}

/// Refuses to compile an order that leaves open where NULLs lie.
#[track_caller]
pub(crate) const fn assert_stated<O: CursorOrder>() {
    assert!(
        O::STATED,
        "a column that may be NULL is in the order; write `.nulls_first()` or `.nulls_last()` behind it"
    );
}

/// The terms of an order that says where NULLs lie.
pub(crate) fn stated<O: CursorOrder>(order: O) -> Vec<Term> {
    const { assert_stated::<O>() }
    order.terms()
}

/// A [`CursorOrder`] of any columns, made with [`erased`](CursorOrder::erased).
///
/// ```
/// use folio::{Column, CursorOrder, ErasedOrder};
///
/// /// The orders that a client may choose from.
/// fn order(sort: &str) -> Option<ErasedOrder> {
///     match sort {
///         "title" => Some(Column::<String>::new("title").erased()),
///         "newest" => Some(Column::<i64>::new("id").desc().erased()),
///         _ => None,
///     }
/// }
/// assert_eq!(format!("{:?}", order("newest")), "Some([id Desc])");
/// assert!(order("password").is_none());
/// ```
#[derive(Clone)]
pub struct ErasedOrder(Vec<Term>);

impl ErasedOrder {
    /// The order with another behind it.
    ///
    /// ```
    /// use folio::{Column, CursorOrder};
    ///
    /// let order = Column::<i32>::new("score").desc().erased().then(Column::<i64>::new("id"));
    /// assert_eq!(format!("{order:?}"), "[score Desc, id Asc]");
    /// ```
    #[must_use]
    pub fn then(mut self, order: impl CursorOrder) -> Self {
        self.0.extend(stated(order));
        self
    }
}

impl CursorOrder for ErasedOrder {
    const STATED: bool = true;

    fn terms(self) -> Vec<Term> {
        self.0
    }
}

impl fmt::Debug for ErasedOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0).finish()
    }
}

impl<T: CursorValue> CursorOrder for Column<T> {
    const STATED: bool = KeyOrder::<T>::STATED;

    fn terms(self) -> Vec<Term> {
        self.asc().terms()
    }
}

impl<T: CursorValue, const STATED: bool> CursorOrder for KeyOrder<T, STATED> {
    const STATED: bool = STATED || !T::NULLABLE;

    fn terms(self) -> Vec<Term> {
        let Column { table, alias, name, .. } = self.column;
        vec![Term { table, alias, key: KeyColumn::new(name, T::__KIND, self.direction, self.nulls) }]
    }
}

macro_rules! tuples {
    ($($($part:ident)+;)*) => {$(
        impl<$($part: CursorOrder),+> CursorOrder for ($($part,)+) {
            const STATED: bool = $($part::STATED)&&+;

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
