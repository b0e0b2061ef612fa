//! Selects of SQL text.

use sqlx::SqlSafeStr;

use super::{ListName, Select};
use crate::custom::caller::Listing;
use crate::custom::raw_sql::RawSql;
use crate::driver::FromDatabaseRow;
use crate::value::bind::{BindFor, BindValue, CallerValue};

impl<T: FromDatabaseRow> Select<T> {
    /// Creates a select from SQL text, with parameters in the database's syntax: `$1` on PostgreSQL, `?` on MySQL and
    /// MariaDB, and `?` or `?1` on SQLite. [`bind`](Self::bind) sets their values.
    ///
    /// The text can be any query that returns rows, including joins, WITH, UNION and window functions, but without a
    /// semicolon, ORDER BY, LIMIT, OFFSET or a lock at its end. Column names have to be unique, ignoring case. The
    /// pages are sorted by [`order_by`](Self::order_by), which uses these columns. Before the first page of a text, one
    /// more statement looks up its column names.
    ///
    /// As in sqlx, only static text is accepted, because text that is built at run time may contain input from a
    /// client. If yours does not, wrap it in [`sqlx::AssertSqlSafe`].
    ///
    /// The guide's chapter [`selects`](crate::guide::selects) says for which texts a page costs the same at every
    /// depth.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select};
    ///
    /// let posts = Select::<(i64, String)>::sql("SELECT id, upper(title) AS title FROM posts WHERE author_id = ?")
    ///     .bind(7)
    ///     .order_by(Column::<i64>::new("id").desc());
    /// assert_eq!(posts.clone().paginate(1).await?.total, 2);
    /// assert_eq!(posts.cursor_paginate(1).await?.data, [(2, "A".to_owned())]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn sql(text: impl SqlSafeStr) -> Self {
        let raw = RawSql { texts: vec![text.into_sql_str()], values: Vec::new() };
        Self::new(Listing::Text(raw), T::READER, ListName::Name(String::new()))
    }
}

impl<T, C> Select<T, C> {
    /// Binds the next parameter of [`sql`](Self::sql): any owned value that sqlx can encode for every enabled database.
    ///
    /// Call it once for each parameter, in order; for numbered parameters, in the order of their numbers. If there are
    /// too few or too many values, or if the select was not created from SQL text, reading a page fails.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select};
    ///
    /// let posts = Select::<(i64,)>::sql("SELECT id FROM posts WHERE author_id = ?1 OR title = ?2 AND author_id > ?1")
    ///     .bind(7)
    ///     .bind("a")
    ///     .order_by(Column::<i64>::new("id"));
    /// assert_eq!(posts.cursor_paginate(5).await?.data, [(1,), (2,), (3,)]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn bind(self, value: impl BindValue) -> Self {
        self.with_value(CallerValue::for_all(value))
    }

    /// Same as [`bind`](Self::bind), for a value that sqlx can only encode for one database, such as an array for
    /// PostgreSQL. Reading a page from another database fails.
    ///
    /// You only need it if several databases are enabled.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select};
    ///
    /// let posts = Select::<(i64,)>::sql("SELECT id FROM posts WHERE title = ?")
    ///     .bind_for::<sqlx::Sqlite, _>("a")
    ///     .order_by(Column::<i64>::new("id"));
    /// assert_eq!(posts.cursor_paginate(5).await?.data, [(2,), (3,)]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn bind_for<D: BindFor<V>, V>(self, value: V) -> Self {
        self.with_value(D::caller_value(value))
    }

    /// Adds the rows of another text, like UNION ALL, but reads each page from the first rows of each text instead of
    /// from all rows.
    ///
    /// All texts need the same column names in the same order, which folio checks. They also need the same types and
    /// collations, which it does not check. The numbers of parameters continue from one text to the next.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select};
    ///
    /// let titles = Select::<(i64, String)>::sql("SELECT id, title FROM posts WHERE author_id = ?")
    ///     .bind(7)
    ///     .union_all("SELECT id + 100 AS id, title FROM posts WHERE author_id <> ?")
    ///     .bind(7)
    ///     .order_by(Column::<i64>::new("id").desc());
    /// let page = titles.cursor_paginate(2).await?;
    /// assert_eq!(page.data, [(103, "a".to_owned()), (2, "a".to_owned())]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn union_all(mut self, text: impl SqlSafeStr) -> Self {
        match &mut self.query.listing {
            Listing::Text(raw) => raw.texts.push(text.into_sql_str()),
            Listing::Select(_) | Listing::Misused(_) => self.query.listing = Listing::Misused("union_all"),
        }
        self
    }

    fn with_value(mut self, value: CallerValue) -> Self {
        match &mut self.query.listing {
            Listing::Text(raw) => raw.values.push(value),
            Listing::Select(_) | Listing::Misused(_) => self.query.listing = Listing::Misused("bind"),
        }
        self
    }
}
