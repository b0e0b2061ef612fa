//! Compares folio with other libraries: see `benches/peers.rs`.
