//! Paths, labels, queries and cursors that try to leave their place.

use folio::html::{Nav, Shown, Texts, Theme, hidden_inputs};
use folio::{ActiveRequest, Column, CursorPaginator, LengthAwarePaginator, Paginator, PerPage, Sorts};
use proptest::prelude::*;

use crate::parsed::{Element, elements};

/// Text that has meaning in HTML.
fn hostile() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("<script>alert(1)</script>"),
        Just("\"><img src=x onerror=alert(1)>"),
        Just("' onfocus='alert(1)"),
        Just("&quot;&lt;&#39;"),
        Just("&amp"),
        Just("--><!--"),
        Just("</a></nav>"),
        Just("\u{202e}ü €"),
        Just("a=1&b=2"),
    ];
    let texts = prop_oneof![part.prop_map(str::to_owned), "[ -~äß]{0,12}"];
    prop::collection::vec(texts, 0..4).prop_map(|parts| parts.concat())
}

/// All words are the same text.
struct Hostile(String);

impl Texts for Hostile {
    fn language(&self) -> &str {
        &self.0
    }

    fn pagination(&self) -> &str {
        &self.0
    }

    fn previous(&self) -> &str {
        &self.0
    }

    fn next(&self) -> &str {
        &self.0
    }

    fn page(&self, _: u64) -> String {
        self.0.clone()
    }

    fn load_more(&self) -> &str {
        &self.0
    }

    fn summary(&self, _: Shown) -> String {
        self.0.clone()
    }
}

const NAMES: [&str; 6] = ["nav", "p", "ul", "li", "a", "span"];

/// The markup has the links that `links()` has, and nothing else.
fn check<'a>(mut nav: Nav<'a>, texts: &'a Hostile) -> Result<(), TestCaseError> {
    nav = nav.texts(texts).label(&texts.0).summary().attributes(|link| [("data-url", link.url())]);
    for theme in [Theme::Plain, Theme::Bootstrap, Theme::Tailwind] {
        nav = nav.theme(theme);
        let found = elements(&nav.to_string());
        prop_assert!(found.iter().all(|element| NAMES.contains(&&*element.name)), "{nav}");
        let is_entry = |element: &&Element| matches!(&*element.name, "a" | "span");
        let entries: Vec<_> = found.iter().filter(is_entry).collect();
        let links = nav.links();
        prop_assert_eq!(entries.len(), links.len());
        for (entry, link) in entries.into_iter().zip(&links) {
            prop_assert_eq!(&entry.text, &link.label);
            prop_assert_eq!(entry.attribute("href"), link.url.as_deref());
            prop_assert_eq!(entry.attribute("data-url"), link.url.as_deref());
            prop_assert_eq!(entry.attribute("aria-current").is_some(), link.is_current);
        }
        let summary = found.iter().find(|element| element.name == "p").map(|element| &element.text);
        prop_assert_eq!(summary, Some(&texts.0));
    }
    Ok(())
}

proptest! {
    #[test]
    fn markup_has_the_links_of_the_page_and_nothing_else(
        path in hostile(), name in hostile(), words in hostile(), page in 0_u64..40, total in 0_u64..80, side in 0_u8..4
    ) {
        let texts = Hostile(words);
        let rows = usize::try_from(total.saturating_sub(page.max(1).saturating_sub(1) * 2).min(2)).unwrap();
        let numbered = LengthAwarePaginator::new(vec![(); rows], total, 2, page).with_path(&path).with_page_name(&name);
        check(numbered.nav().each_side(side), &texts)?;
        let simple = Paginator::new(vec![(); rows], page, 2, page % 2 == 0).with_path(&path);
        check(simple.nav(), &texts)?;
        let cursor = CursorPaginator::new(vec![(); rows], 2, Some(name.clone()), (page > 1).then(|| path.clone()));
        let cursor = cursor.with_path(&path).with_cursor_name(&name);
        check(cursor.nav(), &texts)?;

        let more = cursor.load_more(&path).texts(&texts).item();
        for more in [more.clone(), more.button()] {
            let found = elements(&more.to_string());
            let names: Vec<_> = found.iter().map(|element| &*element.name).collect();
            prop_assert_eq!(names, ["li", "a"]);
            let next = cursor.next_page_url();
            prop_assert_eq!(found[1].attribute("href"), next.as_deref());
            let select = found.iter().find_map(|element| element.attribute("hx-select"));
            prop_assert_eq!(select, Some(&*format!("{path} > *")));
        }
    }

    #[test]
    fn forms_and_headers_keep_what_was_sent(query in hostile(), value in hostile(), label in hostile()) {
        let pair = format!("{}&q={}", query.replace(['#', '\t'], ""), value.replace(['&', '#', '+', '%'], ""));
        let request = ActiveRequest::new(&format!("/posts?{pair}&page=3&cursor=x"));
        let (inputs, options, header) = tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(
            request.clone().scope(async {
                let sorts = Sorts::new("newest", Column::<i64>::new("id").desc());
                let header = sorts.headers("sort").and_then(|headers| headers.header("newest", &*label));
                (hidden_inputs(["own"]).to_string(), PerPage::options([1, 2]).to_string(), header)
            }),
        );
        let found = elements(&inputs);
        let sent = found.iter().rfind(|input| input.attribute("name") == Some("q"));
        let value = request.value("q");
        prop_assert_eq!(sent.and_then(|input| input.attribute("value")), value.as_deref());
        prop_assert!(found.iter().all(|input| !matches!(input.attribute("name"), Some("page" | "cursor" | "own"))));
        prop_assert_eq!(elements(&options).len(), 2);
        if let Ok(header) = header {
            let found = elements(&header.to_string());
            prop_assert_eq!((&*found[0].name, &*found[1].text), ("th", &*label));
            prop_assert_eq!(found[1].attribute("href"), Some(&*header.url));
        }
    }
}
