//! Stand-ins for items of features that are not enabled. They make the compiler name the feature.

#[cfg(not(feature = "actix"))]
mod actix {
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
}

#[cfg(not(feature = "axum"))]
mod axum {
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
        // It returns any type, so that no other error is reported. The bound has any lifetime, because the compiler
        // would otherwise reject it here and not at the call.
        #[doc(hidden)]
        #[must_use]
        pub fn layer<L>(&self) -> L
        where
            for<'a> &'a Self: Axum,
        {
            Axum::layer(self)
        }
    }
}

#[cfg(not(feature = "axum"))]
#[doc(hidden)]
#[macro_export]
macro_rules! json_response {
    ($($anything:tt)*) => {
        ::core::compile_error!("`json_response!` needs the feature `axum` of folio; enable it in Cargo.toml")
    };
}

#[cfg(not(feature = "json-api"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __resource {
    ($($anything:tt)*) => {
        ::core::compile_error! { "`resource` needs the feature `json-api` of folio; enable it in Cargo.toml" }
    };
}
