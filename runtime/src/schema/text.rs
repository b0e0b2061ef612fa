//! Filters on text.

use sea_query::{BinOper, Expr, ExprTrait as _, Func, LikeExpr};

use crate::schema::column::{Column, Operand};
use crate::schema::filter::FilterExpr;

impl<T, M> Column<T, M> {
    /// `column LIKE pattern`, where `%` matches any text and `_` any character.
    ///
    /// It is case-sensitive on PostgreSQL, ignores the case of ASCII letters on SQLite, and depends on the column's
    /// collation on MySQL and MariaDB.
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<String>::new("title").like("rust%"), Expr::col("title").like("rust%"));
    /// ```
    ///
    /// For text from clients, use [`contains`](Self::contains) or [`starts_with`](Self::starts_with). In other
    /// patterns, escape both characters:
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::sea_query::{ExprTrait, LikeExpr};
    ///
    /// let ends_with = LikeExpr::new("%!%").escape('!');
    /// let page = Post::query().filter(Post::TITLE.to_expr().like(ends_with)).paginate(15).await?;
    /// assert!(page.is_empty());
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn like(self, pattern: impl Into<String>) -> FilterExpr<M> {
        FilterExpr::new(self.to_expr().like(pattern.into()))
    }

    /// `column NOT LIKE pattern`: see [`like`](Self::like). Rows with NULL in the column do not match.
    ///
    /// ```
    /// use folio::{Column, ExprTrait, sea_query::Expr};
    ///
    /// assert_eq!(Column::<String>::new("title").not_like("rust%"), Expr::col("title").not_like("rust%"));
    /// ```
    pub fn not_like(self, pattern: impl Into<String>) -> FilterExpr<M> {
        FilterExpr::new(self.to_expr().not_like(pattern.into()))
    }
}

impl<T, M> Column<T, M>
where
    String: Operand<T>,
{
    /// Matches rows whose text contains `text`, which may come from a client: `%` and `_` have no special meaning.
    ///
    /// It compares like LIKE: it is case-sensitive on PostgreSQL, uses the column's collation on MySQL and MariaDB, and
    /// ignores the case of ASCII letters on SQLite. To ignore case on all databases, use
    /// [`icontains`](Self::icontains).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// assert_eq!(Post::query().filter(Post::TITLE.contains("a")).paginate(15).await?.total, 2);
    /// assert_eq!(Post::query().filter(Post::TITLE.contains("%")).paginate(15).await?.total, 0);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn contains(self, text: &str) -> FilterExpr<M> {
        if text.contains(NUL) {
            return FilterExpr::new(position(self.to_expr(), text.into()).gt(0));
        }
        FilterExpr::new(self.to_expr().like(LikeExpr::new(pattern("%", text)).escape(ESCAPE)))
    }

    /// Matches rows whose text starts with `text`. It compares like [`contains`](Self::contains).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// assert_eq!(Post::query().filter(Post::TITLE.starts_with("b")).paginate(15).await?.total, 1);
    /// assert_eq!(Post::query().filter(Post::TITLE.starts_with("_")).paginate(15).await?.total, 0);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn starts_with(self, text: &str) -> FilterExpr<M> {
        if text.contains(NUL) {
            return FilterExpr::new(position(self.to_expr(), text.into()).eq(1));
        }
        FilterExpr::new(self.to_expr().like(LikeExpr::new(pattern("", text)).escape(ESCAPE)))
    }

    /// Matches rows whose text contains `text`, ignoring case. On SQLite, this only applies to ASCII letters.
    ///
    /// Both sides are converted to lower case. On PostgreSQL, a trigram index on `lower(column)` can serve such
    /// filters.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// assert_eq!(Post::query().filter(Post::TITLE.icontains("A")).paginate(15).await?.total, 2);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn icontains(self, text: &str) -> FilterExpr<M> {
        FilterExpr::new(icontains(self.to_expr(), text))
    }
}

/// The condition that a column contains `text`, ignoring case.
pub(crate) fn icontains(column: Expr, text: &str) -> Expr {
    let lower = Expr::from(Func::lower(column));
    if text.contains(NUL) {
        return position(lower, Func::lower(text).into()).gt(0);
    }
    let pattern = Expr::from(Func::lower(pattern("%", text)));
    lower.binary(BinOper::Like, pattern.binary(BinOper::Escape, Expr::Constant(ESCAPE.into())))
}

/// SQLite reads a pattern of LIKE up to this character, so `%\0` would match every row.
const NUL: char = '\0';

/// Where a text with a NUL character begins in another, counted from 1; 0 if it does not occur. SQLite and MySQL have
/// this function. PostgreSQL stores no such text, so folio refuses the value before the statement is sent.
fn position(within: Expr, text: Expr) -> Expr {
    Func::cust("INSTR").arg(within).arg(text).into()
}

/// The escape character of patterns. Not a backslash, which is written differently in the text of each database.
const ESCAPE: char = '!';

/// The LIKE pattern of all texts that have `text` after what `prefix` matches.
fn pattern(prefix: &str, text: &str) -> String {
    let mut pattern = prefix.to_owned();
    for char in text.chars() {
        if matches!(char, '%' | '_' | ESCAPE) {
            pattern.push(ESCAPE);
        }
        pattern.push(char);
    }
    pattern.push('%');
    pattern
}
