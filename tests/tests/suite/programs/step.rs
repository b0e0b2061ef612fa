//! Programs, and how they are generated.

use proptest::prelude::*;

use crate::server;

/// One transaction.
#[derive(Debug, Clone)]
pub(super) struct Program {
    pub(super) steps: Vec<Step>,
    /// Whether its work ends in `Ok`.
    pub(super) keep: bool,
}

#[derive(Debug, Clone)]
pub(super) enum Step {
    /// Inserts a row.
    Insert { passes: bool },
    /// Reads a page.
    Page,
    /// Inserts a row that already exists.
    Fail { passes: bool },
    /// A transaction inside this one.
    Nest { program: Program, passes: bool },
    /// Branches side by side in one task.
    Join(Vec<Vec<Step>>),
    /// A task that is given the transaction, and awaited.
    Spawn(Vec<Step>),
    /// Inserts a row through the handle of the outer transaction.
    Outer,
    /// A statement that ends the transaction on the server.
    End(server::End),
    /// A deadlock with another connection, which is ignored.
    Deadlock,
    /// Lets other branches continue.
    Yield,
    /// Branches side by side, at most two at a time.
    Buffered(Vec<Vec<Step>>),
    /// Steps that are dropped after some polls, as by a time limit.
    Limit { polls: usize, steps: Vec<Step> },
    /// Branches of which the slower one is dropped.
    Select(Vec<Step>, Vec<Step>),
    /// A guard that moves to another task, which inserts a row with it, while a page waits.
    Move,
}

pub(super) fn program() -> impl Strategy<Value = Program> {
    let ends = proptest::sample::select(server::ENDS).prop_map(Step::End);
    // Few programs end their transaction, so that most do other things.
    let plain = prop_oneof![
        60 => any::<bool>().prop_map(|passes| Step::Insert { passes }),
        12 => Just(Step::Page),
        4 => prop::bool::weighted(0.3).prop_map(|passes| Step::Fail { passes }),
        6 => Just(Step::Outer),
        4 => ends,
        1 => Just(Step::Deadlock),
        13 => Just(Step::Yield),
        4 => Just(Step::Move),
    ];
    let steps = prop_oneof![14 => plain, 1 => cut()].boxed().prop_recursive(4, 24, 4, |step| {
        let steps = prop::collection::vec(step.clone(), 1..4);
        let nest = (work(step.clone()), any::<bool>()).prop_map(|(program, passes)| Step::Nest { program, passes });
        prop_oneof![
            3 => step,
            5 => nest,
            2 => prop::collection::vec(steps.clone(), 2..4).prop_map(Step::Join),
            1 => prop::collection::vec(steps.clone(), 2..4).prop_map(Step::Buffered),
            1 => steps.prop_map(Step::Spawn),
        ]
    });
    work(steps.boxed())
}

/// Steps that are cut short. They neither end the transaction nor leave anything behind.
fn cut() -> impl Strategy<Value = Step> {
    let plain = prop_oneof![
        5 => any::<bool>().prop_map(|passes| Step::Insert { passes }),
        2 => Just(Step::Page),
        1 => Just(Step::Yield),
    ];
    let nest = (work(plain.clone().boxed()), any::<bool>());
    let nest = nest.prop_map(|(program, passes)| Step::Nest { program, passes });
    let steps = prop::collection::vec(prop_oneof![3 => plain, 1 => nest], 1..4).boxed();
    prop_oneof![
        (0_usize..16, steps.clone()).prop_map(|(polls, steps)| Step::Limit { polls, steps }),
        (steps.clone(), steps).prop_map(|(one, other)| Step::Select(one, other)),
    ]
}

fn work(step: BoxedStrategy<Step>) -> impl Strategy<Value = Program> {
    (prop::collection::vec(step, 1..6), prop::bool::weighted(0.8)).prop_map(|(steps, keep)| Program { steps, keep })
}
