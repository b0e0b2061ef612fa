//! Orders of cursor pages: columns with a direction and a NULL position.
//!
//! A caller writes an [`IntoOrder`]: a column, a [`Sort`] such as `Post::SCORE.desc().nulls_last()`, or a tuple of
//! them. A nullable column without a NULL position is not an [`IntoOrder`]. An order compiles to [`Term`]s.
//!
//! A query over `Post` takes each [`OrderOf<Post>`](OrderOf). So an order by a column of another model does not
//! compile, as with filters: see [`filter`](super::filter).

use std::fmt;

use folio_plan::schema::table::{Direction, KeyColumn, Nulls};
use folio_plan::schema::term::{Term, sorted};

use crate::schema::column::Column;
use crate::schema::filter::{AnyModel, SameModel};
use crate::value::{ColumnValue, CursorValue, NullsUnstated};

impl<T, M> Column<T, M> {
    /// Sorts by this column in ascending order: the smallest value first.
    ///
    /// ```
    /// let order = folio::Column::<i64>::new("score").asc();
    /// assert_eq!(format!("{order:?}"), "score Asc");
    /// ```
    #[must_use]
    pub const fn asc(self) -> Sort<T, false, M> {
        Sort { column: self, direction: Direction::Asc, nulls: None }
    }

    /// Sorts by this column in descending order: the largest value first.
    ///
    /// ```
    /// let order = folio::Column::<i64>::new("score").desc();
    /// assert_eq!(format!("{order:?}"), "score Desc");
    /// ```
    #[must_use]
    pub const fn desc(self) -> Sort<T, false, M> {
        Sort { column: self, direction: Direction::Desc, nulls: None }
    }

    /// Sorts by this column in ascending order, with NULLs before all values.
    ///
    /// ```
    /// let order = folio::Column::<Option<i64>>::new("score").nulls_first();
    /// assert_eq!(format!("{order:?}"), "score Asc nulls First");
    /// ```
    #[must_use]
    pub const fn nulls_first(self) -> Sort<T, true, M> {
        self.asc().nulls_first()
    }

    /// Sorts by this column in ascending order, with NULLs after all values.
    ///
    /// ```
    /// let order = folio::Column::<Option<i64>>::new("score").nulls_last();
    /// assert_eq!(format!("{order:?}"), "score Asc nulls Last");
    /// ```
    #[must_use]
    pub const fn nulls_last(self) -> Sort<T, true, M> {
        self.asc().nulls_last()
    }
}

// For a message that says what to write. Without these methods, the compiler says that `erased` exists, but not for
// this column.
impl<T, M> Column<Option<T>, M> {
    #[doc(hidden)]
    #[must_use]
    pub fn erased(self) -> Order
    where
        Option<T>: NullsUnstated,
    {
        IntoOrder::erased(self)
    }
}

impl<T, M> Sort<Option<T>, false, M> {
    #[doc(hidden)]
    #[must_use]
    pub fn erased(self) -> Order
    where
        Option<T>: NullsUnstated,
    {
        IntoOrder::erased(self)
    }
}

/// A column with a direction and an optional NULL position: an element of an [`IntoOrder`].
///
/// Created by [`Column::asc`] and [`Column::desc`]. `M` is the column's model, and `STATED` is `true` if the NULL
/// position is stated. Nullable columns need one, because the databases differ: in ascending order, PostgreSQL sorts
/// NULLs after all values, and SQLite, MySQL and MariaDB before them.
///
/// ```
/// use folio::Column;
///
/// let order = Column::<Option<i32>>::new("score").desc().nulls_last();
/// assert_eq!(format!("{order:?}"), "score Desc nulls Last");
/// ```
pub struct Sort<T, const STATED: bool = false, M = AnyModel> {
    column: Column<T, M>,
    direction: Direction,
    nulls: Option<Nulls>,
}

impl<T, const STATED: bool, M> Clone for Sort<T, STATED, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const STATED: bool, M> Copy for Sort<T, STATED, M> {}

impl<T, M> Sort<T, false, M> {
    /// Places NULLs before all values, whatever the direction.
    ///
    /// ```
    /// let order = folio::Column::<Option<i64>>::new("score").desc().nulls_first();
    /// assert_eq!(format!("{order:?}"), "score Desc nulls First");
    /// ```
    #[must_use]
    pub const fn nulls_first(self) -> Sort<T, true, M> {
        Sort { column: self.column, direction: self.direction, nulls: Some(Nulls::First) }
    }

    /// Places NULLs after all values, whatever the direction.
    ///
    /// ```
    /// let order = folio::Column::<Option<i64>>::new("score").desc().nulls_last();
    /// assert_eq!(format!("{order:?}"), "score Desc nulls Last");
    /// ```
    #[must_use]
    pub const fn nulls_last(self) -> Sort<T, true, M> {
        Sort { column: self.column, direction: self.direction, nulls: Some(Nulls::Last) }
    }
}

impl<T, const STATED: bool, M> fmt::Debug for Sort<T, STATED, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        sorted(f, self.column.name, self.direction, self.nulls)
    }
}

/// The order of a list: a [`Column`], optionally with `.asc()`, `.desc()`, `.nulls_first()` or `.nulls_last()`, or a
/// tuple of up to eight of these. It can also contain expressions: see [`NamedExpr`](crate::NamedExpr).
///
/// - Nullable columns have to state their NULL position, because the databases differ. Leaving it out is a compile
///   error.
/// - If the columns belong to a model, missing primary key columns are appended as a tie-breaker. Otherwise the order
///   has to end with columns that identify a row; a cursor page that would end between rows that tie fails.
/// - Cursors are bound to their order. If you change the order, clients' cursors become invalid.
///
/// Pass an order to [`Builder::order_by`](crate::Builder::order_by), [`Builder::cursor_by`](crate::Builder::cursor_by),
/// [`Select::order_by`](crate::Select::order_by) or [`Pagination::cursor`](crate::Pagination::cursor). For the index
/// that makes it fast, see the guide's chapter [`cursor_keys`](crate::guide::cursor_keys).
///
/// ```
/// use folio::{Column, IntoOrder};
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
pub trait IntoOrder: Sized {
    #[doc(hidden)]
    fn terms(self) -> Vec<Term>;

    /// Erases the order's type, so that a variable can hold orders of different columns. Use it for an order that is
    /// chosen at run time. For one that the client chooses, see [`Sorts`](crate::Sorts).
    ///
    /// ```
    /// use folio::{Column, IntoOrder};
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
    fn erased(self) -> Order {
        Order(self.terms())
    }
}

/// An order that [`Builder::order_by`](crate::Builder::order_by) and [`Builder::cursor_by`](crate::Builder::cursor_by)
/// accept in a query over `M`: an [`IntoOrder`] by
///
/// - columns of `M`, and columns without a model
/// - expressions, and an [`Order`], whose columns are only known at run time; if one of these is a column of another
///   table, the query fails when it runs
///
/// ```
/// use folio::{Column, IntoOrder, OrderOf, Paginate};
///
/// #[derive(sqlx::FromRow, Paginate)]
/// struct Post {
///     id: i64,
///     title: String,
/// }
/// const ID: Column<i64> = Column::new("id");
///
/// fn takes(_: impl OrderOf<Post>) {}
/// takes((Post::TITLE.desc(), Post::ID));
/// takes(ID);
/// takes(Post::TITLE.erased());
/// ```
///
/// An order by a column of another model does not compile:
///
/// ```compile_fail,E0277
/// # use folio::{OrderOf, Paginate};
/// # #[derive(sqlx::FromRow, Paginate)]
/// # struct Post { id: i64 }
/// # fn takes(_: impl OrderOf<Post>) {}
/// #[derive(sqlx::FromRow, Paginate)]
/// struct Comment {
///     id: i64,
/// }
/// takes(Comment::ID);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot sort a query over `{M}`",
    label = "write a column, one with `.desc()`, or a tuple of up to eight of them",
    note = "for a parameter that is an `impl IntoOrder`, write `impl OrderOf<{M}>`, or call `.erased()`"
)]
pub trait OrderOf<M>: IntoOrder {}

/// A model whose columns can sort rows of the model `M`.
#[diagnostic::on_unimplemented(
    message = "a column of `{Self}` cannot sort a query over `{M}`",
    label = "this is a column of `{Self}`",
    note = "to sort by a value of `{Self}`, write a subquery in `Column::expr`, or pass a join of both to `Select`",
    note = "if both are models of the same table, write `.any_model()` after the column"
)]
pub trait SortsRowsOf<M> {}

// The compiler's message is about this trait, and not about the one for filters.
#[diagnostic::do_not_recommend]
impl<M, N: SameModel<M>> SortsRowsOf<M> for N {}

/// An [`IntoOrder`] whose columns are only known at run time. [`erased`](IntoOrder::erased) creates one, and
/// [`Sorts`](crate::Sorts) returns one for the order that a client asks for.
///
/// ```
/// use folio::{Column, IntoOrder, Order};
///
/// /// The order of a list that is either a feed or an index.
/// fn order(is_feed: bool) -> Order {
///     if is_feed { Column::<i64>::new("id").desc().erased() } else { Column::<String>::new("title").erased() }
/// }
/// assert_eq!(format!("{:?}", order(true)), "[id Desc]");
/// ```
#[derive(Clone)]
pub struct Order(Vec<Term>);

impl Order {
    /// Appends another order, for rows that are equal in this one.
    ///
    /// ```
    /// use folio::{Column, IntoOrder};
    ///
    /// let order = Column::<i32>::new("score").desc().erased().then(Column::<i64>::new("id"));
    /// assert_eq!(format!("{order:?}"), "[score Desc, id Asc]");
    /// ```
    #[must_use]
    pub fn then(mut self, order: impl IntoOrder) -> Self {
        self.0.extend(order.terms());
        self
    }

    /// The order by these terms, without repeated columns: a later occurrence does not change the order.
    pub(crate) fn without_repeats(terms: Vec<Term>) -> Self {
        let mut kept: Vec<Term> = Vec::with_capacity(terms.len());
        for term in terms {
            if !kept.iter().any(|other| term.repeats(other)) {
                kept.push(term);
            }
        }
        Self(kept)
    }
}

impl IntoOrder for Order {
    fn terms(self) -> Vec<Term> {
        self.0
    }
}

impl<M> OrderOf<M> for Order {}

impl fmt::Debug for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0).finish()
    }
}

impl<T: ColumnValue, M> IntoOrder for Column<T, M> {
    fn terms(self) -> Vec<Term> {
        self.asc().terms()
    }
}

impl<T, M, N: SortsRowsOf<M>> OrderOf<M> for Column<T, N> where Self: IntoOrder {}

impl<T, const STATED: bool, M, N: SortsRowsOf<M>> OrderOf<M> for Sort<T, STATED, N> where Self: IntoOrder {}

impl<T: ColumnValue, M> IntoOrder for Sort<T, false, M> {
    fn terms(self) -> Vec<Term> {
        const { assert!(!T::NULLABLE, "a type with `NULLABLE` does not implement `folio::ColumnValue`") }
        vec![self.term()]
    }
}

impl<T: CursorValue, M> IntoOrder for Sort<T, true, M> {
    fn terms(self) -> Vec<Term> {
        vec![self.term()]
    }
}

impl<T: CursorValue, const STATED: bool, M> Sort<T, STATED, M> {
    fn term(self) -> Term {
        let Column { table, alias, name, .. } = self.column;
        Term::of_column(table, alias, KeyColumn::new(name, T::__KIND, self.direction, self.nulls))
    }
}

macro_rules! tuples {
    ($($($part:ident)+;)*) => {$(
        impl<$($part: IntoOrder),+> IntoOrder for ($($part,)+) {
            fn terms(self) -> Vec<Term> {
                #[expect(non_snake_case, reason = "named after their types")]
                let ($($part,)+) = self;
                let mut terms = Vec::new();
                $(terms.extend($part.terms());)+
                terms
            }
        }

        impl<M, $($part: OrderOf<M>),+> OrderOf<M> for ($($part,)+) {}
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
