/// The cursor key of [`Product`]: where a page of a cursor walk begins or ends.
#[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::cmp::PartialEq)]
struct ProductKey {
    /// Column `priceCents`.
    pub price_cents: Option<i64>,
    /// Column `type`.
    pub r#type: String,
    /// Column `tenantId`.
    pub tenant_id: i32,
}
impl ProductKey {
    /// The variant tags of the key's columns, in their order.
    pub const VARIANTS: [pages::Variant; 3] = [
        <Option<i64> as pages::CursorValue>::VARIANT,
        <String as pages::CursorValue>::VARIANT,
        <i32 as pages::CursorValue>::VARIANT,
    ];
    /// Seals the key and a direction as a cursor. Without a keyring it is an `Internal` error.
    pub fn encode(
        &self,
        direction: pages::CursorDirection,
    ) -> pages::Result<::std::string::String> {
        pages::__private::encode_key(self, direction)
    }
    /// Opens what [`encode`](Self::encode) has sealed. Any other text is a `Domain` error, status 400.
    pub fn decode(cursor: &str) -> pages::Result<(Self, pages::CursorDirection)> {
        pages::__private::decode_key(cursor)
    }
}
#[automatically_derived]
impl pages::CursorKey for ProductKey {
    type Model = Product;
    fn into_values(self) -> ::std::vec::Vec<pages::Value> {
        ::std::vec![
            < Option < i64 > as pages::CursorValue > ::into_value(self.price_cents), <
            String as pages::CursorValue > ::into_value(self.r#type), < i32 as
            pages::CursorValue > ::into_value(self.tenant_id)
        ]
    }
    fn from_values(__values: &mut pages::__private::Values) -> pages::Result<Self> {
        ::core::result::Result::Ok(Self {
            price_cents: __values.take()?,
            r#type: __values.take()?,
            tenant_id: __values.take()?,
        })
    }
}
impl Product {
    /// Column `tenantId`.
    const TENANT_ID: pages::Column<i32> = pages::Column::__of::<Self>("tenantId");
    /// Column `type`.
    const TYPE: pages::Column<String> = pages::Column::__of::<Self>("type");
    /// Column `priceCents`.
    const PRICE_CENTS: pages::Column<Option<i64>> = pages::Column::__of::<
        Self,
    >("priceCents");
    /// Column `tags`.
    const TAGS: pages::Column<Vec<String>> = pages::Column::__of::<Self>("tags");
    /// Column `state`.
    const STATE: pages::Column<String> = pages::Column::__of::<Self>("state");
    /// A query over all rows.
    fn query() -> pages::Builder<Self> {
        pages::Builder::new()
    }
    /// A query that reads from a registered connection.
    fn on(connection: &str) -> pages::Builder<Self> {
        Self::query().on(connection)
    }
    /// One page with the total and page numbers; see `Builder::paginate`.
    fn paginate(
        per_page: u64,
    ) -> impl ::core::future::Future<
        Output = pages::Result<pages::LengthAwarePaginator<Self>>,
    > {
        Self::query().paginate(per_page)
    }
    /// As [`paginate`](Self::paginate), under another query key than `page`.
    fn paginate_using(
        page_key: &str,
        per_page: u64,
    ) -> impl ::core::future::Future<
        Output = pages::Result<pages::LengthAwarePaginator<Self>>,
    > {
        Self::query().paginate_using(page_key, per_page)
    }
    /// One page without the total; see `Builder::simple_paginate`.
    fn simple_paginate(
        per_page: u64,
    ) -> impl ::core::future::Future<Output = pages::Result<pages::Paginator<Self>>> {
        Self::query().simple_paginate(per_page)
    }
    /// One page of a walk by the cursor key; see `Builder::cursor_paginate`.
    fn cursor_paginate(
        per_page: u64,
    ) -> impl ::core::future::Future<
        Output = pages::Result<pages::CursorPaginator<Self>>,
    > {
        Self::query().cursor_paginate(per_page)
    }
    /// The place of this row in a cursor walk.
    fn cursor_key(&self) -> ProductKey {
        ProductKey {
            price_cents: ::core::clone::Clone::clone(&self.price_cents),
            r#type: ::core::clone::Clone::clone(&self.r#type),
            tenant_id: ::core::clone::Clone::clone(&self.tenant_id),
        }
    }
}
#[automatically_derived]
impl pages::Model for Product {
    type Key = ProductKey;
    const TABLE: &'static pages::__private::Table = &pages::__private::Table {
        schema: ::core::option::Option::Some("shop"),
        name: "articles",
        connection: ::core::option::Option::Some("reports"),
        resource: ::core::option::Option::Some("products"),
        columns: pages::__private::Columns::All,
        primary_key: &[
            pages::__private::KeyColumn::new::<
                i32,
            >(
                "tenantId",
                pages::__private::Direction::Asc,
                ::core::option::Option::None,
            ),
            pages::__private::KeyColumn::new::<
                String,
            >("type", pages::__private::Direction::Asc, ::core::option::Option::None),
        ],
        cursor_key: &[
            pages::__private::KeyColumn::new::<
                Option<i64>,
            >(
                "priceCents",
                pages::__private::Direction::Desc,
                ::core::option::Option::Some(pages::Nulls::Last),
            ),
            pages::__private::KeyColumn::new::<
                String,
            >("type", pages::__private::Direction::Asc, ::core::option::Option::None),
            pages::__private::KeyColumn::new::<
                i32,
            >("tenantId", pages::__private::Direction::Asc, ::core::option::Option::None),
        ],
    };
    const READER: pages::__private::Reader<Self> = pages::__reader!(Product);
}
const _: pages::__private::Reader<Product> = <Product as pages::Model>::READER;
