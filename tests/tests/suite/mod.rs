//! One source for every database.

mod db;
mod models;
mod plans;
mod routing;
mod transactions;
mod walk;
