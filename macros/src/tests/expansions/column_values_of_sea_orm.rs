::folio::__column_value! {
    State : str as text { Open = "open", InReview = "in_review", Closed = "done", Lost =
    "LOST" }
}
::folio::__column_value! {
    Tea : str as "\"Odd \"\"tea\"\"\"" { Green = "green" }
}
::folio::__column_value! {
    Level : i16 { Low = - 1, High = 2 }
}
::folio::__column_value! {
    Tag through::std::string::ToString::to_string, Tag::parse
}
::folio::__column_value! {
    PostId { 0 : i64 }
}
const _: () = ::folio::__private::assert(
    !::folio::__is_nullable!(i64),
    "`PostId` is in an `Option` if its column may be NULL; write the type without `Option` here, and `Option<PostId>` in the model",
);
::folio::__column_value! {
    Slug { 0 : String }
}
const _: () = ::folio::__private::assert(
    !::folio::__is_nullable!(String),
    "`Slug` is in an `Option` if its column may be NULL; write the type without `Option` here, and `Option<Slug>` in the model",
);
