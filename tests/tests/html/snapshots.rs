//! The markup of each theme and state, in `tests/data/html`. `HTML=overwrite cargo test -p folio-tests --test html` writes
//! it again.

use std::fmt::Write as _;
use std::path::Path;

use folio::html::{Arabic, German, Nav, Theme};
use folio::{CursorPaginator, LengthAwarePaginator, Paginator, Total};

/// Each state of a page with its links.
fn states(theme: Theme) -> String {
    let mut text = String::new();
    let mut add = |state: &str, nav: Nav<'_>| {
        let html = nav.theme(theme).to_string().replace("><", ">\n<");
        writeln!(text, "<!-- {state} -->\n{html}\n").unwrap();
    };
    let numbered = |rows: usize, total, page| {
        LengthAwarePaginator::new(vec![(); rows], total, 2, page).with_path("/posts?q=\"a\"&b")
    };
    add("first", numbered(2, 6, 1).nav().summary());
    add("middle, with a label", numbered(2, 6, 2).nav().label("Posts & more").summary());
    add("last", numbered(1, 5, 3).nav().summary());
    add("past the end", numbered(0, 6, 9).nav().summary());
    add("one page", numbered(2, 2, 1).nav());
    add("one page, with a summary", numbered(2, 2, 1).nav().summary());
    add("empty", numbered(0, 0, 1).nav().summary());
    add("past the end of an empty list", numbered(0, 0, 4).nav().summary());
    add("a gap on the left", numbered(2, 40, 20).nav().each_side(1));
    add("a gap on the right", numbered(2, 40, 1).nav().each_side(1));
    add("a gap on each side", numbered(2, 40, 10).nav().each_side(1));
    add("German", numbered(2, 2_400, 2).nav().texts(&German).each_side(0).summary());
    add("right to left", numbered(2, 6, 2).nav().texts(&Arabic).summary());
    let attributes = numbered(2, 4, 1);
    add("attributes", attributes.nav().attributes(|link| [("hx-get", link.url()), ("class", "mine".to_owned())]));
    let simple = |rows, page, more| Paginator::new(vec![(); rows], page, 2, more).with_path("/posts");
    add("simple, first", simple(2, 1, true).nav().summary());
    add("simple, last", simple(1, 2, false).nav().summary());
    add("simple, empty", simple(0, 1, false).nav().summary());
    add("simple, past the end", simple(0, 7, false).nav().summary());
    let cursor = |rows, next: Option<&str>, previous: Option<&str>, total| {
        let page = CursorPaginator::new(vec![(); rows], 2, next.map(String::from), previous.map(String::from));
        CursorPaginator { total, ..page.with_path("/posts") }
    };
    add("cursor, first", cursor(2, Some("bmV4dA"), None, None).nav().summary());
    add("cursor, middle", cursor(2, Some("bmV4dA"), Some("cHJldg"), Some(Total::AtLeast(1_000))).nav().summary());
    add("cursor, last", cursor(1, None, Some("cHJldg"), Some(Total::Exact(5))).nav().summary());
    add("cursor, empty", cursor(0, None, None, None).nav().summary());
    add("cursor, past the end", cursor(0, None, Some("cHJldg"), None).nav().summary());
    text
}

#[test]
fn each_theme_and_state_has_its_markup() {
    for (name, theme) in [("plain", Theme::Plain), ("bootstrap", Theme::Bootstrap), ("tailwind", Theme::Tailwind)] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("data/html/{name}.html"));
        let markup = states(theme);
        if std::env::var_os("HTML").is_some_and(|mode| mode == "overwrite") {
            std::fs::write(&file, &markup).unwrap();
        }
        let expected = std::fs::read_to_string(&file).unwrap();
        assert!(markup == expected, "{name}: write {} again, and read the difference", file.display());
    }
}

/// Tailwind writes no rules for other classes than those of the list.
#[test]
fn the_list_of_a_themes_classes_is_complete() {
    for theme in [Theme::Plain, Theme::Bootstrap, Theme::Tailwind] {
        let known = theme.class_names();
        let markup =
            states(theme) + &Paginator::new(vec![1, 2], 1, 2, true).load_more("#rows").theme(theme).to_string();
        let classes = markup.split("class=\"").skip(1).filter_map(|rest| rest.split('"').next());
        // The second is what htmx looks for, and the third a state's own attribute.
        let own = ["folio-more", "mine"];
        for class in classes.flat_map(str::split_whitespace).filter(|class| !own.contains(class)) {
            assert!(known.contains(&class), "{theme:?}: {class}");
        }
    }
}
