/// The cursor key of [`Product`]: the values at which a page starts or ends.
struct ProductKey {
    /// Column `id`.
    pub id: i64,
}
::folio::__key! {
    ProductKey of Product { id : i64 = "id" Asc; }
}
::folio::__columns! {
    Product { ID : i64 = "id"; SHOP : i64 = "shop_id"; }
}
::folio::__queries! {
    Product of i64 = "shop_id"
}
#[automatically_derived]
impl ::folio::Model for Product {
    type Key = ProductKey;
    const TABLE: &'static ::folio::__private::Table = &::folio::__private::Table::new(
            "products",
            ::folio::__fields!["id" : i64, "shop_id" : i64],
            &["id"],
            <ProductKey as ::folio::CursorKey>::COLUMNS,
        )
        .filter("deleted_at IS NULL")
        .tenant("shop_id");
    const READER: ::folio::__private::Reader<Self> = ::folio::__reader!(Product);
}
#[automatically_derived]
impl ::folio::IdentifiedBy<i64> for Product {}
const _: () = ::folio::__private::assert(
    !::folio::__is_nullable!(i64),
    "`id` is in the primary key, which is never NULL; write its type without `Option`",
);
const _: () = ::folio::__private::assert(
    !::folio::__is_nullable!(i64),
    "`shop` is the tenant, which is never NULL; write its type without `Option`",
);
::folio::__readable! {
    Product { 0usize : i64; 1usize : i64; }
}
