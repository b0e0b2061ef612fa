::core::compile_error! {
    "unknown field `titel`; write `id` or `score`"
}
/// The cursor key of [`Post`]: the values at which a page starts or ends.
struct PostKey {
    /// Column `score`.
    pub score: Option<i32>,
    /// Column `id`.
    pub id: i64,
}
::folio::__key! {
    PostKey of Post { score : Option < i32 > = "score" Desc First; id : i64 = "id" Desc;
    }
}
::folio::__columns! {
    Post { ID : i64 = "id"; SCORE : Option < i32 > = "score"; }
}
::folio::__queries! {
    Post
}
#[automatically_derived]
impl ::folio::Model for Post {
    type Key = PostKey;
    const TABLE: &'static ::folio::__private::Table = &::folio::__private::Table::new(
        "posts",
        ::folio::__fields!["id" : i64, "score" : Option < i32 >],
        &["id"],
        <PostKey as ::folio::CursorKey>::COLUMNS,
    );
    const READER: ::folio::__private::Reader<Self> = ::folio::__reader!(Post);
}
#[automatically_derived]
impl ::folio::IdentifiedBy<i64> for Post {}
const _: () = ::folio::__private::assert(
    !::folio::__is_nullable!(i64),
    "`id` is in the primary key, which is never NULL; write its type without `Option`",
);
::folio::__readable! {
    Post { 0usize : i64; 1usize : Option < i32 >; }
}
