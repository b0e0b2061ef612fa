//! Names for the databases of tests on a server. They are the same on each run, so that a run replaces the last one's.

use std::cell::Cell;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

thread_local! {
    static COUNT: Cell<u32> = const { Cell::new(0) };
}

/// A name for the next database of the current test. The thread has the name of the test.
pub fn next() -> String {
    let count = COUNT.replace(COUNT.get() + 1);
    let thread = std::thread::current();
    format!("{}_{count}", of_test(thread.name().unwrap_or("main")))
}

/// A name for the databases of a test: the end of the test's own name, and a hash of all of it. Servers accept about 60
/// characters.
fn of_test(test: &str) -> String {
    let mut hasher = DefaultHasher::new();
    test.hash(&mut hasher);
    let hash = hasher.finish() & 0xFFFF_FFFF;
    let name = test.replace("::", "_");
    let end = name.char_indices().rev().nth(39).map_or(0, |(at, _)| at);
    format!("folio_{}_{hash:08x}", &name[end..])
}

#[cfg(test)]
mod tests {
    use super::of_test;

    #[test]
    fn tests_whose_names_end_alike_have_databases_of_their_own() {
        let end = "a_transaction_inside_another_one_is_rolled_back_alone";
        let [one, other] = ["mysql", "postgres"].map(|module| of_test(&format!("{module}::{end}")));
        assert_ne!(one, other);
        assert!(one.len() <= 55, "{one}");
        assert_eq!(of_test("short"), of_test("short"));
    }
}
