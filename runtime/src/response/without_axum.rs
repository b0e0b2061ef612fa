//! What is said where something of the feature `axum` is used and the feature is not enabled: that it has to be.

use crate::app::Folio;

/// The feature, which nothing has here.
#[diagnostic::on_unimplemented(
    message = "the feature `axum` of folio is not enabled",
    label = "enable it in Cargo.toml: `folio = {{ version = \"…\", features = [\"axum\"] }}`"
)]
pub trait Axum {
    #[doc(hidden)]
    fn layer<L>(self) -> L;
}

impl Folio {
    // Of any type, for it to be the only thing wrong with what it stands in; and for any lifetime, for otherwise the
    // compiler would refuse it here and not where it is called.
    #[doc(hidden)]
    #[must_use]
    pub fn layer<L>(&self) -> L
    where
        for<'a> &'a Self: Axum,
    {
        Axum::layer(self)
    }
}

#[doc(hidden)]
#[macro_export]
macro_rules! json_response {
    ($($anything:tt)*) => {
        ::core::compile_error!("`json_response!` needs the feature `axum` of folio; enable it in Cargo.toml")
    };
}
