//! `DB::transaction`, its nested transactions and its handles.

mod dropped;
mod ended;
mod nesting;
pub(crate) mod notes;
mod outcome;
mod owner;
mod retried;
mod tasks;
