//! The results of all selects: a table for the reader, and the figures that the test asserts.

use std::collections::BTreeMap;
use std::fmt;

use super::case::{Case, Term};
use super::check::{Answer, Call, Verdict};
use super::dialect::sql;
use super::keys;

/// The counts of every outcome, and the shortest example of each kind of mistake.
#[derive(Default)]
pub(super) struct Report {
    pub(super) selects: usize,
    ambiguous: usize,
    /// How many calls have to be answered.
    pub(super) owed: BTreeMap<Call, usize>,
    right: BTreeMap<Call, usize>,
    refused: BTreeMap<(Call, String), usize>,
    pub(super) denied: BTreeMap<(Call, String), Example>,
    pub(super) wrong: BTreeMap<(Call, String), Example>,
    invalid: BTreeMap<String, usize>,
}

/// A mistake: how often it was seen, and the shortest select that shows it.
pub(super) struct Example {
    count: usize,
    text: String,
}

impl Report {
    pub(super) fn add(&mut self, seed: u64, case: &Case, verdict: Verdict) {
        self.selects += 1;
        let answers = match verdict {
            Verdict::Ambiguous => return self.ambiguous += 1,
            Verdict::Invalid(message) => {
                let message = message.chars().filter(|c| !c.is_ascii_digit()).take(100).collect();
                return *self.invalid.entry(message).or_default() += 1;
            }
            Verdict::Checked(answers) => answers,
        };
        for (call, must_answer, answer) in answers {
            *self.owed.entry(call).or_default() += usize::from(must_answer);
            match answer {
                Answer::Right => *self.right.entry(call).or_default() += 1,
                Answer::Refused(reason) => *self.refused.entry((call, reason)).or_default() += 1,
                Answer::Denied { kind, detail } => {
                    let kind = (call, format!("{kind} [{}]", case.topic()));
                    add(&mut self.denied, kind, example(seed, case, &detail));
                }
                Answer::Wrong { kind, detail } => {
                    let kind = (call, format!("{kind} [{}]", case.topic()));
                    add(&mut self.wrong, kind, example(seed, case, &detail));
                }
            }
        }
    }

    /// How many calls ended in an error that could have been answered.
    pub(super) fn denials(&self) -> usize {
        self.denied.values().map(|example| example.count).sum()
    }

    /// How many selects the database does not run by hand either.
    pub(super) fn invalid(&self) -> usize {
        self.invalid.values().sum()
    }
}

/// Adds a mistake to those of its kind.
fn add(examples: &mut BTreeMap<(Call, String), Example>, kind: (Call, String), text: String) {
    let example = examples.entry(kind).or_insert_with(|| Example { count: 0, text: text.clone() });
    example.count += 1;
    if text.len() < example.text.len() {
        example.text = text;
    }
}

/// A select and its walk, and the beginning of what is wrong with them.
fn example(seed: u64, case: &Case, detail: &str) -> String {
    let term = |term: &Term| {
        let model = term.model.map_or("", |_| "a model's ");
        let qualifier = term.qualifier.map_or_else(String::new, |qualifier| format!("{qualifier}."));
        format!("{model}{qualifier}{}", term.name)
    };
    let terms: Vec<String> = case.key.iter().map(term).collect();
    let (select, order, terms) = (sql(&case.select), keys::order(&case.key), terms.join(", "));
    let detail: String = detail.chars().take(2_000).collect();
    format!("seed {seed}\n{select}\nwalked by {terms}: {order:?}\n{detail}")
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} selects, {} not valid SQL, {} ambiguous", self.selects, self.invalid(), self.ambiguous)?;
        for (message, count) in &self.invalid {
            writeln!(f, "{count:>8} not valid: {message}")?;
        }
        for (call, count) in &self.right {
            let owed = self.owed.get(call).copied().unwrap_or_default();
            writeln!(f, "{count:>8} {call:?} answered ({owed} have to be)")?;
        }
        for ((call, reason), count) in &self.refused {
            writeln!(f, "{count:>8} {call:?} refused: {reason}")?;
        }
        for ((call, kind), example) in &self.denied {
            writeln!(f, "{:>8} {call:?} DENIED: {kind}", example.count)?;
        }
        for ((call, kind), example) in &self.wrong {
            writeln!(f, "{:>8} {call:?} WRONG: {kind}", example.count)?;
        }
        for ((call, kind), example) in self.denied.iter().chain(&self.wrong) {
            writeln!(f, "\n--- {call:?}: {kind}\n{}", example.text)?;
        }
        Ok(())
    }
}
