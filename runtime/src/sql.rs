//! Traits for the values that [`Select::bind`](crate::Select::bind) takes, for use in generic functions.
//!
//! ```
#![doc = include_str!("doc/posts.txt")]
//! use folio::{Column, Select, sql::BindValue};
//!
//! fn titled(title: impl BindValue) -> Select<(i64,)> {
//!     Select::sql("SELECT id FROM posts WHERE title = ?").bind(title).order_by(Column::<i64>::new("id"))
//! }
//!
//! assert_eq!(titled("b").paginate(5).await?.data, [(1,)]);
//! assert_eq!(titled("a".to_owned()).paginate(5).await?.total, 2);
//! # folio::Result::Ok(()) }).await
//! # }
//! ```

pub use crate::bind::{BindFor, BindValue};
