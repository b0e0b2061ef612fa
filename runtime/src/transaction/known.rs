//! What is known about pools, each for as long as it exists.

use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A fact about each of several pools. A weak reference to its connect options identifies a pool.
pub(super) struct Known<O, T>(Mutex<Vec<(Weak<O>, T)>>);

impl<O, T: Copy> Known<O, T> {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// What is known about the pool with these options.
    pub(super) fn get(&self, options: &Arc<O>) -> Option<T> {
        let pools = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // As long as the weak reference exists, the address is not reused.
        pools.iter().find(|(pool, _)| pool.as_ptr() == Arc::as_ptr(options)).map(|(_, fact)| *fact)
    }

    /// Remembers a fact about a pool, and forgets the pools that no longer exist.
    pub(super) fn insert(&self, options: &Arc<O>, fact: T) {
        let mut pools = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pools.retain(|(pool, _)| pool.strong_count() > 0);
        pools.push((Arc::downgrade(options), fact));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_is_known_as_long_as_its_pool_exists() {
        let known = Known::new();
        let [one, other, unasked] = [1, 2, 3].map(Arc::new);
        known.insert(&one, 'a');
        known.insert(&other, 'b');
        assert_eq!([&one, &other, &unasked].map(|pool| known.get(pool)), [Some('a'), Some('b'), None]);

        let closed = Arc::downgrade(&other);
        drop(other);
        known.insert(&unasked, 'c');
        assert_eq!([&one, &unasked].map(|pool| known.get(pool)), [Some('a'), Some('c')]);
        let pools = known.0.lock().unwrap_or_else(PoisonError::into_inner);
        assert!(!pools.iter().any(|(pool, _)| pool.ptr_eq(&closed)));
    }
}
