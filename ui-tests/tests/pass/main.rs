//! Places that a derive must not stumble over. Each module compiles as it stands, and checks what it derived.

#![expect(dead_code, reason = "most fields are only there to be derived from")]

mod filters;
mod odd_field_names;
mod primary_keys;
mod private;
mod renamed_crate;
mod rows;
mod shadowed_prelude;
mod sqlx_attributes;
mod without_imports;
