//! [`ConnectionLoader`]: the connections of several parents, read together.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use async_graphql::dataloader::{DataLoader, Loader};

use crate::app::Folio;
use crate::error::{FrameworkError, Result};
use crate::model::Model;
use crate::query::EachOf;
use crate::relay::{Connection, Window};

/// Reads connections that are nested in another connection with one statement for all rows, such as the first five
/// comments of each of 20 posts. Without it, each row takes a separate statement.
///
/// Add one to the schema's data. Its closure creates the query for several parents, with
/// [`each_of`](crate::Builder::each_of). `P` identifies a parent, for example by primary key. `A` contains whatever
/// else the query depends on, such as an order that the client chooses or the tenant. Connections are only read
/// together if `A` and the window are the same.
///
/// ```
#[doc = include_str!("../../doc/posts.txt")]
/// use async_graphql::connection::Connection;
/// use async_graphql::{ComplexObject, Context, EmptyMutation, EmptySubscription, Object, Schema, SimpleObject};
/// use folio::Folio;
/// use folio::async_graphql::{ConnectionLoader, TotalCount};
/// use folio::relay::Window;
///
/// #[derive(Clone, SimpleObject)]
/// #[graphql(name = "Post")]
/// struct PostNode {
///     id: i64,
/// }
///
/// #[derive(SimpleObject)]
/// #[graphql(complex)]
/// struct Author {
///     id: i64,
/// }
///
/// #[ComplexObject]
/// impl Author {
///     async fn posts(
///         &self,
///         ctx: &Context<'_>,
///         first: Option<i32>,
///         after: Option<String>,
///     ) -> async_graphql::Result<Connection<String, PostNode, TotalCount>> {
///         let window = Window::from_arguments(first, after, None::<i32>, None).or_first(5).at_most(100);
///         let loader = ctx.data::<ConnectionLoader<Post, i64>>()?;
///         let posts = loader.load(self.id, window, ()).await?;
///         Ok(posts.map(|post| PostNode { id: post.id }).into())
///     }
/// }
///
/// struct Query;
///
/// #[Object]
/// impl Query {
///     async fn authors(&self) -> Vec<Author> {
///         vec![Author { id: 7 }, Author { id: 8 }]
///     }
/// }
///
/// let posts = |authors: Vec<i64>, _: &()| Ok(Post::query().each_of(Post::AUTHOR_ID, authors));
/// let schema = Schema::build(Query, EmptyMutation, EmptySubscription)
///     .data(ConnectionLoader::new(&Folio::current()?, posts))
///     .finish();
/// let answer = schema.execute("{ authors { posts(first: 1) { nodes { id } pageInfo { hasNextPage } } } }").await;
/// let expected = serde_json::json!({ "authors": [
///     { "posts": { "nodes": [{ "id": 1 }], "pageInfo": { "hasNextPage": true } } },
///     { "posts": { "nodes": [{ "id": 3 }], "pageInfo": { "hasNextPage": false } } },
/// ] });
/// assert_eq!(answer.data.into_json().unwrap(), expected);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
///
/// The statements run in a separate task, so they are not part of a transaction of the resolver. A window with a cursor
/// belongs to one parent, so it is read separately.
pub struct ConnectionLoader<M, P, A = ()>(DataLoader<Batches<M, P, A>>)
where
    M: Model + Clone + Sync + 'static,
    P: Clone + Eq + Hash + Send + Sync + 'static,
    A: Clone + Eq + Hash + Send + Sync + 'static;

impl<M, P, A> fmt::Debug for ConnectionLoader<M, P, A>
where
    M: Model + Clone + Sync + 'static,
    P: Clone + Eq + Hash + Send + Sync + 'static,
    A: Clone + Eq + Hash + Send + Sync + 'static,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConnectionLoader").finish_non_exhaustive()
    }
}

impl<M, P, A> ConnectionLoader<M, P, A>
where
    M: Model + Clone + Sync + 'static,
    P: Clone + Eq + Hash + Send + Sync + 'static,
    A: Clone + Eq + Hash + Send + Sync + 'static,
{
    /// Creates a loader that reads from the connections of `folio`. `query` creates the query for some parents.
    pub fn new(folio: &Folio, query: impl Fn(Vec<P>, &A) -> Result<EachOf<M, P>> + Send + Sync + 'static) -> Self {
        let batches = Batches { folio: folio.clone(), query: Box::new(query) };
        Self(DataLoader::new(batches, tokio::spawn))
    }

    /// Reads the connection of one parent. Connections that are requested within a millisecond are read together.
    ///
    /// # Errors
    /// Same as [`EachOf::connection`], and the errors of the loader's closure. Parents that are read together share the
    /// error. [`Errors`](super::Errors) tells the client about it as about any other.
    pub async fn load(&self, parent: P, window: Window, list: A) -> Result<Connection<M>, Arc<FrameworkError>> {
        let key = Key { parent, window, list };
        match self.0.load_one(key).await {
            Ok(Some(Ok(connection))) => Ok(connection),
            Ok(Some(Err(error))) | Err(error) => Err(error),
            Ok(None) => Err(Arc::new(FrameworkError::internal(
                "the loader's query does not read the parent: pass all parents that the closure gets to `each_of`",
            ))),
        }
    }
}

/// The connection of one parent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key<P, A> {
    parent: P,
    window: Window,
    list: A,
}

impl<P, A> Key<P, A> {
    /// Whether its window begins at a cursor, which belongs to one parent.
    fn has_cursor(&self) -> bool {
        self.window.after.is_some() || self.window.before.is_some()
    }
}

type Query<M, P, A> = Box<dyn Fn(Vec<P>, &A) -> Result<EachOf<M, P>> + Send + Sync>;

/// Reads connections together.
struct Batches<M, P, A> {
    folio: Folio,
    query: Query<M, P, A>,
}

/// A connection, or the error. One client does not see errors that another one has caused.
type Loaded<M> = Result<Connection<M>, Arc<FrameworkError>>;

impl<M, P, A> Loader<Key<P, A>> for Batches<M, P, A>
where
    M: Model + Clone + Sync + 'static,
    P: Clone + Eq + Hash + Send + Sync + 'static,
    A: Clone + Eq + Hash + Send + Sync + 'static,
{
    type Value = Loaded<M>;
    type Error = Arc<FrameworkError>;

    async fn load(&self, keys: &[Key<P, A>]) -> Result<HashMap<Key<P, A>, Loaded<M>>, Arc<FrameworkError>> {
        let mut loaded = HashMap::with_capacity(keys.len());
        for batch in batches(keys) {
            loaded.extend(batch.loaded(self.folio.scope(self.read(&batch)).await));
        }
        Ok(loaded)
    }
}

/// Parents whose connections are read together.
struct Batch<P, A> {
    parents: Vec<P>,
    window: Window,
    list: A,
}

impl<P, A: Clone> Batch<P, A> {
    /// The parents that have this window and list.
    fn new((window, list): (&Window, &A), parents: Vec<P>) -> Self {
        Self { parents, window: window.clone(), list: list.clone() }
    }
}

impl<P: Clone + Eq + Hash, A: Clone> Batch<P, A> {
    /// The key of one of the parents.
    fn key(&self, parent: P) -> Key<P, A> {
        Key { parent, window: self.window.clone(), list: self.list.clone() }
    }

    /// The result for each parent. If reading has failed, each gets the error.
    fn loaded<M>(&self, read: Result<HashMap<P, Connection<M>>>) -> Vec<(Key<P, A>, Loaded<M>)> {
        match read.map_err(Arc::new) {
            Ok(found) => found.into_iter().map(|(parent, found)| (self.key(parent), Ok(found))).collect(),
            Err(error) => self.parents.iter().map(|parent| (self.key(parent.clone()), Err(error.clone()))).collect(),
        }
    }
}

impl<M, P, A> Batches<M, P, A>
where
    M: Model,
    P: Clone + Eq + Hash,
{
    async fn read(&self, Batch { parents, window, list }: &Batch<P, A>) -> Result<HashMap<P, Connection<M>>> {
        (self.query)(parents.clone(), list)?.connection(window.clone()).await
    }
}

/// The parents that can be read together: those with the same window, which has no cursor, and the same list.
fn batches<P: Clone, A: Clone + Eq + Hash>(keys: &[Key<P, A>]) -> Vec<Batch<P, A>> {
    let (alone, shared): (Vec<_>, Vec<_>) = keys.iter().partition(|key| key.has_cursor());
    let alone = alone.into_iter().map(|key| Batch::new((&key.window, &key.list), vec![key.parent.clone()]));
    alone.chain(together(shared).into_iter().map(|(shared, parents)| Batch::new(shared, parents))).collect()
}

/// The parents with the same window and the same list.
fn together<P: Clone, A: Eq + Hash>(keys: Vec<&Key<P, A>>) -> HashMap<(&Window, &A), Vec<P>> {
    let mut together: HashMap<_, Vec<P>> = HashMap::new();
    for Key { parent, window, list } in keys {
        together.entry((window, list)).or_default().push(parent.clone());
    }
    together
}
