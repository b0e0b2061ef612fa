//! Lists with page tokens, for gRPC services and MCP servers.
//!
//! [`Builder::token_page`](crate::Builder::token_page) and [`Select::token_page`](crate::Select::token_page) read a
//! page according to AIP-158 (<https://google.aip.dev/158>):
//!
//! - A `page_size` of 0 means the server's default, a size above the maximum is capped, and a negative size is an
//!   error, as is a negative `skip` or one above 10,000.
//! - An empty `page_token` means the beginning of the list. A token for another model or order is an error.
//! - An empty `next_page_token` means the end of the list.
//! - `total_size` is only set if the list is [`counted`](crate::Builder::counted). It may be an estimate.
//! - A request for a further page has to have the same other arguments as the first one. With
//!   [`bind_filters`](crate::Builder::bind_filters), different filters are an error.
//!
//! Each of these errors is a [`FrameworkError`] with status 400, for which a gRPC service returns `INVALID_ARGUMENT`.
//! See the guide's chapter [`grpc`](crate::guide::grpc) for an example service.
//!
//! ```
#![doc = include_str!("doc/posts.txt")]
//! use folio::page_tokens::TokenRequest;
//!
//! let request = TokenRequest { page_size: 2, ..TokenRequest::default() };
//! let page = Post::query().token_page(request.limits(50, 1_000)).await?;
//! assert_eq!(ids(&page.rows), [1, 2]);
//!
//! let request = TokenRequest { page_size: 2, page_token: page.next_page_token, skip: 0 };
//! let page = Post::query().token_page(request.limits(50, 1_000)).await?;
//! assert_eq!((ids(&page.rows), page.next_page_token.as_str()), (vec![3], ""));
//!
//! let request = TokenRequest { page_size: -1, ..TokenRequest::default() };
//! let error = Post::query().token_page(request.limits(50, 1_000)).await.unwrap_err();
//! assert_eq!((error.status(), error.to_string().as_str()), (400, "`page_size` cannot be negative"));
//! # folio::Result::Ok(()) }).await
//! # }
//! ```

use crate::driver::TypedRows;
use crate::error::{FrameworkError, Result};
use crate::paginator::Total;
use crate::query::window::{self, GivenWindow};
use crate::query::{Query, QuerySource};
use crate::read::PageSize;
use crate::request::context::Context;
use crate::source::using::Connect;

/// The arguments of a list request, as in the client's message. [`limits`](Self::limits) adds the server's limits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenRequest {
    /// The maximum number of rows to read; 0 for the default.
    pub page_size: i32,
    /// The token of an earlier page; empty for the first page.
    pub page_token: String,
    /// The number of rows to skip first, at most 10,000.
    pub skip: i32,
}

/// A request with the server's limits for page sizes.
#[derive(Debug, Clone)]
pub struct PageRequest {
    request: TokenRequest,
    default: u64,
    max: u64,
}

impl TokenRequest {
    /// Sets the default and the maximum page size. Both have to be at least 1.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::page_tokens::TokenRequest;
    ///
    /// let page = Post::query().token_page(TokenRequest::default().limits(1, 1_000)).await?;
    /// assert_eq!(page.rows.len(), 1);
    /// let page = Post::query().token_page(TokenRequest { page_size: 9, ..TokenRequest::default() }.limits(1, 2)).await?;
    /// assert_eq!(page.rows.len(), 2);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn limits(self, default: u64, max: u64) -> PageRequest {
        PageRequest { request: self, default, max }
    }
}

impl PageRequest {
    /// How many rows to read.
    ///
    /// # Errors
    /// [`FrameworkError::InvalidParameter`], 400, for a negative `page_size`, and [`FrameworkError::Internal`] for
    /// limits of 0.
    fn rows(&self) -> Result<u64> {
        if self.default == 0 || self.max == 0 {
            return Err(FrameworkError::internal("`limits` takes page sizes from 1: with 0, a page has no rows"));
        }
        match not_negative("page_size", self.request.page_size)? {
            0 => Ok(self.default.min(self.max)),
            rows => Ok(rows.min(self.max)),
        }
    }
}

/// A number of a request.
fn not_negative(name: &str, number: i32) -> Result<u64> {
    u64::try_from(number).map_err(|_| FrameworkError::invalid_parameter(name, "cannot be negative"))
}

/// A page of a list with tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenPage<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// The token of the next page; empty at the end of the list.
    pub next_page_token: String,
    /// The number of rows in the list, if it was [counted](crate::Builder::counted).
    pub total_size: Option<u64>,
}

impl<T> TokenPage<T> {
    /// Converts the rows, for example into the messages of a response. The token and the total stay the same.
    ///
    /// ```
    /// use folio::page_tokens::TokenPage;
    ///
    /// let page = TokenPage { rows: vec![1, 2], next_page_token: String::new(), total_size: None };
    /// assert_eq!(page.map(|row| row * 10).rows, [10, 20]);
    /// ```
    #[must_use]
    pub fn map<U>(self, row: impl FnMut(T) -> U) -> TokenPage<U> {
        let Self { rows, next_page_token, total_size } = self;
        TokenPage { rows: rows.into_iter().map(row).collect(), next_page_token, total_size }
    }
}

impl<S: QuerySource, C: Connect> Query<S, C> {
    /// Reads a page by a token, as gRPC services do: see [`page_tokens`](crate::page_tokens).
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::{Column, Select, page_tokens::TokenRequest};
    ///
    /// let posts = Select::<(i64,)>::sql("SELECT id FROM posts").order_by(Column::<i64>::new("id"));
    /// let page = posts.counted().token_page(TokenRequest::default().limits(2, 1_000)).await?;
    /// assert_eq!((page.rows, page.total_size), (vec![(1,), (2,)], Some(3)));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`cursor_paginate`](Self::cursor_paginate), and
    /// [`InvalidParameter`](crate::FrameworkError::InvalidParameter), 400, for a negative page size, or a negative or
    /// too large number of rows to skip.
    pub async fn token_page(self, request: PageRequest) -> Result<TokenPage<S::Row>> {
        let limit = PageSize::new(request.rows()?)?.get();
        let TokenRequest { page_token, skip, .. } = request.request;
        let skip = not_negative("skip", skip)?;
        let after = Some(page_token).filter(|token| !token.is_empty());
        let (mut list, reader, mut connection) = self.into_parts();
        let context = Context::current();
        let given = GivenWindow { method: "token_page", after, before: None, from_end: false, skip, limit };
        let window = list.position.given_window(&context, given)?;
        let mut rows = TypedRows::new(reader, limit);
        let page = window::window_of(list, &context, connection.lend(), window, &mut rows).await?;
        let next_page_token = page.next.unwrap_or_default();
        Ok(TokenPage { rows: rows.into_vec(), next_page_token, total_size: page.total.map(Total::rows) })
    }
}
