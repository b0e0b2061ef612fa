/// The cursor key of [`Product`]: the values at which a page starts or ends.
struct ProductKey {
    /// Column `priceCents`.
    pub price_cents: Option<i64>,
    /// Column `type`.
    pub r#type: String,
    /// Column `tenantId`.
    pub tenant_id: i32,
}
pages::__key! {
    ProductKey of Product { price_cents : Option < i64 > = "priceCents" Desc Last; r#type
    : String = "type" Asc First; tenant_id : i32 = "tenantId" Asc; }
}
pages::__columns! {
    Product { TENANT_ID : i32 = "tenantId"; TYPE : String = "type"; PRICE_CENTS : Option
    < i64 > = "priceCents"; TAGS : Vec < String > = "tags"; STATE : String = "state"; }
}
pages::__queries! {
    Product
}
#[automatically_derived]
impl pages::Model for Product {
    type Key = ProductKey;
    const TABLE: &'static pages::__private::Table = &pages::__private::Table::new(
            "articles",
            pages::__fields![
                "tenantId" : i32, "type" : String, "priceCents" : Option < i64 >, "tags",
                "state" : String
            ],
            &["tenantId", "type"],
            <ProductKey as pages::CursorKey>::COLUMNS,
        )
        .schema("shop")
        .connection("reports")
        .all_columns();
    const READER: pages::__private::Reader<Self> = pages::__reader!(Product);
}
#[automatically_derived]
impl pages::IdentifiedBy<(i32, String)> for Product {}
pages::__resource! {
    Product = "products", pages::json_api::__private::SerializedModel < '_, Self > {
    tenant_id : i32 = "tenant-id"; r#type : String = "kind"; } { state : State = "state",
    "state" to "states"; }
}
const _: () = pages::__private::assert(
    !pages::__is_nullable!(String),
    "`type` is in the primary key, which is never NULL; write its type without `Option`",
);
const _: () = pages::__private::assert(
    !pages::__is_nullable!(i32),
    "`tenant_id` is in the primary key, which is never NULL; write its type without `Option`",
);
pages::__readable! {
    Product { 0usize : i32; 1usize : String; 2usize : Option < i64 >; 3usize : Vec <
    String >; 4usize : String; }
}
