//! Measures rivals that do the same work in turn, so that background load affects all of them alike.

use std::future::{Future, ready};
use std::hint::black_box;
use std::pin::Pin;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

/// How often rivals are run.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Warm-up rounds, in which caches fill and statements are prepared. Fewer if they take longer than `patience`.
    pub warm_up: usize,
    /// The number of rounds. If they take longer than `patience`, fewer, but at least `fewest`.
    pub rounds: usize,
    pub fewest: usize,
    pub patience: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { warm_up: 20, rounds: 2_000, fewest: 10, patience: Duration::from_secs(8) }
    }
}

/// The number of calls in a sample of [`Rival::batch`].
const BATCH: u32 = 200;

/// One way to do the work. Its results are compared with those of the others.
pub struct Rival<'a, T> {
    pub name: &'static str,
    #[expect(clippy::type_complexity, reason = "a boxed async function, written out")]
    work: Box<dyn FnMut() -> Pin<Box<dyn Future<Output = Result<T>> + 'a>> + 'a>,
}

impl<'a, T> Rival<'a, T> {
    pub fn new<F: Future<Output = Result<T>> + 'a>(name: &'static str, mut work: impl FnMut() -> F + 'a) -> Self {
        Self { name, work: Box::new(move || Box::pin(work())) }
    }

    /// Synchronous work that is too short to be timed, so that a sample consists of many calls. See [`Outcome::each`].
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

/// The median time of each rival, in the order in which they were passed.
#[derive(Debug, Clone)]
pub struct Outcome {
    pub rounds: usize,
    pub medians: Vec<(&'static str, Duration)>,
}

impl Outcome {
    pub fn median(&self, name: &str) -> Option<Duration> {
        self.medians.iter().find(|(rival, _)| *rival == name).map(|(_, median)| *median)
    }

    /// The same for a single call, if each rival is a [`Rival::batch`].
    #[must_use]
    pub fn each(self) -> Self {
        let medians = self.medians.into_iter().map(|(name, median)| (name, median / BATCH)).collect();
        Self { medians, ..self }
    }

    /// The median of `name` divided by the median of `other`.
    pub fn ratio(&self, name: &str, other: &str) -> Option<f64> {
        Some(self.median(name)?.as_secs_f64() / self.median(other)?.as_secs_f64())
    }
}

/// Runs the rivals in turn, in a different order each round, so that side effects of one, such as a cold cache, affect
/// all others alike.
pub async fn contest<T: PartialEq + std::fmt::Debug, const N: usize>(rivals: [Rival<'_, T>; N]) -> Result<Outcome> {
    contest_within(Limits::default(), rivals.into()).await
}

/// The same, as often as the limits say.
pub async fn contest_within<T: PartialEq + std::fmt::Debug>(
    limits: Limits,
    mut rivals: Vec<Rival<'_, T>>,
) -> Result<Outcome> {
    let mut times = vec![Vec::with_capacity(limits.rounds); rivals.len()];
    let mut shuffle = Shuffle(1);
    let begun = Instant::now();
    for _ in 0..limits.warm_up {
        round(&mut rivals, &mut shuffle).await?;
        if begun.elapsed() > limits.patience {
            break;
        }
    }
    let begun = Instant::now();
    let mut rounds = 0;
    while rounds < limits.rounds && (rounds < limits.fewest || begun.elapsed() < limits.patience) {
        let took = round(&mut rivals, &mut shuffle).await?;
        for (times, time) in times.iter_mut().zip(took) {
            times.push(time);
        }
        rounds += 1;
    }
    let medians = rivals.iter().zip(&mut times).map(|(rival, times)| (rival.name, median(times))).collect();
    Ok(Outcome { rounds, medians })
}

/// Runs each rival once and compares their results. Returns the time that each took.
async fn round<T: PartialEq + std::fmt::Debug>(
    rivals: &mut [Rival<'_, T>],
    shuffle: &mut Shuffle,
) -> Result<Vec<Duration>> {
    let mut order: Vec<usize> = (0..rivals.len()).collect();
    shuffle.apply(&mut order);
    let mut took = vec![Duration::ZERO; rivals.len()];
    let mut first: Option<(&str, T)> = None;
    for at in order {
        let rival = &mut rivals[at];
        let start = Instant::now();
        let done = (rival.work)().await?;
        took[at] = start.elapsed();
        match &first {
            None => first = Some((rival.name, done)),
            Some((name, expected)) => {
                ensure!(done == *expected, "`{}` and `{name}` differ: {done:?}, {expected:?}", rival.name);
            }
        }
    }
    Ok(took)
}

/// Pseudorandom orders, the same in each run.
struct Shuffle(u64);

impl Shuffle {
    /// A Fisher-Yates shuffle, with the Lehmer generator of Park and Miller.
    fn apply(&mut self, order: &mut [usize]) {
        for last in (1..order.len()).rev() {
            self.0 = self.0 * 48_271 % 0x7fff_ffff;
            order.swap(last, (self.0 % (last as u64 + 1)) as usize);
        }
    }
}

/// The median of some values.
pub fn median<T: Ord + Copy + Default>(values: &mut [T]) -> T {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}
