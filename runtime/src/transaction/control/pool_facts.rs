//! [`PoolFacts`]: what was learned about each pool, for as long as the pool exists.

use std::sync::{Arc, Mutex, PoisonError, Weak};
#[cfg(feature = "mysql")]
use std::time::Duration;
use std::time::Instant;

/// A fact about each of several pools, and when it was learned. A pool is identified by a weak reference to its connect
/// options.
pub(super) struct PoolFacts<O, T>(Mutex<Vec<(Weak<O>, T, Instant)>>);

impl<O, T: Copy> PoolFacts<O, T> {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    pub(super) fn get(&self, options: &Arc<O>) -> Option<T> {
        self.learned(options).map(|(fact, _)| fact)
    }

    /// The fact, unless it was learned too long ago.
    #[cfg(feature = "mysql")]
    pub(super) fn within(&self, time: Duration, options: &Arc<O>) -> Option<T> {
        self.learned(options).filter(|(_, at)| at.elapsed() < time).map(|(fact, _)| fact)
    }

    fn learned(&self, options: &Arc<O>) -> Option<(T, Instant)> {
        let pools = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // As long as the weak reference exists, the address is not reused.
        let mut found = pools.iter().filter(|(pool, ..)| pool.as_ptr() == Arc::as_ptr(options));
        found.next().map(|(_, fact, at)| (*fact, *at))
    }

    /// Remembers a fact about a pool in place of an earlier one, and forgets the pools that no longer exist.
    pub(super) fn insert(&self, options: &Arc<O>, fact: T) {
        let mut pools = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pools.retain(|(pool, ..)| pool.strong_count() > 0 && pool.as_ptr() != Arc::as_ptr(options));
        pools.push((Arc::downgrade(options), fact, Instant::now()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_is_known_as_long_as_its_pool_exists() {
        let facts = PoolFacts::new();
        let [one, other, unasked] = [1, 2, 3].map(Arc::new);
        facts.insert(&one, 'a');
        facts.insert(&other, 'b');
        assert_eq!([&one, &other, &unasked].map(|pool| facts.get(pool)), [Some('a'), Some('b'), None]);

        let closed = Arc::downgrade(&other);
        drop(other);
        facts.insert(&unasked, 'c');
        assert_eq!([&one, &unasked].map(|pool| facts.get(pool)), [Some('a'), Some('c')]);
        let pools = facts.0.lock().unwrap_or_else(PoisonError::into_inner);
        assert!(!pools.iter().any(|(pool, ..)| pool.ptr_eq(&closed)));
    }

    #[cfg(feature = "mysql")]
    #[test]
    fn a_fact_that_was_learned_too_long_ago_is_replaced() {
        let (facts, pool) = (PoolFacts::new(), Arc::new(1));
        facts.insert(&pool, 'a');
        assert_eq!(facts.within(Duration::MAX, &pool), Some('a'));
        assert_eq!(facts.within(Duration::ZERO, &pool), None);
        facts.insert(&pool, 'b');
        assert_eq!((facts.get(&pool), facts.within(Duration::MAX, &pool)), (Some('b'), Some('b')));
    }
}
