//! folio over HTTP: a service on a socket, and a client.

mod service;
mod specification;

mod actix;
mod actix_middleware;
mod cursor_profile;
mod documents;
mod errors;
mod expiry;
mod filters;
mod first_contact;
mod graphql;
mod graphql_loader;
mod hostile;
mod hostile_parameters;
mod inertia;
mod inertia_pages;
mod json_api;
mod json_api_related;
mod keys;
mod layer;
mod limits;
mod load;
mod metrics;
mod openapi;
mod paths;
mod sorts;
mod typed;
mod typescript;
