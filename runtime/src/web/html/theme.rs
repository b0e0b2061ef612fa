//! The class names of each theme, as data.

use std::collections::BTreeSet;

/// The class names of rendered markup. The elements are the same in each theme.
///
/// ```
/// use folio::LengthAwarePaginator;
/// use folio::html::Theme;
///
/// let page = LengthAwarePaginator::new(vec!['a'], 2, 1, 1);
/// assert!(page.nav().to_string().contains("<nav class=\"folio-nav\""));
/// assert!(page.nav().theme(Theme::Bootstrap).to_string().contains("<ul class=\"pagination"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Theme {
    /// Class names that begin with `folio-`, for a stylesheet of your own. The current page's link has
    /// `aria-current="page"`, and an end of the list `aria-disabled="true"`, which selectors can use.
    #[default]
    Plain,
    /// The class names of Bootstrap 5.
    Bootstrap,
    /// Utility classes of Tailwind CSS 4, for light and dark pages.
    Tailwind,
}

impl Theme {
    /// All class names of the theme, once each.
    ///
    /// Tailwind only writes the rules of classes that it finds in the files of a project, where those of this crate are
    /// not. Print this list, and put it into the stylesheet as `@source inline("…")`.
    ///
    /// ```
    /// let list = folio::html::Theme::Tailwind.class_names().join(" ");
    /// assert!(list.contains("dark:text-gray-100"));
    /// ```
    #[must_use]
    pub fn class_names(self) -> Vec<&'static str> {
        let Classes {
            nav,
            summary,
            list,
            item,
            item_current,
            item_disabled,
            link,
            link_current,
            link_disabled,
            gap,
            more,
        } = *self.classes();
        let all = [nav, summary, list, item, item_current, item_disabled, link, link_current, link_disabled, gap, more];
        all.into_iter().flat_map(str::split_ascii_whitespace).collect::<BTreeSet<_>>().into_iter().collect()
    }

    pub(super) const fn classes(self) -> &'static Classes {
        match self {
            Self::Plain => &PLAIN,
            Self::Bootstrap => &BOOTSTRAP,
            Self::Tailwind => &TAILWIND,
        }
    }
}

/// The class names of each element; an empty text for none.
pub(super) struct Classes {
    pub(super) nav: &'static str,
    pub(super) summary: &'static str,
    pub(super) list: &'static str,
    pub(super) item: &'static str,
    pub(super) item_current: &'static str,
    pub(super) item_disabled: &'static str,
    pub(super) link: &'static str,
    pub(super) link_current: &'static str,
    pub(super) link_disabled: &'static str,
    pub(super) gap: &'static str,
    /// The link of a list that grows.
    pub(super) more: &'static str,
}

const PLAIN: Classes = Classes {
    nav: "folio-nav",
    summary: "folio-summary",
    list: "folio-links",
    item: "",
    item_current: "",
    item_disabled: "",
    link: "folio-link",
    link_current: "folio-link",
    link_disabled: "folio-link",
    gap: "folio-gap",
    more: "folio-more-link",
};

const BOOTSTRAP: Classes = Classes {
    nav: "",
    summary: "small",
    list: "pagination flex-wrap row-gap-1 p-0",
    item: "page-item",
    item_current: "page-item active",
    item_disabled: "page-item disabled",
    link: "page-link",
    link_current: "page-link",
    link_disabled: "page-link",
    gap: "page-link",
    more: "btn btn-secondary",
};

/// What all boxes of Tailwind's theme share.
macro_rules! tailwind_box {
    ($more:literal) => {
        concat!("inline-flex min-w-10 items-center justify-center rounded-md border px-3 py-2 text-sm ", $more)
    };
}

const TAILWIND: Classes = Classes {
    nav: "flex flex-col gap-3",
    summary: "text-sm text-gray-700 dark:text-gray-300",
    list: "flex flex-wrap items-center gap-1",
    item: "",
    item_current: "",
    item_disabled: "",
    link: tailwind_box!(
        "border-gray-300 text-gray-900 hover:bg-gray-100 dark:border-gray-600 dark:text-gray-100 dark:hover:bg-gray-800"
    ),
    link_current: tailwind_box!(
        "border-blue-700 bg-blue-700 font-semibold text-white dark:border-blue-300 dark:bg-blue-300 dark:text-gray-950"
    ),
    link_disabled: tailwind_box!("border-gray-200 text-gray-500 dark:border-gray-700 dark:text-gray-400"),
    gap: "px-2 text-gray-700 dark:text-gray-300",
    more: tailwind_box!(
        "border-gray-300 text-gray-900 hover:bg-gray-100 dark:border-gray-600 dark:text-gray-100 dark:hover:bg-gray-800"
    ),
};
