/// The cursor key of [`Post`]: the values at which a page starts or ends.
struct PostKey {
    /// Column `id`.
    pub id: i64,
}
::folio::__key! {
    PostKey of Post { id : i64 = "id" Asc; }
}
::folio::__columns! {
    Post { ID : i64 = "id"; }
}
::folio::__queries! {
    Post where "deleted_at IS NULL"
}
#[automatically_derived]
impl ::folio::Model for Post {
    type Key = PostKey;
    const TABLE: &'static ::folio::__private::Table = &::folio::__private::Table::new(
            "posts",
            ::folio::__fields!["id" : i64],
            &["id"],
            <PostKey as ::folio::CursorKey>::COLUMNS,
        )
        .filter("deleted_at IS NULL");
    const READER: ::folio::__private::Reader<Self> = ::folio::__reader!(Post);
}
#[automatically_derived]
impl ::folio::IdentifiedBy<i64> for Post {}
const _: () = ::folio::__private::assert(
    !::folio::__is_nullable!(i64),
    "`id` is in the primary key, which is never NULL; write its type without `Option`",
);
::folio::__readable! {
    Post { 0usize : i64; }
}
