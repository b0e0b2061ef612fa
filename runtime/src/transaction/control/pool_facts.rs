//! [`PoolFacts`]: what was learned about each pool, for as long as the pool exists.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Instant;

/// A fact about each of several pools, and when it was learned. A pool is identified by a weak reference to its connect
/// options.
pub(super) struct PoolFacts<O, T>(Mutex<Vec<(Weak<O>, T, Instant)>>);

impl<O, T: Copy> PoolFacts<O, T> {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// What was learned about a pool, and when.
    pub(super) fn get(&self, options: &Arc<O>) -> Option<(T, Instant)> {
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
        let get = |pool: &Arc<i32>| facts.get(pool).map(|(fact, _)| fact);
        assert_eq!([&one, &other, &unasked].map(get), [Some('a'), Some('b'), None]);

        let closed = Arc::downgrade(&other);
        drop(other);
        facts.insert(&unasked, 'c');
        assert_eq!([&one, &unasked].map(get), [Some('a'), Some('c')]);
        let pools = facts.0.lock().unwrap_or_else(PoisonError::into_inner);
        assert!(!pools.iter().any(|(pool, ..)| pool.ptr_eq(&closed)));
    }

    #[test]
    fn a_fact_that_is_learned_again_is_replaced() {
        let (facts, pool) = (PoolFacts::new(), Arc::new(1));
        facts.insert(&pool, 'a');
        let (_, before) = facts.get(&pool).expect("it was inserted");
        facts.insert(&pool, 'b');
        let (fact, after) = facts.get(&pool).expect("it was inserted");
        assert!(fact == 'b' && after >= before);
    }
}
