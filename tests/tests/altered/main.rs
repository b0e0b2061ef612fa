//! Altered cursors, of every shape of key: none opens.
//!
//! `FOLIO_ALTERED` sets how many cursors there are. Every core tries its share.

mod alterations;
mod lists;
mod models;
mod shapes;
mod values;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use folio::{Folio, Key, Keyring};
use folio_tests::cursors::is_refused;
use folio_tests::sqlite;

use self::alterations::{Random, Tokens, altered};
use self::shapes::{Shape, shapes};

/// How many cursors are altered by default.
const DEFAULT: u64 = 200_000;

/// How many cursors a thread tries before it counts them.
const BATCH: u64 = 1_000;

/// One in this many cursors is opened by reading a page, which takes far longer than opening it by its key.
const PAGES: usize = 32;

/// What all threads have tried.
struct Tally {
    wanted: u64,
    tried: AtomicU64,
    accepted: Mutex<Vec<String>>,
    begun: Instant,
}

impl Tally {
    /// Counts a batch, and prints how far the test is at each tenth.
    fn add(&self, tried: u64) {
        let before = self.tried.fetch_add(tried, Ordering::Relaxed);
        let after = before + tried;
        let tenth = (self.wanted / 10).max(1);
        if before / tenth < after / tenth {
            println!("{after} altered cursors after {} s", self.begun.elapsed().as_secs());
        }
    }

    /// Whether the test can end. A cursor that opens ends it.
    fn is_done(&self) -> bool {
        self.tried.load(Ordering::Relaxed) >= self.wanted || !self.accepted.lock().unwrap().is_empty()
    }
}

/// Alters a cursor of a shape, and returns what it is if the shape opens it or answers with another error. `None` if
/// the alteration left it as it was.
async fn attempt(random: &mut Random, shape: &Shape, shapes: &[Shape]) -> Option<Result<(), String>> {
    let other = random.pick(shapes);
    let foreign = if other.list == shape.list { None } else { Some(&other.tokens) };
    let text = altered(random, &Tokens { own: &shape.tokens, foreign, strange: &shape.strange });
    if shape.tokens.contains(&text) {
        return None;
    }
    let opened = shape.open(&text).await;
    Some(if is_refused(&opened) { Ok(()) } else { Err(format!("{} as {text:?}: {opened:?}", shape.name)) })
}

/// Tries batches until there are enough.
async fn attempts(mut random: Random, tally: &Tally, shapes: &[Shape]) {
    let (keys, pages): (Vec<&Shape>, Vec<&Shape>) = shapes.iter().partition(|shape| shape.has_key());
    while !tally.is_done() {
        let mut tried = 0;
        while tried < BATCH {
            let of = if random.below(PAGES) == 0 { &pages } else { &keys };
            let shape = *random.pick(of);
            match attempt(&mut random, shape, shapes).await {
                None => continue,
                Some(Ok(())) => {}
                Some(Err(accepted)) => tally.accepted.lock().unwrap().push(accepted),
            }
            tried += 1;
        }
        tally.add(tried);
    }
}

/// The share of one thread, in an application and a database of its own.
fn share(seed: u64, tally: &Tally) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let pool = sqlite::pool(1).await;
        sqlx::raw_sql(lists::SCHEMA).execute(&pool).await.unwrap();
        let folio = || Folio::new(pool.clone()).keyring(Keyring::new(Key::generate()));
        let strange = folio().scope(shapes(Vec::new())).await;
        let strange = strange.into_iter().map(|shape| shape.tokens).collect();
        folio()
            .scope(async {
                let shapes = shapes(strange).await;
                shapes::assert_genuine(&shapes).await;
                attempts(Random(seed), tally, &shapes).await;
            })
            .await;
    });
}

#[test]
fn no_altered_cursor_opens() {
    let wanted = std::env::var("FOLIO_ALTERED").map_or(DEFAULT, |number| number.parse().expect("a number"));
    let begun = Instant::now();
    let tally = Tally { wanted, tried: AtomicU64::new(0), accepted: Mutex::new(Vec::new()), begun };
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    thread::scope(|scope| {
        for seed in 0..threads {
            let tally = &tally;
            scope.spawn(move || share(seed, tally));
        }
    });
    let accepted = tally.accepted.into_inner().unwrap();
    println!("{} accepted of {}", accepted.len(), tally.tried.into_inner());
    assert!(accepted.is_empty(), "{}", accepted.join("\n"));
}
