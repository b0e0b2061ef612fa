//! Loads rows of other tables for the rows of a page: the comments of each post, its author, its tags.
//!
//! [`many`] and [`one`] describe which rows belong together. You pass the columns at the call, so models need no
//! relations. Like [`each_of`](crate::Builder::each_of), `page.load(..)` reads the rows of the other table for the
//! whole page with one statement. It returns a page of pairs, of the page's rows and the loaded rows:
//!
//! ```
#![doc = include_str!("doc/posts.txt")]
//! use folio::load;
//!
//! #[derive(Clone, sqlx::FromRow, folio::Paginate)]
//! struct Author {
//!     id: i64,
//!     name: String,
//! }
//! # sqlx::raw_sql("CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL); INSERT INTO authors VALUES (7, 'Ada'), (9, 'Eve')")
//! #     .execute(&mut *folio::DB::sqlite().await?).await?;
//!
//! // Each post with its author, if the author exists.
//! let author = load::one(Author::query(), Author::ID, |post: &Post| post.author_id);
//! let page = Post::query().paginate(15).await?.load(author).await?;
//! let (post, author) = &page.data[0];
//! assert_eq!((post.id, author.as_ref().map(|author| &*author.name)), (1, Some("Ada")));
//! assert!(page.data[2].1.is_none());
//!
//! // Each author with up to five of their newest posts.
//! let newest = Post::query().order_by(Post::ID.desc());
//! let posts = load::many(newest, Post::AUTHOR_ID, |author: &Author| author.id).first(5);
//! let page = Author::query().cursor_paginate(15).await?.load(posts).await?;
//! assert_eq!(ids(&page.data[0].1), [2, 1]);
//! assert!(page.data[1].1.is_empty());
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! `load_into` puts them into a field instead, which sqlx has to skip:
//!
//! ```
#![doc = include_str!("doc/posts.txt")]
//! use folio::load;
//!
//! #[derive(sqlx::FromRow, folio::Paginate)]
//! struct Author {
//!     id: i64,
//!     #[sqlx(skip)]
//!     posts: Vec<Post>,
//! }
//! # sqlx::raw_sql("CREATE TABLE authors (id INTEGER PRIMARY KEY); INSERT INTO authors VALUES (7)")
//! #     .execute(&mut *folio::DB::sqlite().await?).await?;
//!
//! let posts = load::many(Post::query(), Post::AUTHOR_ID, |author: &Author| author.id);
//! let page = Author::query().paginate(15).await?.load_into(posts, |author, posts| author.posts = posts).await?;
//! assert_eq!(ids(&page.data[0].posts), [1, 2]);
//! # folio::Result::Ok(()) }).await
//! # }
//! ```

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::Hash;

use crate::error::{FrameworkError, Result};
use crate::model::Model;
use crate::paginator::{CursorPaginator, LengthAwarePaginator, Paginator};
use crate::query::Builder;
use crate::schema::group::{GroupColumns, GroupKey};
use crate::source::using::{Connect, Pooled};

/// A relation that can be loaded for rows of type `T`: created by [`many`], [`one`], [`optional`],
/// [`pages`](Many::pages) or [`through`](Many::through).
///
/// A function that returns one for handlers names its type, such as `Many<Post, Comment, i64>`: behind `impl Relation`,
/// the compiler cannot see that loading it is `Send`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be loaded for rows of `{T}`",
    label = "write `load::many(..)` or `load::one(..)`, whose closure takes a `&{T}`",
    note = "the rows that are loaded have to be `Clone`, because two rows of the page may share them"
)]
pub trait Relation<T> {
    /// What is loaded for each row.
    type Loaded;

    #[doc(hidden)]
    fn load(self, rows: &[T]) -> impl Future<Output = Result<Vec<Self::Loaded>>>;
}

/// A relation from each row of a page to any number of rows of another table. Created by [`many`].
#[must_use = "a relation does nothing until it is passed to `load` of a page"]
pub struct Many<T, M, V, C = Pooled> {
    query: Builder<M, C>,
    groups: GroupKey<V>,
    key: RowKey<T, V>,
    /// From `first`.
    rows: Option<u64>,
}

/// Returns the key of a row of the page, if it has one.
type RowKey<T, V> = Box<dyn Fn(&T) -> Option<V> + Send + Sync>;

/// For each row of the page, loads all rows of `query` whose `columns` have the value that `key` returns for the row,
/// in the order of `query`. For several columns, `columns` and the value are tuples.
///
/// All of these rows are read into memory. If there can be many, limit them with [`first`](Many::first), or read them in
/// [`pages`](Many::pages).
///
/// See the [module](self) for an example.
pub fn many<T, M, V, C>(
    query: Builder<M, C>,
    columns: impl GroupColumns<M, V>,
    key: impl Fn(&T) -> V + Send + Sync + 'static,
) -> Many<T, M, V, C> {
    Many::new(query, columns, move |row| Some(key(row)))
}

/// For each row of the page, loads the row of `query` whose `columns` have the value that `key` returns for the row, as
/// an `Option`. If there are several such rows, it is the first one.
///
/// See the [module](self) for an example.
pub fn one<T, M, V, C>(
    query: Builder<M, C>,
    columns: impl GroupColumns<M, V>,
    key: impl Fn(&T) -> V + Send + Sync + 'static,
) -> One<T, M, V, C> {
    many(query, columns, key).one()
}

/// Same as [`one`], for an optional key, such as a nullable column.
///
/// ```
#[doc = include_str!("doc/posts.txt")]
/// use folio::load;
///
/// let even = |post: &Post| (post.id % 2 == 0).then_some(post.author_id);
/// let page = Post::query().paginate(15).await?.load(load::optional(Post::query(), Post::AUTHOR_ID, even)).await?;
/// assert!(page.data[0].1.is_none());
/// assert_eq!(page.data[1].1.as_ref().map(|post| post.id), Some(1));
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
pub fn optional<T, M, V, C>(
    query: Builder<M, C>,
    columns: impl GroupColumns<M, V>,
    key: impl Fn(&T) -> Option<V> + Send + Sync + 'static,
) -> One<T, M, V, C> {
    Many::new(query, columns, key).one()
}

#[cfg(feature = "_sea-orm")]
impl<T, M, V, C> Many<T, M, V, C> {
    /// A relation by columns that are known at run time.
    pub(crate) fn of_columns(query: Builder<M, C>, groups: GroupKey<V>, key: RowKey<T, V>) -> Self {
        Self { query, groups, key, rows: None }
    }
}

impl<T, M, V, C> Many<T, M, V, C> {
    /// The first of the rows that belong to each row.
    pub(crate) fn one(self) -> One<T, M, V, C> {
        One(self.first(1))
    }

    /// All rows of `query` whose `columns` have the value that `key` returns, if it returns one.
    fn new(
        query: Builder<M, C>,
        columns: impl GroupColumns<M, V>,
        key: impl Fn(&T) -> Option<V> + Send + Sync + 'static,
    ) -> Self {
        Self { query, groups: GroupKey::new(columns), key: Box::new(key), rows: None }
    }

    /// Loads only the first `rows` rows for each row of the page.
    pub fn first(self, rows: u64) -> Self {
        Self { rows: Some(rows), ..self }
    }

    /// Loads the first page of the rows for each row of the page, with cursors of its own, as
    /// [`each_of`](crate::Builder::each_of) does for values: the first three comments of each post, and where to read
    /// on. Takes as many statements as [`each_of`](crate::Builder::each_of) for as many values.
    ///
    /// A cursor opens in the list of the row that it belongs to, in the same order: filter by the columns, and pass it to
    /// [`cursor`](crate::Builder::cursor). It also opens in that of another row, unless both this query and the list
    /// call [`bind_filters`](crate::Builder::bind_filters). [`with_path`](Pages::with_path) sets the path of that list,
    /// which may have a query string, such as `?sort=-created`.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::{ActiveRequest, load};
    ///
    /// #[derive(sqlx::FromRow, folio::Paginate)]
    /// struct Author {
    ///     id: i64,
    /// }
    /// # sqlx::raw_sql("CREATE TABLE authors (id INTEGER PRIMARY KEY); INSERT INTO authors VALUES (7), (8)")
    /// #     .execute(&mut *folio::DB::sqlite().await?).await?;
    ///
    /// let posts = load::many(Post::query(), Post::AUTHOR_ID, |author: &Author| author.id)
    ///     .pages(1)
    ///     .with_path(|author| format!("/authors/{}/posts", author.id));
    /// let page = Author::query().cursor_paginate(15).await?.load(posts).await?;
    /// let (ada, posts) = &page.data[0];
    /// assert_eq!((ada.id, ids(&posts.data), posts.has_more_pages()), (7, vec![1], true));
    /// assert!(!page.data[1].1.has_more_pages());
    ///
    /// // The client follows the URL of the posts' next page.
    /// let request = ActiveRequest::new(&posts.next_page_url().unwrap_or_default());
    /// let list = || Post::query().filter(Post::AUTHOR_ID.eq(7)).cursor_paginate(1);
    /// assert_eq!(ids(&request.scope(list()).await?.data), [2]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Loading fails like [`EachOf::cursor_paginate`](crate::EachOf::cursor_paginate), and with
    /// [`Internal`](FrameworkError::Internal) after [`first`](Self::first), which also says how many rows there are.
    pub fn pages(self, per_page: u64) -> Pages<T, M, V, C> {
        Pages { children: self, per_page, path: None }
    }

    /// Loads rows through a link table, for a many-to-many relation. `self` loads the links, and `key` returns the
    /// value that `columns` of `query` have for a link. It takes one statement for the links and one for the rows.
    ///
    /// The rows are in the order of the links. Links without a row are left out.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::load;
    ///
    /// #[derive(Clone, sqlx::FromRow, folio::Paginate)]
    /// struct Tag {
    ///     id: i64,
    ///     name: String,
    /// }
    ///
    /// #[derive(Clone, sqlx::FromRow, folio::Paginate)]
    /// #[paginate(primary_key = "post_id, tag_id")]
    /// struct PostTag {
    ///     post_id: i64,
    ///     tag_id: i64,
    /// }
    /// # sqlx::raw_sql("CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT NOT NULL); \
    /// #     CREATE TABLE post_tags (post_id INTEGER NOT NULL, tag_id INTEGER NOT NULL, PRIMARY KEY (post_id, tag_id)); \
    /// #     INSERT INTO tags VALUES (1, 'new'), (2, 'long'); INSERT INTO post_tags VALUES (1, 1), (1, 2), (3, 2)")
    /// #     .execute(&mut *folio::DB::sqlite().await?).await?;
    ///
    /// let links = load::many(PostTag::query(), PostTag::POST_ID, |post: &Post| post.id);
    /// let tags = links.through(Tag::query(), Tag::ID, |link| link.tag_id);
    /// let page = Post::query().paginate(15).await?.load(tags).await?;
    /// let names = |at: usize| page.data[at].1.iter().map(|tag| &*tag.name).collect::<Vec<_>>();
    /// assert_eq!([names(0), names(1), names(2)], [vec!["new", "long"], vec![], vec!["long"]]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn through<N, W, D>(
        self,
        query: Builder<N, D>,
        columns: impl GroupColumns<N, W>,
        key: impl Fn(&M) -> W + Send + Sync + 'static,
    ) -> Through<Self, One<M, N, W, D>> {
        Through { links: self, rows: one(query, columns, key) }
    }
}

/// A relation from each row of a page to at most one row of another table. Created by [`one`] and [`optional`].
#[must_use = "a relation does nothing until it is passed to `load` of a page"]
pub struct One<T, M, V, C = Pooled>(Many<T, M, V, C>);

/// A relation from each row of a page to a page of rows of another table. Created by [`Many::pages`].
#[must_use = "a relation does nothing until it is passed to `load` of a page"]
pub struct Pages<T, M, V, C = Pooled> {
    children: Many<T, M, V, C>,
    per_page: u64,
    path: Option<RowPath<T>>,
}

/// Returns the path of the list that belongs to a row.
type RowPath<T> = Box<dyn Fn(&T) -> String + Send + Sync>;

impl<T, M, V, C> Pages<T, M, V, C> {
    /// Sets the path of the page URLs, such as `/posts/7/comments`, for each row of the page. It replaces the path of the
    /// query.
    ///
    /// Without it, the pages have the path of the query, or else of the active request, whose own list cannot open their
    /// cursors. See [`pages`](Many::pages) for an example.
    pub fn with_path(self, path: impl Fn(&T) -> String + Send + Sync + 'static) -> Self {
        Self { path: Some(Box::new(path)), ..self }
    }
}

/// A many-to-many relation through a link table. Created by [`Many::through`].
#[must_use = "a relation does nothing until it is passed to `load` of a page"]
pub struct Through<L, R> {
    links: L,
    rows: R,
}

impl<T, M, V, C> fmt::Debug for Many<T, M, V, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Many").field("query", &self.query).field("rows", &self.rows).finish_non_exhaustive()
    }
}

impl<T, M, V, C> fmt::Debug for One<T, M, V, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("One").field(&self.0).finish()
    }
}

impl<T, M, V, C> fmt::Debug for Pages<T, M, V, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { children, per_page, .. } = self;
        f.debug_struct("Pages").field("children", children).field("per_page", per_page).finish_non_exhaustive()
    }
}

impl<L: fmt::Debug, R: fmt::Debug> fmt::Debug for Through<L, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Through").field("links", &self.links).field("rows", &self.rows).finish()
    }
}

impl<T, M, V, C> Relation<T> for Many<T, M, V, C>
where
    M: Model + Clone,
    V: Clone + Eq + Hash,
    C: Connect,
{
    type Loaded = Vec<M>;

    async fn load(self, rows: &[T]) -> Result<Vec<Vec<M>>> {
        let keys: Vec<_> = rows.iter().map(&self.key).collect();
        let each = self.query.each_of_groups(self.groups, keys.iter().flatten().cloned());
        Ok(beside(&keys, each.first(self.rows.unwrap_or(u64::MAX)).await?, Vec::new))
    }
}

impl<T, M, V, C> Relation<T> for One<T, M, V, C>
where
    M: Model + Clone,
    V: Clone + Eq + Hash,
    C: Connect,
{
    type Loaded = Option<M>;

    async fn load(self, rows: &[T]) -> Result<Vec<Option<M>>> {
        let found = self.0.load(rows).await?;
        Ok(found.into_iter().map(|rows| rows.into_iter().next()).collect())
    }
}

impl<T, M, V, C> Relation<T> for Pages<T, M, V, C>
where
    M: Model + Clone,
    V: Clone + Eq + Hash,
    C: Connect,
{
    type Loaded = CursorPaginator<M>;

    async fn load(self, rows: &[T]) -> Result<Vec<CursorPaginator<M>>> {
        let Self { children: Many { query, groups, key, rows: first }, per_page, path } = self;
        if first.is_some() {
            return Err(FrameworkError::internal(
                "`first` and `pages` of a relation both say how many rows are loaded: remove one of them",
            ));
        }
        let keys: Vec<_> = rows.iter().map(&key).collect();
        let each = query.each_of_groups(groups, keys.iter().flatten().cloned());
        let empty = || CursorPaginator::new(Vec::new(), per_page, None, None);
        let mut pages = beside(&keys, each.cursor_paginate(per_page).await?, empty);
        if let Some(path) = path {
            pages.iter_mut().zip(rows).for_each(|(page, row)| page.path = Some(path(row)));
        }
        Ok(pages)
    }
}

impl<T, M, N, L, R> Relation<T> for Through<L, R>
where
    L: Relation<T, Loaded = Vec<M>>,
    R: Relation<M, Loaded = Option<N>>,
{
    type Loaded = Vec<N>;

    async fn load(self, rows: &[T]) -> Result<Vec<Vec<N>>> {
        let links = self.links.load(rows).await?;
        let counts: Vec<usize> = links.iter().map(Vec::len).collect();
        let links: Vec<M> = links.into_iter().flatten().collect();
        // The rows are in the order of the links.
        let mut found = self.rows.load(&links).await?.into_iter();
        Ok(counts.into_iter().map(|count| found.by_ref().take(count).flatten().collect()).collect())
    }
}

/// What was found for each key, or nothing. It is only cloned if several keys are the same.
fn beside<V: Eq + Hash, L: Clone>(keys: &[Option<V>], mut found: HashMap<V, L>, nothing: impl Fn() -> L) -> Vec<L> {
    let mut seen = HashSet::new();
    let repeated: HashSet<&V> = keys.iter().flatten().filter(|key| !seen.insert(*key)).collect();
    let of_key = |key: &Option<V>| match key {
        Some(key) if repeated.contains(key) => found.get(key).cloned(),
        Some(key) => found.remove(key),
        None => None,
    };
    keys.iter().map(of_key).map(|found| found.unwrap_or_else(&nothing)).collect()
}

/// The methods, for each kind of page.
macro_rules! pages {
    ($($page:ident)*) => {$(
        impl<T> $page<T> {
            /// Loads the related rows for each row of the page, and returns a page of pairs. See [`load`](crate::load)
            /// for examples.
            ///
            /// # Errors
            /// Same as [`EachOf::first`](crate::EachOf::first).
            pub async fn load<R: Relation<T>>(self, relation: R) -> Result<$page<(T, R::Loaded)>> {
                let mut loaded = relation.load(&self.data).await?.into_iter();
                self.try_map(|row| Ok((row, next(&mut loaded)?)))
            }

            /// Loads the related rows for each row of the page, and passes them to `set`, which stores them in the row.
            /// See [`load`](crate::load) for an example.
            ///
            /// # Errors
            /// Same as [`EachOf::first`](crate::EachOf::first).
            pub async fn load_into<R: Relation<T>>(
                self,
                relation: R,
                mut set: impl FnMut(&mut T, R::Loaded),
            ) -> Result<Self> {
                let mut loaded = relation.load(&self.data).await?.into_iter();
                self.try_map(|mut row| {
                    set(&mut row, next(&mut loaded)?);
                    Ok(row)
                })
            }
        }
    )*};
}
pages!(LengthAwarePaginator Paginator CursorPaginator);

/// What was loaded for the next row.
fn next<L>(loaded: &mut impl Iterator<Item = L>) -> Result<L> {
    loaded.next().ok_or_else(|| FrameworkError::internal("a relation loaded less than the page has rows"))
}
