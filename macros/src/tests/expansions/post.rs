/// The cursor key of [`Post`]: where a page of a cursor walk begins or ends.
#[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::cmp::PartialEq)]
pub struct PostKey {
    /// Column `created_at`.
    pub created_at: DateTime<Utc>,
    /// Column `id`.
    pub id: i64,
}
impl PostKey {
    /// The variant tags of the key's columns, in their order.
    pub const VARIANTS: [::folio::Variant; 2] = [
        <DateTime<Utc> as ::folio::CursorValue>::VARIANT,
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
            < DateTime < Utc > as ::folio::CursorValue > ::into_value(self.created_at), <
            i64 as ::folio::CursorValue > ::into_value(self.id)
        ]
    }
    fn from_values(__values: &mut ::folio::__private::Values) -> ::folio::Result<Self> {
        ::core::result::Result::Ok(Self {
            created_at: __values.take()?,
            id: __values.take()?,
        })
    }
}
impl Post {
    /// Column `id`.
    pub const ID: ::folio::Column<i64> = ::folio::Column::__of::<Self>("id");
    /// Column `author_id`.
    pub const AUTHOR_ID: ::folio::Column<i64> = ::folio::Column::__of::<
        Self,
    >("author_id");
    /// Column `title`.
    pub const TITLE: ::folio::Column<String> = ::folio::Column::__of::<Self>("title");
    /// Column `body`.
    pub const BODY: ::folio::Column<String> = ::folio::Column::__of::<Self>("body");
    /// Column `slug`.
    pub const SLUG: ::folio::Column<String> = ::folio::Column::__of::<Self>("slug");
    /// Column `score`.
    pub const SCORE: ::folio::Column<Option<i32>> = ::folio::Column::__of::<
        Self,
    >("score");
    /// Column `published`.
    pub const PUBLISHED: ::folio::Column<bool> = ::folio::Column::__of::<
        Self,
    >("published");
    /// Column `created_at`.
    pub const CREATED_AT: ::folio::Column<DateTime<Utc>> = ::folio::Column::__of::<
        Self,
    >("created_at");
    /// A query over all rows.
    pub fn query() -> ::folio::Builder<Self> {
        ::folio::Builder::new()
    }
    /// A query that reads from a registered connection.
    pub fn on(connection: &str) -> ::folio::Builder<Self> {
        Self::query().on(connection)
    }
    /// One page with the total and page numbers; see `Builder::paginate`.
    pub fn paginate(
        per_page: u64,
    ) -> impl ::core::future::Future<
        Output = ::folio::Result<::folio::LengthAwarePaginator<Self>>,
    > {
        Self::query().paginate(per_page)
    }
    /// As [`paginate`](Self::paginate), under another query key than `page`.
    pub fn paginate_using(
        page_key: &str,
        per_page: u64,
    ) -> impl ::core::future::Future<
        Output = ::folio::Result<::folio::LengthAwarePaginator<Self>>,
    > {
        Self::query().paginate_using(page_key, per_page)
    }
    /// One page without the total; see `Builder::simple_paginate`.
    pub fn simple_paginate(
        per_page: u64,
    ) -> impl ::core::future::Future<
        Output = ::folio::Result<::folio::Paginator<Self>>,
    > {
        Self::query().simple_paginate(per_page)
    }
    /// One page of a walk by the cursor key; see `Builder::cursor_paginate`.
    pub fn cursor_paginate(
        per_page: u64,
    ) -> impl ::core::future::Future<
        Output = ::folio::Result<::folio::CursorPaginator<Self>>,
    > {
        Self::query().cursor_paginate(per_page)
    }
    /// The place of this row in a cursor walk.
    pub fn cursor_key(&self) -> PostKey {
        PostKey {
            created_at: ::core::clone::Clone::clone(&self.created_at),
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
        columns: ::folio::__private::Columns::Named(
            &[
                "id",
                "author_id",
                "title",
                "body",
                "slug",
                "score",
                "published",
                "created_at",
            ],
        ),
        primary_key: &[
            ::folio::__private::KeyColumn::new::<
                i64,
            >("id", ::folio::__private::Direction::Asc, ::core::option::Option::None),
        ],
        cursor_key: &[
            ::folio::__private::KeyColumn::new::<
                DateTime<Utc>,
            >(
                "created_at",
                ::folio::__private::Direction::Asc,
                ::core::option::Option::None,
            ),
            ::folio::__private::KeyColumn::new::<
                i64,
            >("id", ::folio::__private::Direction::Asc, ::core::option::Option::None),
        ],
    };
    const READER: ::folio::__private::Reader<Self> = ::folio::__reader!(Post);
}
const _: ::folio::__private::Reader<Post> = <Post as ::folio::Model>::READER;
