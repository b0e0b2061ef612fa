//! A limit that turns a hang into a failure.

use std::time::Duration;

/// Far longer than any test takes, even on a busy machine.
const LIMIT: Duration = Duration::from_secs(60);

pub async fn limited<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(LIMIT, future).await.expect("a test must not hang")
}
