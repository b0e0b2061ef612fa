//! The form with the filters, and the filters that are set.

use folio::html::hidden_inputs;
use folio::{ActiveRequest, FilterOperator, PerPage, RequestedFilters};
use maud::{Markup, html};

use crate::packages::{Choices, Package};
use crate::words::words;

/// The numbers of rows on a page to choose from. The first is the default.
pub(crate) const SIZES: [u64; 3] = [25, 50, 100];

/// The form's fields. All other parameters, such as the order, are kept.
const FIELDS: [&str; 6] = ["q", "section", "priority", "size[gte]", "size[lte]", "per_page"];

pub(crate) fn form(path: &str, choices: &Choices, filters: &RequestedFilters<Package>, per_page: u64) -> Markup {
    let words = words();
    let value = |parameter: &str| {
        let filter = filters.active().iter().find(|filter| filter.parameter() == parameter);
        filter.and_then(|filter| filter.values().first()).map_or("", String::as_str)
    };
    let select = |name: &str, label: &str, options: &[String]| {
        html! {
            label { (label)
                select name=(name) {
                    option value="" { (words.all) }
                    @for option in options { option value=(option) selected[value(name) == option] { (option) } }
                }
            }
        }
    };
    html! {
        form.filters action=(path) role="search" {
            (hidden_inputs(FIELDS))
            label.text { (words.name) input #q type="search" name="q" value=(value("q")); }
            (select("section", words.section, &choices.sections))
            (select("priority", words.priority, &choices.priorities))
            label.number { (words.size_from) input type="number" min="0" name="size[gte]" value=(value("size[gte]")); }
            label.number { (words.size_to) input type="number" min="0" name="size[lte]" value=(value("size[lte]")); }
            label.number { (words.rows) select name="per_page" { (PerPage::options(SIZES).selected(per_page)) } }
            button #show { (words.show) }
        }
    }
}

/// A button for each filter, which removes it.
pub(crate) fn chips(path: &str, filters: &RequestedFilters<Package>) -> Markup {
    let words = words();
    html! {
        @if !filters.active().is_empty() {
            ul.chips aria-label=(words.filters) {
                @for filter in filters.active() {
                    @let name = match filter.name() {
                        "section" => words.section,
                        "priority" => words.priority,
                        "size" if filter.operator() == FilterOperator::Gte => words.size_from,
                        "size" => words.size_to,
                        _ => words.name,
                    };
                    @let text = format!("{name}: {}", filter.values().join(", "));
                    li {
                        form action=(path) {
                            (hidden_inputs([filter.parameter()]))
                            button aria-label=(format!("{}: {text}", words.remove)) {
                                bdi { (text) } span aria-hidden="true" { "×" }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A form that changes the language.
pub(crate) fn languages() -> Markup {
    let path = ActiveRequest::current().map_or_else(|| "/".to_owned(), |request| request.path().to_owned());
    let current = words().texts.language();
    html! {
        // The attributes of the document change as well, so this loads it.
        form.languages action=(path) hx-boost="false" {
            (hidden_inputs(["lang"]))
            @for (language, name) in [("en", "English"), ("de", "Deutsch"), ("ar", "العربية")] {
                button name="lang" value=(language) lang=(language) aria-current=[(language == current).then_some("true")] {
                    (name)
                }
            }
        }
    }
}
