//! A bounded cache.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};

/// The maximum memory of one cache, in bytes: enough for the statements of thousands of queries.
const MOST: usize = 4 * 1024 * 1024;

/// A bounded cache that is emptied when it is full. It must not contain callers' values.
#[derive(Debug)]
pub(crate) struct BoundedCache<K, V>(RwLock<Option<Entries<K, V>>>);

#[derive(Debug)]
struct Entries<K, V> {
    by_key: HashMap<K, Arc<V>>,
    size: usize,
}

impl<K, V> BoundedCache<K, V> {
    pub(crate) const fn new() -> Self {
        Self(RwLock::new(None))
    }
}

impl<K: Eq + Hash, V> BoundedCache<K, V> {
    /// The entry of `key`, else a new one from `make`, which also returns the memory that the entry and its key take.
    pub(crate) fn get(&self, key: K, make: impl FnOnce() -> (V, usize)) -> Arc<V> {
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = kept.as_ref().and_then(|kept| kept.by_key.get(&key)) {
            return found.clone();
        }
        drop(kept);
        let (made, size) = make();
        let made = Arc::new(made);
        let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.get_or_insert_with(|| Entries { by_key: HashMap::new(), size: 0 });
        kept.size = kept.size.saturating_add(size);
        if kept.size > MOST {
            kept.by_key.clear();
            kept.size = size;
        }
        kept.by_key.insert(key, made.clone());
        made
    }
}
