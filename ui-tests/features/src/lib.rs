//! Empty: the dependencies of this package are those of the cases in `fail`.
