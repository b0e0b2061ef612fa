//! Rivals that do the same work in turn, so that whatever else the machine does meets them alike.

use std::future::{Future, ready};
use std::hint::black_box;
use std::pin::Pin;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

/// Rounds that are not counted: caches fill, statements are prepared.
const WARM_UP: usize = 20;

/// As many rounds as there are, unless they take longer than [`PATIENCE`]: then at least [`FEWEST`].
const ROUNDS: usize = 2_000;
const FEWEST: usize = 10;
const PATIENCE: Duration = Duration::from_secs(8);

/// Calls in a sample of [`Rival::batch`].
const BATCH: u32 = 200;

/// One way to do the work. What it returns is compared with what the others return.
pub struct Rival<'a, T> {
    pub name: &'static str,
    #[expect(clippy::type_complexity, reason = "a boxed async function, written out")]
    work: Box<dyn FnMut() -> Pin<Box<dyn Future<Output = Result<T>> + 'a>> + 'a>,
}

impl<'a, T> Rival<'a, T> {
    pub fn new<F: Future<Output = Result<T>> + 'a>(name: &'static str, mut work: impl FnMut() -> F + 'a) -> Self {
        Self { name, work: Box::new(move || Box::pin(work())) }
    }

    /// Work that waits for nothing and is too short to be timed: a sample of it is many calls. See [`Outcome::each`].
    pub fn batch(name: &'static str, mut work: impl FnMut() -> Result<T> + 'a) -> Self
    where
        T: 'a,
    {
        let mut calls = move || {
            for _ in 1..BATCH {
                black_box(work()?);
            }
            work()
        };
        Self { name, work: Box::new(move || Box::pin(ready(calls()))) }
    }
}

/// How long each rival took: the medians, in the order in which the rivals were given.
#[derive(Debug, Clone)]
pub struct Outcome {
    pub rounds: usize,
    pub medians: Vec<(&'static str, Duration)>,
}

impl Outcome {
    pub fn median(&self, name: &str) -> Option<Duration> {
        self.medians.iter().find(|(rival, _)| *rival == name).map(|(_, median)| *median)
    }

    /// The same for a single call, where each rival is a [`Rival::batch`].
    #[must_use]
    pub fn each(self) -> Self {
        let medians = self.medians.into_iter().map(|(name, median)| (name, median / BATCH)).collect();
        Self { medians, ..self }
    }

    /// How many times the median of `other` the one of `name` is.
    pub fn ratio(&self, name: &str, other: &str) -> Option<f64> {
        Some(self.median(name)?.as_secs_f64() / self.median(other)?.as_secs_f64())
    }
}

/// Lets the rivals work in turn. Each round begins with another of them.
pub async fn contest<T: PartialEq + std::fmt::Debug, const N: usize>(mut rivals: [Rival<'_, T>; N]) -> Result<Outcome> {
    let mut times = vec![Vec::with_capacity(ROUNDS); N];
    let mut rounds = 0;
    let mut begun = Instant::now();
    while rounds < WARM_UP + ROUNDS && !(rounds >= WARM_UP + FEWEST && begun.elapsed() > PATIENCE) {
        if rounds == WARM_UP {
            begun = Instant::now();
        }
        let mut first: Option<(&str, T)> = None;
        for turn in 0..N {
            let at = (rounds + turn) % N;
            let start = Instant::now();
            let done = (rivals[at].work)().await?;
            let time = start.elapsed();
            if rounds >= WARM_UP {
                times[at].push(time);
            }
            match &first {
                None => first = Some((rivals[at].name, done)),
                Some((name, expected)) => {
                    ensure!(done == *expected, "`{}` and `{name}` differ: {done:?}, {expected:?}", rivals[at].name);
                }
            }
        }
        rounds += 1;
    }
    let medians = rivals.iter().zip(&mut times).map(|(rival, times)| (rival.name, median(times))).collect();
    Ok(Outcome { rounds: rounds - WARM_UP, medians })
}

/// The middle one of some values.
pub fn median<T: Ord + Copy + Default>(values: &mut [T]) -> T {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}
