//! Names for the databases of tests on a server. They are the same on each run, so that a run replaces the last one's.

use std::cell::Cell;

thread_local! {
    static COUNT: Cell<u32> = const { Cell::new(0) };
}

/// A name for the next database of the current test. The thread has the name of the test.
pub fn next() -> String {
    let count = COUNT.replace(COUNT.get() + 1);
    let thread = std::thread::current();
    let test: String = thread.name().unwrap_or("main").replace("::", "_").chars().rev().take(48).collect();
    let test: String = test.chars().rev().collect();
    format!("folio_{test}_{count}")
}
