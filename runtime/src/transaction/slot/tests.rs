use std::panic::Location;

use futures_util::FutureExt as _;
use sqlx::Sqlite;

use super::*;
use crate::transaction::tests::{begun, notes, pool};

fn owner(what: &'static str) -> Owner {
    Owner::new(what, Some(Location::caller()))
}

/// A transaction whose connection is waited for briefly.
async fn slot() -> (Arc<Slot<Sqlite>>, Level) {
    Slot::new(begun(&pool().await).await, Duration::from_millis(20), owner("it"))
}

#[tokio::test]
async fn a_wait_for_the_connection_ends_and_names_who_has_it() {
    let (slot, level) = slot().await;
    let held = slot.take(level, owner("the guard"), false).await.expect("it is free");
    let error = slot.take(level, owner("a page"), false).await.expect_err("the guard has it").to_string();
    assert!(error.contains("20ms") && error.contains("the guard at ") && error.contains("tests.rs:"), "{error}");
    drop(held);
    slot.take(level, owner("a page"), false).await.expect("it was returned");
}

#[tokio::test]
async fn a_wait_that_is_not_polled_keeps_nobody_waiting() {
    let (slot, level) = slot().await;
    let held = slot.take(level, owner("the guard"), false).await.expect("it is free");
    let mut kept = Box::pin(slot.take(level, owner("kept"), false));
    assert!(kept.as_mut().now_or_never().is_none());
    drop(held);
    slot.take(level, owner("another"), false).await.expect("it was returned");
}

#[tokio::test]
async fn only_the_innermost_level_has_the_connection() {
    let (slot, outer) = slot().await;
    let inner = slot.take(outer, owner("it"), false).await.expect("it is free").push(owner("a transaction"));
    let error = slot.take(outer, owner("a page"), false).await.expect_err("one is open").to_string();
    assert!(error.contains("a nested transaction is open"), "{error}");
    let lock = slot.take(inner, owner("a page"), false).await.expect("it is the innermost");
    assert!(lock.is_innermost(inner) && !lock.is_innermost(outer));
    drop(lock);
    assert!(!slot.take(outer, owner("the end"), true).await.expect("it ends").is_innermost(outer));
    slot.abandon(inner);
    let lock = slot.take(outer, owner("a page"), false).await.expect("nothing is nested any more");
    assert_eq!((lock.take_abandoned(), lock.take_abandoned()), (Some(1), None));
    assert_eq!(slot.take(inner, owner("a page"), false).await.expect_err("ended").to_string(), ended().to_string());
}

#[tokio::test]
async fn a_statement_is_marked_until_it_has_succeeded() {
    let (slot, level) = slot().await;
    let mut lock = slot.take(level, owner("a page"), false).await.expect("it is free");
    let before = lock.begins();
    assert!(lock.open_mut().is_unchecked());
    lock.ended(before);
    assert!(!lock.open_mut().is_unchecked());
}

#[tokio::test]
async fn a_connection_that_returns_after_the_end_is_rolled_back() {
    let pool = pool().await;
    let (slot, level) = Slot::new(begun(&pool).await, Duration::from_secs(20), owner("it"));
    let lock = slot.take(level, owner("the guard"), false).await.expect("it is free");
    assert_eq!(format!("{lock:?}"), "Lock(..)");
    slot.abandon(level);
    drop(lock);
    assert_eq!(notes(&pool).await, 0);
}
