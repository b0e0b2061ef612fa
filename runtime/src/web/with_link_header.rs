//! Pages as responses with a `Link` header.

use crate::paginator::{CursorPaginator, LengthAwarePaginator, Paginator};

/// A page as a response with a `Link` header, made by a paginator's `with_link_header`.
///
/// The body is the page's JSON. If the list has no other pages, there is no header.
///
/// ```
/// # #[derive(Debug, serde::Serialize, sqlx::FromRow, folio::Paginate)]
/// # struct Post { id: i64 }
/// use folio::axum::WithLinkHeader;
/// use folio::{Paginator, Result};
///
/// async fn posts() -> Result<WithLinkHeader<Paginator<Post>>> {
///     Ok(Post::query().with_path("/posts").simple_paginate(15).await?.with_link_header())
/// }
/// # let page = Paginator::new(vec![1], 1, 1, true).with_link_header();
/// # let response = axum::response::IntoResponse::into_response(page);
/// # assert_eq!(response.headers()["link"], r#"<?page=1>; rel="first", <?page=2>; rel="next""#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithLinkHeader<P> {
    /// The page.
    pub page: P,
}

/// Gives each paginator its method. `$arguments` are those of a `new` whose page has a next one, and `$header` is that
/// page's header, for the example.
macro_rules! link_headers {
    ($($page:ident: $arguments:literal, $header:literal;)*) => {$(
        impl<T> $page<T> {
            /// Converts the page to a response with its JSON and its [`link_header`](Self::link_header).
            ///
            /// ```
            /// use axum::response::IntoResponse;
            ///
            #[doc = concat!("let page = folio::", stringify!($page), "::new(", $arguments, ").with_path(\"/users\");")]
            /// let response = page.with_link_header().into_response();
            #[doc = concat!("assert_eq!(response.headers()[\"link\"], r#\"", $header, "\"#);")]
            /// ```
            pub fn with_link_header(self) -> WithLinkHeader<Self> {
                WithLinkHeader { page: self }
            }
        }
    )*};
}

link_headers! {
    LengthAwarePaginator: "vec![1, 2], 3, 2, 1",
        r#"</users?page=1>; rel="first", </users?page=2>; rel="next", </users?page=2>; rel="last""#;
    Paginator: "vec![1, 2], 1, 2, true",
        r#"</users?page=1>; rel="first", </users?page=2>; rel="next""#;
    CursorPaginator: "vec![1], 1, Some(\"bmV4dA\".into()), None",
        r#"</users?cursor=bmV4dA>; rel="next""#;
}
