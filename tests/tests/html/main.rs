//! Rendered markup: its text for each theme and state, what a browser's parser finds in it, and the template engines.

mod engines;
mod hostile;
mod parsed;
mod snapshots;
