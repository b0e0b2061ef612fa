//! No name of the user's scope gets into the derived code.
#![no_implicit_prelude]

#[allow(dead_code, non_snake_case, non_upper_case_globals)]
mod shadows {
    pub struct Option;
    pub struct Result;
    pub struct String;
    pub struct Vec;
    pub struct Column;
    pub struct Model;
    pub trait Clone {}
    pub trait Debug {}
    pub trait PartialEq {}
    pub trait Future {}
    pub const None: () = ();
    pub fn Some() {}
    pub fn Ok() {}
    pub mod core {}
    pub mod folio {}
    pub mod std {}
}

mod model {
    #[allow(unused_imports)]
    use super::shadows::*;

    #[derive(::std::fmt::Debug, ::std::clone::Clone, ::std::cmp::PartialEq, ::folio::ColumnValue)]
    pub enum State {
        None,
        Some,
    }

    #[derive(::std::fmt::Debug, ::std::clone::Clone, ::std::cmp::PartialEq, ::folio::ColumnValue)]
    #[repr(i16)]
    pub enum Level {
        Ok,
        Err,
    }

    #[derive(::std::fmt::Debug, ::std::clone::Clone, ::std::cmp::PartialEq, ::folio::ColumnValue)]
    pub struct Name(pub ::std::string::String);

    #[derive(::serde::Serialize, ::sqlx::FromRow, ::folio::Paginate)]
    #[paginate(schema = "blog", connection = "reports", resource = "articles")]
    #[paginate(cursor_key = "score desc nulls last, title")]
    pub struct Post {
        pub id: i64,
        pub title: ::std::string::String,
        pub score: ::std::option::Option<i64>,
        #[paginate(to_one = "people")]
        pub author_id: ::std::option::Option<i64>,
    }
}

#[::core::prelude::v1::test]
fn names_of_the_scope_are_not_used() {
    let title = ::std::convert::From::from("folio");
    let author_id = ::std::option::Option::Some(8);
    let post = model::Post { id: 7, title, score: ::std::option::Option::None, author_id };
    let key = post.cursor_key();
    ::std::assert_eq!(::std::clone::Clone::clone(&key), key);
    ::std::assert_eq!(model::PostKey::VARIANTS.len(), 3);
    ::std::assert_eq!(::folio::json_api::JsonResource::id(&post), "7");
    ::std::assert!(::std::option::Option::is_some(&::folio::json_api::JsonResource::relationships(&post)));

    let none = ::folio::CursorValue::into_value(model::State::None);
    ::std::assert_eq!(
        <model::State as ::folio::CursorValue>::from_value(none),
        ::std::option::Option::Some(model::State::None)
    );
    let _ = (model::State::Some, model::Level::Ok, model::Level::Err, model::Name(::std::convert::From::from("")));
}
