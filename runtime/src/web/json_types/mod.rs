//! The JSON of pages and errors, described as data.
//!
//! Each library that describes types wants another form: `openapi/schemas.rs` writes it for utoipa, `schemars.rs` and
//! `ts_rs.rs` in this folder for the other two. A key is listed once, here, so the three agree. `tests/http/typed.rs`
//! compares them with the JSON that `paginator/json.rs` writes.

#[cfg(feature = "schemars")]
mod schemars;
#[cfg(feature = "ts-rs")]
mod ts_rs;

/// The JSON object that a type is written as.
pub(super) struct JsonObject {
    /// The name of the type, without its rows.
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    /// The keys, in groups, because a page with an index has the keys of the page as well.
    groups: &'static [&'static [JsonKey]],
}

impl JsonObject {
    /// The keys in the order of the JSON.
    pub(super) fn keys(&self) -> impl Iterator<Item = &'static JsonKey> {
        self.groups.iter().copied().flatten()
    }
}

/// A key of a JSON object.
pub(super) struct JsonKey {
    pub(super) name: &'static str,
    pub(super) value: JsonValue,
    pub(super) presence: Presence,
    pub(super) description: &'static str,
}

/// What a key has as its value.
#[derive(Clone, Copy)]
pub(super) enum JsonValue {
    /// The rows of a page.
    Rows,
    /// A list of page links.
    Links,
    Text,
    Texts,
    Boolean,
    /// An integer, with its lowest value.
    #[cfg_attr(
        not(any(feature = "schemars", feature = "utoipa")),
        expect(dead_code, reason = "a type of TypeScript has no lowest value")
    )]
    Number(u64),
}

/// Whether an object has a value under a key.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Presence {
    Always,
    /// The key is there, but its value may be null.
    OrNull,
    /// The key may be missing. Its value is never null.
    OrAbsent,
    /// The key may be missing, and its value may be null.
    OrBoth,
}

impl Presence {
    pub(super) fn is_required(self) -> bool {
        matches!(self, Self::Always | Self::OrNull)
    }

    pub(super) fn is_nullable(self) -> bool {
        matches!(self, Self::OrNull | Self::OrBoth)
    }
}

/// A key that is always there.
const fn key(name: &'static str, value: JsonValue, description: &'static str) -> JsonKey {
    JsonKey { name, value, presence: Presence::Always, description }
}

impl JsonKey {
    const fn or(self, presence: Presence) -> Self {
        Self { presence, ..self }
    }
}

use JsonValue::{Boolean, Links, Number, Rows, Text, Texts};
use Presence::{OrAbsent, OrBoth, OrNull};

const DATA: JsonKey = key("data", Rows, "The rows on this page.");
const FIRST_PAGE_URL: JsonKey = key("first_page_url", Text, "The URL of page 1.");
const FROM: JsonKey = key("from", Number(1), "The index in the whole list, from 1, of the first row on this page.");
const NEXT_PAGE_URL: JsonKey = key("next_page_url", Text, "The URL of the next page.");
const PATH: JsonKey = key("path", Text, "The path that page URLs begin with. Absent if none is set.");
const PER_PAGE: JsonKey = key("per_page", Number(1), "The page size: the maximum number of rows on a page.");
const PREV_PAGE_URL: JsonKey = key("prev_page_url", Text, "The URL of the page before this one.");
const TO: JsonKey = key("to", Number(1), "The index in the whole list, from 1, of the last row on this page.");

pub(super) const LENGTH_AWARE: JsonObject = JsonObject {
    name: "LengthAwarePaginator",
    description: "A page of a list, by number, with the number of rows and pages.",
    groups: &[&[
        key("current_page", Number(1), "The number of this page. A page past the last one has no rows."),
        DATA,
        FIRST_PAGE_URL,
        FROM.or(OrNull),
        key("last_page", Number(0), "The number of the last page; 0 if the list has no rows."),
        key("last_page_url", Text, "The URL of the last page; the URL of page 1 if the list has no rows."),
        key("links", Links, "The entries of a pagination bar."),
        NEXT_PAGE_URL.or(OrNull),
        PATH.or(OrAbsent),
        PER_PAGE,
        PREV_PAGE_URL.or(OrNull),
        TO.or(OrNull),
        key("total", Number(0), "The number of rows on all pages."),
    ]],
};

pub(super) const SIMPLE: JsonObject = JsonObject {
    name: "Paginator",
    description: "A page of a list, by number.",
    groups: &[&[
        key("current_page", Number(1), "The number of this page."),
        key("current_page_url", Text, "The URL of this page."),
        DATA,
        FIRST_PAGE_URL,
        FROM.or(OrNull),
        key("has_more", Boolean, "Whether rows follow those on this page."),
        NEXT_PAGE_URL.or(OrNull),
        PATH.or(OrAbsent),
        PER_PAGE,
        PREV_PAGE_URL.or(OrNull),
        TO.or(OrNull),
    ]],
};

const CURSOR_KEYS: &[JsonKey] = &[
    DATA,
    PATH.or(OrAbsent),
    PER_PAGE,
    key("next_cursor", Text, "The cursor of the next page.").or(OrNull),
    NEXT_PAGE_URL.or(OrNull),
    key("prev_cursor", Text, "The cursor of the page before this one.").or(OrNull),
    PREV_PAGE_URL.or(OrNull),
    key("total", Number(0), "The number of rows in the list. Absent unless the list is counted.").or(OrAbsent),
    key("row_cursors", Texts, "A cursor for each row, in the order of `data`. Only present on request.").or(OrAbsent),
    key("start_cursor", Text, "A cursor to the rows before the first one on this page. Only present on request.")
        .or(OrAbsent),
    key("end_cursor", Text, "A cursor to the rows after the last one on this page. Only present on request.")
        .or(OrAbsent),
];

pub(super) const CURSOR: JsonObject =
    JsonObject { name: "CursorPaginator", description: "A page of a list, by cursor.", groups: &[CURSOR_KEYS] };

pub(super) const AROUND: JsonObject = JsonObject {
    name: "Around",
    description: "A row with the rows before and after it.",
    groups: &[
        CURSOR_KEYS,
        &[key("index", Number(0), "The index in `data` of the row that was asked for. Null if it is not among them.")
            .or(OrNull)],
    ],
};

pub(super) const PAGE_LINK: JsonObject = JsonObject {
    name: "PageLink",
    description: "An entry of a pagination bar.",
    groups: &[&[
        key("url", Text, "The URL that the entry links to, if any.").or(OrNull),
        key("label", Text, "The label, as HTML."),
        key("page", Number(1), "The number of the page that the entry links to. Absent on a gap.").or(OrBoth),
        key("active", Boolean, "Whether this is the entry of the current page."),
    ]],
};

pub(super) const ERROR_BODY: JsonObject = JsonObject {
    name: "ErrorBody",
    description: "What went wrong.",
    groups: &[&[
        key("message", Text, "What went wrong, for the client."),
        key("parameter", Text, "The parameter of the request that is not valid.").or(OrAbsent),
        key("allowed", Texts, "The values of the parameter that are allowed, if they can be listed.").or(OrAbsent),
    ]],
};

/// Passes all types that have a [`JsonObject`] to a macro, which implements a library's trait for them.
macro_rules! for_each_json_type {
    ($implement:ident) => {
        $implement! {
            LengthAwarePaginator<T>: LENGTH_AWARE;
            Paginator<T>: SIMPLE;
            CursorPaginator<T>: CURSOR;
            Around<T>: AROUND;
        }
        $implement! {
            PageLink: PAGE_LINK;
            ErrorBody: ERROR_BODY;
        }
    };
}
pub(super) use for_each_json_type;
