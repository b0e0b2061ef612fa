//! Small reads of a list: its count, whether it has rows, and single rows.

use std::any::type_name;

use folio_plan::cursor::{Cursor, CursorDirection};
use folio_plan::schema::column_check;
use sea_query::Expr;

use super::description::{List, Query};
use super::model::{Of, TableRows};
use super::rows::RowOf;
use super::source::{QueryRows, QuerySource};
use crate::driver::{FromDatabaseRow, RowSink, TypedRows};
use crate::error::{FrameworkError, Result};
use crate::model::{CursorKey as _, IdentifiedBy, Model};
use crate::read::{self, FacetColumn, MAX_LIMIT, TotalSource};
use crate::request::context::Context;
use crate::schema::column::Column;
use crate::schema::filter::SameModel;
use crate::schema::primary_key::PrimaryKey;
use crate::source::Borrowed;
use crate::source::using::Connect;
use crate::value::CursorValue;

impl<S: QuerySource, C: Connect> Query<S, C> {
    /// Counts the rows of the list, with one statement and without reading them. It is the total that a numbered page
    /// of the list has.
    ///
    /// [`count_up_to(n)`](Self::count_up_to) stops counting at `n`. With [`estimated_total`](Self::estimated_total),
    /// [`estimated_total_above`](Self::estimated_total_above) or [`with_total`](Self::with_total), the result is an
    /// estimate or the known number. What only concerns pages and their URLs has no effect.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// assert_eq!(Post::query().filter(Post::AUTHOR_ID.eq(7)).count().await?, 2);
    /// assert_eq!(Post::query().count_up_to(2).count().await?, 2);
    ///
    /// let titles = folio::Select::<(String,)>::sql("SELECT DISTINCT title FROM posts");
    /// assert_eq!(titles.count().await?, 2);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`paginate`](Self::paginate), and [`Internal`](FrameworkError::Internal) if the query sets a position,
    /// such as by [`page`](Self::page), [`cursor`](Self::cursor) or [`skip`](Self::skip). The active request's page
    /// number and cursor are ignored.
    pub async fn count(self) -> Result<u64> {
        let (list, _, mut connection) = self.into_parts();
        list.position.refuse_beside_list("count")?;
        list.count(connection.lend(), type_name::<S::Row>()).await
    }

    /// Whether the list has any rows, with one statement that reads at most one of them.
    ///
    /// Settings of totals, pages and their URLs have no effect.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// assert!(Post::query().filter(Post::TITLE.eq("a")).exists().await?);
    /// assert!(!Post::query().filter(Post::TITLE.eq("z")).exists().await?);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`count`](Self::count).
    pub async fn exists(self) -> Result<bool> {
        let (mut list, _, mut connection) = self.into_parts();
        list.position.refuse_beside_list("exists")?;
        list.total = TotalSource::CountedUpTo(1);
        Ok(list.count(connection.lend(), type_name::<S::Row>()).await? > 0)
    }

    /// Reads the first row of the list, with one statement; `None` if the list is empty.
    ///
    /// The list is sorted by [`order_by`](Self::order_by), [`cursor_by`](Self::cursor_by), or
    /// [`order_by_asc`](Self::order_by_asc) and [`order_by_desc`](Self::order_by_desc), with the primary key as the
    /// tie-breaker; without an order, by the model's cursor key. It costs as much as a first page of one row. The rows of
    /// a [`Select`](crate::Select) are sorted by `order_by`, or else by the statement's own ORDER BY; end the order with a
    /// unique column, because any of several rows that tie may be the first.
    ///
    /// Settings of totals, pages and their URLs have no effect.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let newest = Post::query().filter(Post::AUTHOR_ID.eq(7)).order_by(Post::ID.desc()).first().await?;
    /// assert_eq!(newest.map(|post| post.id), Some(2));
    /// assert!(Post::query().filter(Post::AUTHOR_ID.eq(9)).first().await?.is_none());
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`count`](Self::count), and:
    ///
    /// - [`Internal`](FrameworkError::Internal) if `cursor_by` gives cursor pages another order than numbered pages, and
    ///   for SQL text without an order
    /// - [`Database`](FrameworkError::Database) on MySQL and MariaDB for an order of a model by an ENUM or SET column, as
    ///   for a cursor page; write [`order_by_asc`](Self::order_by_asc) or [`order_by_desc`](Self::order_by_desc) instead
    pub async fn first(self) -> Result<Option<S::Row>> {
        let (list, reader, mut connection) = self.into_parts();
        let mut rows = TypedRows::new(reader, 1);
        list.first(connection.lend(), &mut rows).await?;
        Ok(rows.into_vec().pop())
    }
}

impl<M: Model, R: RowOf<M>, C: Connect> Query<Of<M, R>, C> {
    /// Reads the row with this primary key, with one statement; `None` if there is none, or if the filters of the query
    /// do not match it. So a row that a client names is only found in the list that the client may see.
    ///
    /// For a primary key of several columns, pass a tuple of their values. A value of another type does not compile. The
    /// order, and settings of totals, pages and their URLs, have no effect.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let own = || Post::query().filter(Post::AUTHOR_ID.eq(7));
    /// assert_eq!(own().find(2).await?.map(|post| post.title).as_deref(), Some("a"));
    /// assert!(own().find(3).await?.is_none(), "it is another author's");
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`count`](Self::count), and [`Internal`](FrameworkError::Internal) if several rows have the primary key,
    /// as those of a view may.
    pub async fn find<K>(self, key: impl PrimaryKey<K>) -> Result<Option<R>>
    where
        M: IdentifiedBy<K>,
    {
        let Query { list, mut connection } = self;
        let mut rows = TypedRows::new(R::READER, 2);
        list.map(|of| of.rows).find(connection.lend(), key.into_operands(), &mut rows).await?;
        Ok(rows.into_vec().pop())
    }

    /// Counts the rows for each value of a column, with one statement, for facets such as "open (12), closed (5)".
    /// Returns the most frequent values, at most `limit` of them: the most frequent first, and equally frequent ones in
    /// the column's order.
    ///
    /// In a column whose type is an `Option`, the rows with NULL are counted as `None`. Values that the column's
    /// collation considers equal are one value. The database reads every row of the list, or its entry in an index.
    ///
    /// The order, and settings of pages and their URLs, have no effect.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let authors = Post::query().count_by(Post::AUTHOR_ID, 10).await?;
    /// assert_eq!(authors, [(7, 2), (8, 1)]);
    /// let titles = Post::query().filter(Post::AUTHOR_ID.eq(7)).count_by(Post::TITLE, 1).await?;
    /// assert_eq!(titles, [("a".to_owned(), 1)]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`count`](Self::count), and [`Internal`](FrameworkError::Internal) with
    /// [`count_up_to`](Self::count_up_to) or another source of the total.
    pub async fn count_by<T, N>(self, column: Column<T, N>, limit: u64) -> Result<Vec<(T, u64)>>
    where
        T: CursorValue,
        N: SameModel<M>,
        (T, i64): FromDatabaseRow,
    {
        let Query { list, mut connection } = self;
        let mut rows = TypedRows::new(<(T, i64)>::READER, limit);
        let (name, expr) = (column.name(), column.to_expr());
        let column = FacetColumn { name, expr, variant: T::VARIANT, is_nullable: T::NULLABLE };
        list.map(|of| of.rows).count_by(connection.lend(), column, limit, &mut rows).await?;
        // The database counts no fewer than no rows.
        Ok(rows.into_vec().into_iter().map(|(value, count)| (value, count.unsigned_abs())).collect())
    }

    /// Counts the rows after a row of the list, with one statement, for example the unread messages after the last one
    /// that a client has seen. The row itself does not count, and does not have to exist any more.
    ///
    /// If an index has the order, only the rows that are counted are read, in the index. [`count_up_to(n)`](Self::count_up_to)
    /// stops counting at `n`: for a marker "99+", count up to 100.
    ///
    /// The list has to be in the order of the model's cursor key. In a list that shows the newest rows first, the newer
    /// ones are before a row: see [`count_before`](Self::count_before). Settings of pages and their URLs have no effect.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let seen = PostKey { id: 1 };
    /// assert_eq!(Post::query().count_after(&seen).await?, 2);
    /// assert_eq!(Post::query().filter(Post::AUTHOR_ID.eq(7)).count_after(&seen).await?, 1);
    /// assert_eq!(Post::query().count_up_to(1).count_after(&seen).await?, 1);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// Keys that can only be compared by looking up the row, such as dates on SQLite, take one or two more statements,
    /// and need the row, as described at [`CursorKey`](crate::CursorKey).
    ///
    /// # Errors
    /// Same as [`count`](Self::count), and:
    ///
    /// - [`Domain`](FrameworkError::Domain), 400, if the row has to be looked up but was deleted
    /// - [`Internal`](FrameworkError::Internal) if the list has another order than the key, and with
    ///   [`with_total`](Self::with_total), [`estimated_total`](Self::estimated_total) or
    ///   [`estimated_total_above`](Self::estimated_total_above), which are about the whole list
    pub async fn count_after(self, key: &M::Key) -> Result<u64> {
        self.count_beyond("count_after", CursorDirection::Next, key).await
    }

    /// Counts the rows before a row of the list: see [`count_after`](Self::count_after).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// assert_eq!(Post::query().count_before(&PostKey { id: 3 }).await?, 2);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`count_after`](Self::count_after).
    pub async fn count_before(self, key: &M::Key) -> Result<u64> {
        self.count_beyond("count_before", CursorDirection::Prev, key).await
    }

    async fn count_beyond(self, method: &str, direction: CursorDirection, key: &M::Key) -> Result<u64> {
        let Query { list, mut connection } = self;
        list.check_order_of_key(method, "leave out `order_by` and `cursor_by`")?;
        let key = Cursor::of_key(direction, key.clone().into_values());
        list.map(|of| of.rows).count_beyond(connection.lend(), method, key, type_name::<R>()).await
    }
}

impl List<QueryRows> {
    async fn count(mut self, lent: Option<Borrowed<'_>>, row_type: &'static str) -> Result<u64> {
        let context = Context::current();
        let target = self.target(&context, lent)?;
        let list = self.unordered(&target)?;
        Ok(read::count(&context, target, list, row_type).await?.rows())
    }

    /// Reads the first row: of a cursor page, along an index of its order, unless only numbered pages have the order.
    async fn first(mut self, lent: Option<Borrowed<'_>>, rows: &mut dyn RowSink) -> Result<()> {
        self.position.refuse_beside_list("first")?;
        self.is_counted = false;
        let context = Context::current();
        let is_numbered = match &self.rows {
            QueryRows::Table(rows) => rows.has_numbered_order(self.order.as_deref())?,
            QueryRows::Select(_) => true,
        };
        if is_numbered {
            let target = self.target(&context, lent)?;
            let list = self.numbered(&target)?;
            return read::first_of(&context, target, list, 1, rows).await;
        }
        let (target, select) = self.keyset(&context, lent)?;
        read::first(&context, target, select, rows).await
    }
}

impl List<TableRows> {
    async fn find(self, lent: Option<Borrowed<'_>>, key: Vec<Expr>, rows: &mut dyn RowSink) -> Result<()> {
        let Self { rows: of, order, route, position, total, .. } = self;
        position.refuse_beside_list("find")?;
        let of = of.with_primary_key(key);
        of.check(order.as_deref())?;
        let context = Context::current();
        let target = route.target(&context, lent)?;
        let table = of.table;
        let list = of.unordered(target.dialect, total)?;
        // A second row shows that the primary key is not unique.
        read::first_of(&context, target, list, 2, rows).await?;
        if rows.len() < 2 {
            return Ok(());
        }
        Err(FrameworkError::internal(format!(
            "several rows of `{}` have the same primary key ({}): name the columns that are unique with `primary_key`",
            table.name,
            table.primary_key.join(", ")
        )))
    }

    async fn count_by(
        self,
        lent: Option<Borrowed<'_>>,
        column: FacetColumn,
        limit: u64,
        rows: &mut dyn RowSink,
    ) -> Result<()> {
        let Self { rows: of, order, route, position, total, .. } = self;
        position.refuse_beside_list("count_by")?;
        if total != TotalSource::Counted {
            return Err(FrameworkError::internal(
                "`count_by` counts the rows of each value: remove `count_up_to`, `estimated_total`, \
                 `estimated_total_above` or `with_total`",
            ));
        }
        of.check(order.as_deref())?;
        column_check::check(of.table, &column.expr)?;
        let context = Context::current();
        let target = route.target(&context, lent)?;
        if target.dialect.facts().is_plain {
            return Err(FrameworkError::internal(
                "with `Folio::plain_statements`, `count_by` would get the most frequent values of each server, and not those \
                 of all: count the values that you need, one by one",
            ));
        }
        let list = of.all(target.dialect)?;
        read::count_by(&context, target, list, column, limit, rows).await
    }

    async fn count_beyond(
        self,
        lent: Option<Borrowed<'_>>,
        method: &str,
        key: Cursor,
        row_type: &'static str,
    ) -> Result<u64> {
        let Self { rows: of, order, route, position, binding, total, .. } = self;
        position.refuse_beside_list(method)?;
        let up_to = match total {
            TotalSource::Counted => None,
            TotalSource::CountedUpTo(limit) => Some(limit.min(MAX_LIMIT)),
            TotalSource::Known(_) | TotalSource::Estimated | TotalSource::EstimatedAbove(_) => {
                return Err(FrameworkError::internal(format!(
                    "`{method}` counts a part of the list: remove `with_total`, `estimated_total` or \
                     `estimated_total_above`, or write `count_up_to`"
                )));
            }
        };
        of.check(order.as_deref())?;
        let context = Context::current();
        let target = route.target(&context, lent)?;
        let select = of.keyset(target.dialect, order, binding, None, None)?;
        read::count_beyond(&context, target, select, key, up_to, row_type).await
    }
}
