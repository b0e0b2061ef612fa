//! A bounded cache.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};

use foldhash::fast::RandomState;

/// The maximum memory of one cache, in bytes: enough for the statements of thousands of queries.
const MOST: usize = 4 * 1024 * 1024;

/// A bounded cache that is emptied when it is full. It must not contain callers' values.
#[derive(Debug)]
pub struct BoundedCache<K, V>(RwLock<Option<Entries<K, V>>>);

#[derive(Debug)]
struct Entries<K, V> {
    by_key: HashMap<K, Arc<V>, RandomState>,
    size: usize,
}

impl<K, V> BoundedCache<K, V> {
    #[expect(clippy::new_without_default, reason = "caches are static, and `default` is not const")]
    pub const fn new() -> Self {
        Self(RwLock::new(None))
    }
}

impl<K: Eq + Hash, V> BoundedCache<K, V> {
    /// The entry for `key`, or else a new one from `make`, which also returns the memory that the entry and its key
    /// take.
    pub fn get(&self, key: K, make: impl FnOnce() -> (V, usize)) -> Arc<V> {
        if let Some(found) = self.find(&key) {
            return found;
        }
        let (made, size) = make();
        self.insert(key, made, size)
    }

    pub fn find(&self, key: &K) -> Option<Arc<V>> {
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().and_then(|kept| kept.by_key.get(key)).cloned()
    }

    /// Adds an entry that takes `size` bytes, including its key, and returns it, or the one that another thread has
    /// added in the meantime.
    pub fn insert(&self, key: K, made: V, size: usize) -> Arc<V> {
        let made = Arc::new(made);
        let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.get_or_insert_with(|| Entries { by_key: HashMap::default(), size: 0 });
        if let Some(found) = kept.by_key.get(&key) {
            return found.clone();
        }
        kept.size = kept.size.saturating_add(size);
        if kept.size > MOST {
            kept.by_key.clear();
            kept.size = size;
        }
        kept.by_key.insert(key, made.clone());
        made
    }
}
