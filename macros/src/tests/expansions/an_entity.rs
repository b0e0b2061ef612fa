/// The cursor key of [`Model`]: the values at which a page starts or ends.
pub struct ModelKey {
    /// Column `bakerId`.
    pub baker_id: i32,
    /// Column `number`.
    pub number: i64,
}
::folio::__key! {
    pub ModelKey of Model { baker_id : i32 = "bakerId" Asc; number : i64 = "number" Asc;
    }
}
::folio::__columns! {
    pub Model { BAKER_ID : i32 = "bakerId"; NUMBER : i64 = "number"; NAME : String =
    "label"; }
}
::folio::__queries! {
    pub Model
}
#[automatically_derived]
impl ::folio::Model for Model {
    type Key = ModelKey;
    const TABLE: &'static ::folio::__private::Table = &::folio::__private::Table::new(
            "cakes",
            ::folio::__fields!["bakerId" : i32, "number" : i64, "label" : String],
            &["bakerId", "number"],
            <ModelKey as ::folio::CursorKey>::COLUMNS,
        )
        .schema("shop");
    const READER: ::folio::__private::Reader<Self> = ::folio::__reader!(Model);
}
#[automatically_derived]
impl ::folio::IdentifiedBy<(i32, i64)> for Model {}
const _: () = ::folio::__private::assert(
    !::folio::__is_nullable!(i32),
    "`baker_id` is in the primary key, which is never NULL; write its type without `Option`",
);
const _: () = ::folio::__private::assert(
    !::folio::__is_nullable!(i64),
    "`number` is in the primary key, which is never NULL; write its type without `Option`",
);
::folio::__readable! {
    Model { 0usize : i32; 1usize : i64; 2usize : String; }
}
