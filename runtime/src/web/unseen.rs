//! The first internal error of a process whose log nobody reads.
//!
//! A 5xx response does not say why the request failed; the log does. Without a `tracing` subscriber there is no log, so
//! a new service would show nothing.

use std::error::Error;
use std::io::Write as _;
use std::iter::successors;
use std::sync::Once;

/// Writes the first error of the process to stderr, with its causes, unless a `tracing` subscriber has been set.
pub(super) fn write_first(error: &(dyn Error + 'static)) {
    static WRITTEN: Once = Once::new();
    if tracing::dispatcher::has_been_set() {
        return;
    }
    WRITTEN.call_once(|| {
        let causes = successors(error.source(), |cause| (*cause).source());
        let text = causes.map(ToString::to_string).fold(error.to_string(), |text, cause| match text.contains(&cause) {
            true => text,
            false => format!("{text}: {cause}"),
        });
        // A process without stderr has nowhere to write it.
        let _ = writeln!(
            std::io::stderr(),
            "folio: a request failed: {text}\n\
             folio: this is the only internal error that is written here, because no `tracing` subscriber is set. To \
             log all of them, add the crate `tracing-subscriber` and call `tracing_subscriber::fmt::init()` at the \
             start of `main`."
        );
    });
}
