//! The application of the current task, and the settings that are read from it.

use std::future::Future;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Folio, Settings};
use crate::error::{FrameworkError, Result};

static INSTALLED: OnceLock<Folio> = OnceLock::new();

tokio::task_local! {
    static SCOPED: Folio;
}

/// Whether this process has made a layer or a middleware, and whether it has entered a scope. A task without an
/// application then is outside of them.
static HAS_LAYER: AtomicBool = AtomicBool::new(false);
static HAS_SCOPE: AtomicBool = AtomicBool::new(false);

impl Folio {
    /// Makes this the application of the whole process, including spawned tasks. A [`scope`](Self::scope) takes
    /// precedence over it.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::Folio;
    ///
    /// Folio::new(pool.clone()).install()?;
    /// assert_eq!(Folio::new(pool).install().unwrap_err().to_string(), "folio is already installed: install it once");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] on a second call.
    pub fn install(self) -> Result<()> {
        self.report_missing_keyring();
        INSTALLED.set(self).map_err(|_| FrameworkError::internal("folio is already installed: install it once"))
    }

    /// Runs a future with this application instead of the installed one.
    ///
    /// Use it in tests, which run in parallel in one process, and for services with several applications. Tasks that
    /// the future spawns do not inherit the scope; to pass it on, see [`current`](Self::current).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::{CursorDirection, Folio, Key, Keyring, decode_cursor, encode_cursor};
    ///
    /// let folio = Folio::new(pool).keyring(Keyring::new(Key::generate()));
    /// let token = folio.scope(async { encode_cursor(&7_i64, CursorDirection::Next) }).await?;
    /// assert_eq!(folio.scope(async { decode_cursor(&token) }).await?, (7_i64, CursorDirection::Next));
    /// # Ok(())
    /// # }
    /// ```
    pub fn scope<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        HAS_SCOPE.store(true, Ordering::Relaxed);
        SCOPED.scope(self.clone(), future)
    }

    /// Returns the application of this task's innermost [`scope`](Self::scope), or else the installed one.
    ///
    /// A spawned task is outside of the scope. To pass the application on, call `scope` in the task:
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::Folio;
    ///
    /// assert!(Folio::current().is_err());
    /// let scoped = Folio::new(pool).scope(async { Folio::current() }).await?;
    /// let task = tokio::spawn(async move { scoped.scope(async { Folio::current().is_ok() }).await });
    /// assert!(task.await.unwrap());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] if the task is in no scope and no application is installed. The message says what
    /// to do: in a process with a layer, with a scope, or with neither.
    pub fn current() -> Result<Self> {
        Self::of_task().map(|(folio, _)| folio).ok_or_else(Self::not_set_up)
    }

    /// The application of this task, and whether it is that of a scope rather than the installed one.
    pub(crate) fn of_task() -> Option<(Self, bool)> {
        let scoped = SCOPED.try_with(|folio| (folio.clone(), true)).ok();
        scoped.or_else(|| Some((INSTALLED.get()?.clone(), false)))
    }

    /// Why a task has no application, and what to write.
    pub(crate) fn not_set_up() -> FrameworkError {
        let advice = match (HAS_LAYER.load(Ordering::Relaxed), HAS_SCOPE.load(Ordering::Relaxed)) {
            (true, _) => {
                "folio is not set up in this task, because it is outside of the layer: `.layer(folio.layer())` covers the \
                 routes that were added before it, so call it last; a spawned task has to take `Folio::current()?` with it \
                 and run in its `scope`"
            }
            (false, true) => {
                "folio is not set up in this task, because it is outside of the scope: a spawned task has to take \
                 `Folio::current()?` with it and run in its `scope`; a service needs `.layer(folio.layer())` on its router"
            }
            (false, false) => {
                "folio is not set up: call `.layer(folio.layer())` on the router of a service (`.wrap(folio.middleware())` \
                 in actix-web), or `Folio::new(pool).install()?` once at startup"
            }
        };
        FrameworkError::internal(advice)
    }

    /// Notes that requests get this application from a layer or a middleware.
    #[cfg(any(feature = "actix", feature = "axum"))]
    pub(crate) fn enters_requests(&self) {
        HAS_LAYER.store(true, Ordering::Relaxed);
        self.report_missing_keyring();
    }

    /// Logs at startup what would otherwise only show at the first cursor, once for each application: actix-web makes a
    /// middleware for each of its threads.
    fn report_missing_keyring(&self) {
        let Settings { keyring, missing_keyring_reported, .. } = &*self.settings;
        if keyring.is_none() && !missing_keyring_reported.swap(true, Ordering::Relaxed) {
            tracing::info!(
                target: "folio",
                "no keyring is set, so cursor pages will fail and numbered pages will not: for cursors, call \
                 `Folio::keyring` with `Keyring::from_env()?`"
            );
        }
    }
}

/// Runs `work` with `folio` as its application.
#[cfg(any(feature = "actix", feature = "axum"))]
pub(crate) fn within<R>(folio: Folio, work: impl FnOnce() -> R) -> R {
    SCOPED.sync_scope(folio, work)
}
