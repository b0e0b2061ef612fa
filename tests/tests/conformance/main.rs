//! The specification case by case, from the files of `data`. Each test says how many cases it ran.

// Pages as values: no database.
mod cursor;
mod extremes;
mod length_aware;
mod links_window;
mod page_input;
mod simple;
mod url;

// Pages from a database.
mod cursor_walk;
mod offset_db;
