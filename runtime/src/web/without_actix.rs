//! The stand-in for an item of the feature `actix`. It makes the compiler say that the feature is not enabled.

use crate::app::Folio;

/// The feature. Nothing implements this trait.
#[diagnostic::on_unimplemented(
    message = "the feature `actix` of folio is not enabled",
    label = "enable it in Cargo.toml: `folio = {{ version = \"…\", features = [\"actix\"] }}`"
)]
pub trait Actix {
    #[doc(hidden)]
    fn middleware<M>(self) -> M;
}

impl Folio {
    // Like the stand-in for `layer`: any type, and a bound with any lifetime.
    #[doc(hidden)]
    #[must_use]
    pub fn middleware<M>(&self) -> M
    where
        for<'a> &'a Self: Actix,
    {
        Actix::middleware(self)
    }
}
