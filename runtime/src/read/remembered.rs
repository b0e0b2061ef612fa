//! Totals that the application remembers for a while, so that not every page counts its list.
//!
//! A total is found again by the statement that counts it and the values bound to it. They are kept as a hash, because
//! clients choose the values of filters, and may choose long ones.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use folio_plan::statement::template::BoundSql;
use sha2::{Digest as _, Sha256};

use super::list::{OffsetSelect, TotalSource};
use crate::app::Folio;
use crate::paginator::Total;
use crate::pool::PoolId;
use crate::request::context::Context;
use crate::source::route::Target;

/// How many totals an application remembers: a few hundred kilobytes.
const MOST: usize = 1_024;

impl Folio {
    /// Remembers the totals of lists for `lifetime`, in the memory of this process, so that not every page counts its
    /// list.
    ///
    /// It applies to [`paginate`](crate::Builder::paginate), and to cursor pages with
    /// [`counted`](crate::Builder::counted). A page whose total is remembered is read as with
    /// [`with_total`](crate::Builder::with_total), by a statement without a count. Totals are remembered by pool, by
    /// the statement that counts, and by its values, such as those of filters and of a tenant: at most 1,024, after
    /// which the oldest is forgotten.
    ///
    /// A page's total never contradicts its rows:
    ///
    /// - A page with fewer rows than its size is the last one, and shows the exact total, which is then remembered.
    /// - An empty page before the remembered end, and rows beyond it, show that the total is wrong. The list is counted
    ///   again, in another statement.
    /// - A page that begins at the remembered end or after it is read and counted as if nothing was remembered.
    /// - If the total of a cursor page does not agree with the page's cursors, which say whether there are other pages,
    ///   the list is counted again.
    ///
    /// On all other pages, the total may be as old as `lifetime`.
    ///
    /// Always counted are [`count`](crate::Builder::count), pages inside a transaction and those of a connection that
    /// is passed to [`using`](crate::Builder::using), which may see rows of their own, and pages of
    /// [`each_of`](crate::Builder::each_of). Nothing is remembered of an estimate, or of a total from `with_total`. For
    /// an exact total of one list, pass its count: `list.clone().with_total(list.count().await?)`.
    ///
    /// **Do not use it** if which rows a statement sees depends on the session as well, and not only on its text and
    /// values: with row-level security, or with a `search_path` that changes from one request to the next. folio does
    /// not see such settings, so one user would get the total of another.
    ///
    /// ```
    /// # #[derive(Debug, sqlx::FromRow, folio::Paginate)]
    /// # struct Post { id: i64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// # let table = "CREATE TABLE posts (id INTEGER PRIMARY KEY); INSERT INTO posts VALUES (1), (2), (3), (4), (5)";
    /// # sqlx::raw_sql(table).execute(&pool).await?;
    /// use std::time::Duration;
    ///
    /// use folio::Folio;
    ///
    /// let folio = Folio::new(pool.clone()).remember_totals(Duration::from_secs(30));
    /// let total = async |page| folio.scope(Post::query().page(page).paginate(2)).await.map(|page| page.total);
    /// assert_eq!(total(1).await?, 5);
    ///
    /// sqlx::raw_sql("INSERT INTO posts VALUES (6), (7)").execute(&pool).await?;
    /// assert_eq!(total(2).await?, 5);
    /// // This page would be the last of five rows, but has a sixth one. So the rows are counted again.
    /// assert_eq!(total(3).await?, 7);
    /// assert_eq!(total(1).await?, 7);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn remember_totals(self, lifetime: Duration) -> Self {
        self.with_extension(|totals: &mut RememberedTotals| {
            *totals = RememberedTotals { lifetime, entries: Arc::default() };
        })
    }
}

/// The address of the pool, and the hash of the statement with its values.
type Key = (usize, [u8; 32]);

/// A total, the time of its count, and its pool, which is kept so that its address is that of no other pool.
type Entry = (Total, Instant, PoolId);

/// The totals that an application remembers.
#[derive(Debug, Clone, Default)]
pub(crate) struct RememberedTotals {
    lifetime: Duration,
    // Shared by copies of the application with other settings.
    entries: Arc<Mutex<HashMap<Key, Entry>>>,
}

impl RememberedTotals {
    fn get(&self, key: &Key) -> Option<Total> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.get(key).filter(|(_, counted, _)| counted.elapsed() < self.lifetime).map(|(total, ..)| *total)
    }

    fn insert(&self, pool: &PoolId, hash: [u8; 32], total: Total) {
        let key = (pool.address, hash);
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.len() >= MOST && !entries.contains_key(&key) {
            let oldest = entries.iter().min_by_key(|(_, (_, counted, _))| *counted).map(|(key, _)| *key);
            oldest.and_then(|oldest| entries.remove(&oldest));
        }
        entries.insert(key, (total, Instant::now(), pool.clone()));
    }
}

/// The total of one list, among those that the application remembers.
pub(super) struct RememberedTotal {
    totals: Arc<RememberedTotals>,
    pool: PoolId,
    hash: [u8; 32],
}

impl RememberedTotal {
    /// `None` if the total of this list is not remembered: without the setting, on a connection that may see rows of
    /// its own, and for a total that is not counted.
    pub(super) fn of(context: &Context, target: &Target<'_>, list: &OffsetSelect) -> Option<Self> {
        let totals = context.extension::<RememberedTotals>()?;
        let pool = target.pool()?.clone();
        let up_to = match list.total.on(target.dialect) {
            TotalSource::Counted => None,
            TotalSource::CountedUpTo(limit) => Some(limit),
            TotalSource::Known(_) | TotalSource::Estimated | TotalSource::EstimatedAbove(_) => return None,
        };
        Some(Self { totals, pool, hash: hash(&list.query.count(up_to)) })
    }

    pub(super) fn get(&self) -> Option<Total> {
        self.totals.get(&(self.pool.address, self.hash))
    }

    /// Remembers a total from now on.
    pub(super) fn set(self, total: Total) {
        self.totals.insert(&self.pool, self.hash, total);
    }
}

/// Identifies a statement with its values.
fn hash(statement: &BoundSql) -> [u8; 32] {
    let BoundSql { sql, values, caller, .. } = statement;
    let callers: Vec<String> = caller.iter().flat_map(|caller| &*caller.values).map(|value| value.to_key()).collect();
    Sha256::digest(format!("{:?}", (sql, values, callers))).into()
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_oldest_of_too_many_totals_is_forgotten() {
        let pool = PoolId::of(&sqlx::SqlitePool::connect_lazy("sqlite::memory:").expect("the address is valid"));
        let totals = RememberedTotals { lifetime: Duration::MAX, ..RememberedTotals::default() };
        let key = |number: usize| {
            let mut hash = [0; 32];
            hash.iter_mut().zip(number.to_le_bytes()).for_each(|(to, from)| *to = from);
            hash
        };
        for number in 0..MOST {
            totals.insert(&pool, key(number), Total::Exact(7));
            // The clock may not tell two totals apart.
            if number < 2 {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        }
        totals.insert(&pool, key(0), Total::Exact(8));
        assert_eq!(totals.get(&(pool.address, key(0))), Some(Total::Exact(8)));
        totals.insert(&pool, key(MOST), Total::Exact(9));
        let kept = |number| totals.get(&(pool.address, key(number))).map(Total::rows);
        assert_eq!((kept(0), kept(1), kept(2), kept(MOST)), (Some(8), None, Some(7), Some(9)));
        assert_eq!(totals.entries.lock().expect("no test has failed with it").len(), MOST);
    }

    #[tokio::test]
    async fn a_total_is_forgotten_after_its_lifetime() {
        let pool = PoolId::of(&sqlx::SqlitePool::connect_lazy("sqlite::memory:").expect("the address is valid"));
        for (lifetime, expected) in [(Duration::ZERO, None), (Duration::MAX, Some(Total::Exact(7)))] {
            let totals = RememberedTotals { lifetime, ..RememberedTotals::default() };
            totals.insert(&pool, [1; 32], Total::Exact(7));
            assert_eq!(totals.get(&(pool.address, [1; 32])), expected, "{lifetime:?}");
        }
    }
}
