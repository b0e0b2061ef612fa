//! Only test targets live here.
