::folio::__column_value! {
    State : str { Open = "open", InReview = "in_review", Closed = "done" }
}
::folio::__into_value! {
    State
}
pages::__column_value! {
    Level : i16 { Low, High }
}
pages::__into_value! {
    Level
}
::folio::__column_value! {
    PostId { 0 : i64 }
}
::folio::__into_value! {
    PostId
}
const _: () = ::folio::__private::assert(
    !::folio::__is_nullable!(i64),
    "`PostId` is in an `Option` if its column may be NULL; write the type without `Option` here, and `Option<PostId>` in the model",
);
::folio::__column_value! {
    Slug { text : String }
}
::folio::__into_value! {
    Slug
}
const _: () = ::folio::__private::assert(
    !::folio::__is_nullable!(String),
    "`Slug` is in an `Option` if its column may be NULL; write the type without `Option` here, and `Option<Slug>` in the model",
);
