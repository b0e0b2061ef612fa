::folio::__row_of! {
    Card of shop::Product { "id" : i64, "allTags" } { "doubled" = "price * 2" }
}
const _: () = ::folio::__private::assert_column::<
    i64,
    _,
    shop::Product,
>(
    &<shop::Product>::ID,
    "id",
    "`id` is read from the column `id` here, and from another one in `shop::Product`; write the same `#[sqlx(rename = \"...\")]` on both",
);
const _: () = ::folio::__private::assert_column::<
    Vec<String>,
    _,
    shop::Product,
>(
    &<shop::Product>::ALL_TAGS,
    "allTags",
    "`all_tags` is read from the column `allTags` here, and from another one in `shop::Product`; write the same `#[sqlx(rename = \"...\")]` on both",
);
const _: () = ::folio::__private::assert(
    !::folio::__private::has_field::<shop::Product>("doubled"),
    "`doubled` is computed, but `shop::Product` has a column of this name; rename the field",
);
