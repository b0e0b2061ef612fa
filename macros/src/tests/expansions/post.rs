/// The cursor key of [`Post`]: the values at which a page starts or ends.
pub struct PostKey {
    /// Column `created_at`.
    pub created_at: DateTime<Utc>,
    /// Column `id`.
    pub id: i64,
}
::folio::__key! {
    pub PostKey of Post { created_at : DateTime < Utc > = "created_at" Asc; id : i64 =
    "id" Asc; }
}
::folio::__columns! {
    pub Post { ID : i64 = "id"; AUTHOR_ID : i64 = "author_id"; TITLE : String = "title";
    BODY : String = "body"; SLUG : String = "slug"; SCORE : Option < i32 > = "score";
    PUBLISHED : bool = "published"; CREATED_AT : DateTime < Utc > = "created_at"; }
}
::folio::__queries! {
    pub Post
}
#[automatically_derived]
impl ::folio::Model for Post {
    type Key = PostKey;
    const TABLE: &'static ::folio::__private::Table = &::folio::__private::Table::new(
        "posts",
        ::folio::__fields![
            "id" : i64, "author_id" : i64, "title" : String, "body" : String, "slug" :
            String, "score" : Option < i32 >, "published" : bool, "created_at" : DateTime
            < Utc >
        ],
        &["id"],
        <PostKey as ::folio::CursorKey>::COLUMNS,
    );
    const READER: ::folio::__private::Reader<Self> = ::folio::__reader!(Post);
}
#[automatically_derived]
impl ::folio::IdentifiedBy<i64> for Post {}
const _: () = ::folio::__private::assert(
    !::folio::__is_nullable!(DateTime < Utc >),
    "`created_at` may be NULL; write `created_at nulls first` or `created_at nulls last`",
);
const _: () = ::folio::__private::assert(
    !::folio::__is_nullable!(i64),
    "`id` is in the primary key, which is never NULL; write its type without `Option`",
);
::folio::__readable! {
    Post { 0usize : i64; 1usize : i64; 2usize : String; 3usize : String; 4usize : String;
    5usize : Option < i32 >; 6usize : bool; 7usize : DateTime < Utc >; }
}
