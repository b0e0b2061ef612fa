::core::compile_error! {
    "there is no field `titel`; write `id` or `score`"
}
/// The cursor key of [`Post`]: where a page of a cursor walk begins or ends.
#[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::cmp::PartialEq)]
struct PostKey {
    /// Column `score`.
    pub score: Option<i32>,
    /// Column `id`.
    pub id: i64,
}
impl PostKey {
    /// The variant tags of the key's columns, in their order.
    pub const VARIANTS: [::folio::Variant; 2] = [
        <Option<i32> as ::folio::CursorValue>::VARIANT,
        <i64 as ::folio::CursorValue>::VARIANT,
    ];
    /// Seals the key and a direction as a cursor. Without a keyring it is an `Internal` error.
    pub fn encode(
        &self,
        direction: ::folio::CursorDirection,
    ) -> ::folio::Result<::std::string::String> {
        ::folio::__private::encode_key(self, direction)
    }
    /// Opens what [`encode`](Self::encode) has sealed. Any other text is a `Domain` error, status 400.
    pub fn decode(cursor: &str) -> ::folio::Result<(Self, ::folio::CursorDirection)> {
        ::folio::__private::decode_key(cursor)
    }
}
#[automatically_derived]
impl ::folio::CursorKey for PostKey {
    type Model = Post;
    fn into_values(self) -> ::std::vec::Vec<::folio::Value> {
        ::std::vec![
            < Option < i32 > as ::folio::CursorValue > ::into_value(self.score), < i64 as
            ::folio::CursorValue > ::into_value(self.id)
        ]
    }
    fn from_values(__values: &mut ::folio::__private::Values) -> ::folio::Result<Self> {
        ::core::result::Result::Ok(Self {
            score: __values.take()?,
            id: __values.take()?,
        })
    }
}
impl Post {
    /// Column `id`.
    const ID: ::folio::Column<i64> = ::folio::Column::__of::<Self>("id");
    /// Column `score`.
    const SCORE: ::folio::Column<Option<i32>> = ::folio::Column::__of::<Self>("score");
    /// A query over all rows.
    fn query() -> ::folio::Builder<Self> {
        ::folio::Builder::new()
    }
    /// A query that reads from a registered connection.
    fn on(connection: &str) -> ::folio::Builder<Self> {
        Self::query().on(connection)
    }
    /// One page with the total and page numbers; see `Builder::paginate`.
    fn paginate(
        per_page: u64,
    ) -> impl ::core::future::Future<
        Output = ::folio::Result<::folio::LengthAwarePaginator<Self>>,
    > {
        Self::query().paginate(per_page)
    }
    /// As [`paginate`](Self::paginate), under another query key than `page`.
    fn paginate_using(
        page_key: &str,
        per_page: u64,
    ) -> impl ::core::future::Future<
        Output = ::folio::Result<::folio::LengthAwarePaginator<Self>>,
    > {
        Self::query().paginate_using(page_key, per_page)
    }
    /// One page without the total; see `Builder::simple_paginate`.
    fn simple_paginate(
        per_page: u64,
    ) -> impl ::core::future::Future<
        Output = ::folio::Result<::folio::Paginator<Self>>,
    > {
        Self::query().simple_paginate(per_page)
    }
    /// One page of a walk by the cursor key; see `Builder::cursor_paginate`.
    fn cursor_paginate(
        per_page: u64,
    ) -> impl ::core::future::Future<
        Output = ::folio::Result<::folio::CursorPaginator<Self>>,
    > {
        Self::query().cursor_paginate(per_page)
    }
    /// The place of this row in a cursor walk.
    fn cursor_key(&self) -> PostKey {
        PostKey {
            score: ::core::clone::Clone::clone(&self.score),
            id: ::core::clone::Clone::clone(&self.id),
        }
    }
}
#[automatically_derived]
impl ::folio::Model for Post {
    type Key = PostKey;
    const TABLE: &'static ::folio::__private::Table = &::folio::__private::Table {
        schema: ::core::option::Option::None,
        name: "posts",
        connection: ::core::option::Option::None,
        resource: ::core::option::Option::None,
        columns: ::folio::__private::Columns::Named(&["id", "score"]),
        primary_key: &[
            ::folio::__private::KeyColumn::new::<
                i64,
            >("id", ::folio::__private::Direction::Asc, ::core::option::Option::None),
        ],
        cursor_key: &[
            ::folio::__private::KeyColumn::new::<
                Option<i32>,
            >(
                "score",
                ::folio::__private::Direction::Desc,
                ::core::option::Option::Some(::folio::Nulls::First),
            ),
            ::folio::__private::KeyColumn::new::<
                i64,
            >("id", ::folio::__private::Direction::Desc, ::core::option::Option::None),
        ],
    };
    const READER: ::folio::__private::Reader<Self> = ::folio::__reader!(Post);
}
const _: ::folio::__private::Reader<Post> = <Post as ::folio::Model>::READER;
