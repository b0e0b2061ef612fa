//! Stand-ins for items of the feature `axum`. They make the compiler say that the feature is not enabled.

use crate::app::Folio;

/// The feature. Nothing implements this trait.
#[diagnostic::on_unimplemented(
    message = "the feature `axum` of folio is not enabled",
    label = "enable it in Cargo.toml: `folio = {{ version = \"…\", features = [\"axum\"] }}`"
)]
pub trait Axum {
    #[doc(hidden)]
    fn layer<L>(self) -> L;
}

impl Folio {
    // It returns any type, so that no other error is reported. The bound has any lifetime, because the compiler would
    // otherwise reject it here and not at the call.
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
