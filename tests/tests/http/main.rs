//! folio over HTTP: a bound socket, and a client on the other side of it.

#[expect(dead_code, unused_imports, unused_macros, reason = "what only the conformance tests need")]
#[path = "../conformance/cases.rs"]
mod cases;
mod service;

mod documents;
mod errors;
mod hostile;
mod inertia;
mod json_api;
mod keys;
mod layer;
mod load;
mod openapi;
mod paths;
