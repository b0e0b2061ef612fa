//! Peers beside folio: see `benches/peers.rs`.
