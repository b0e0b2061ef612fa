//! SQL text that sqlx has checked against a database while it was compiled.

use std::marker::PhantomData;

use sqlx::query::Map;
use sqlx::{Database, SqlSafeStr};

use super::Select;
use crate::bind::BindFor;
use crate::driver::FromDatabaseRow;

/// Reads pages of a query that sqlx checks at compile time against the database, like `sqlx::query_as!`.
///
/// The macro takes the row type, the text of one SELECT, and a value for each parameter. sqlx checks the syntax, the
/// names of tables and columns, the types of the values, and that the row type has a field of the right type for each
/// column. The result is a [`Select`](crate::Select), as from [`Select::sql`](crate::Select::sql), with the same rules
/// for the text, and it needs an order before a page by cursor.
///
/// - As for sqlx's own macros, the feature `macros` of sqlx is enabled in your crate, and the database is the one at
///   `DATABASE_URL` while it is compiled, or what `cargo sqlx prepare` has written into `.sqlx`. A page over another
///   kind of database is an error.
/// - The row type implements `sqlx::FromRow` and names its fields like the columns: sqlx's macros do not know the
///   attributes of `FromRow`, so the compiler refuses a renamed field.
/// - A column may have sqlx's overrides: `AS "id!"` if it is never NULL, `AS "id?"`, and `AS "state: State"`. Write an
///   override as an alias after `AS`, in the outermost select list. folio's order names the column alone, `id` or
///   `state`.
/// - The text is one literal. A value is an expression without `as`, `?` and `.await`: put such a value into a variable
///   first.
/// - sqlx does not check a text that [`union_all`](crate::Select::union_all) adds, or its values. Such a text may have
///   overrides as well.
///
/// ```
#[doc = include_str!("../doc/posts.txt")]
/// use folio::Column;
///
/// #[derive(Debug, PartialEq, sqlx::FromRow)]
/// struct Card {
///     id: i64,
///     title: String,
/// }
///
/// let author = 7_i64;
/// let cards = folio::query_as!(Card, r#"SELECT id AS "id!", title FROM posts WHERE author_id = ?"#, author)
///     .order_by(Column::<i64>::new("id"));
/// let page = cards.cursor_paginate(1).await?;
/// assert_eq!(page.data, [Card { id: 1, title: "b".to_owned() }]);
/// assert!(page.next_cursor.is_some());
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[macro_export]
macro_rules! query_as {
    ($row:path, $sql:literal $(, $value:expr)* $(,)?) => {
        $crate::__private::CheckedSql::<$row, _>::new(|| ::sqlx::query_as!($row, $sql $(, $value)*), $sql)
            $(.bind($value))*
            .into_select()
    };
}

/// What [`query_as!`](crate::query_as!) is made of: a select of text for the database that has checked it.
#[derive(Debug)]
pub struct CheckedSql<T, DB> {
    select: Select<T>,
    database: PhantomData<DB>,
}

impl<T, DB: Database> CheckedSql<T, DB> {
    /// `check` is only compiled. It tells which database has checked the text.
    pub fn new<'q, F, A>(check: impl FnOnce() -> Map<'q, DB, F, A>, text: impl SqlSafeStr) -> Self
    where
        T: FromDatabaseRow,
    {
        drop(check);
        Self { select: Select::of_text(text, Some(DB::NAME)), database: PhantomData }
    }

    /// Binds the value of the next parameter.
    #[must_use]
    pub fn bind<V>(self, value: V) -> Self
    where
        DB: BindFor<V>,
    {
        Self { select: self.select.bind_for::<DB, V>(value), ..self }
    }

    /// The select, whose pages are errors on other databases.
    pub fn into_select(self) -> Select<T> {
        self.select
    }
}
