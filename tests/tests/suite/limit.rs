//! A limit that turns a hang into a failure.

use std::time::Duration;

/// Far beyond what any test takes, also on a machine that is busy.
const LIMIT: Duration = Duration::from_secs(60);

pub(crate) async fn limited<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(LIMIT, future).await.expect("a test must not hang")
}
