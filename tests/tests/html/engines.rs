//! Template engines insert markup without escaping it again.

use askama::Template;
use folio::html::{HiddenInputs, LoadMore, Nav, PageSizeOptions, SortHeader, hidden_inputs};
use folio::{Column, LengthAwarePaginator, PerPage, Sorts};

/// One of each, in the order of the fields.
#[derive(Template)]
#[template(source = "{{ nav }}{{ more }}{{ header }}{{ options }}{{ inputs }}{{ text }}", ext = "html")]
struct View<'a> {
    nav: Nav<'a>,
    more: LoadMore<'a>,
    header: SortHeader,
    options: PageSizeOptions,
    inputs: HiddenInputs,
    text: &'a str,
}

#[test]
fn askama_and_maud_insert_markup() {
    let page = LengthAwarePaginator::new(vec!["a"], 2, 1, 1).with_path("/posts");
    let sorts = Sorts::new("newest", Column::<i64>::new("id").desc());
    let view = View {
        nav: page.nav(),
        more: page.load_more("#rows"),
        header: sorts.headers("sort").unwrap().header("newest", "Created").unwrap(),
        options: PerPage::options([15]),
        inputs: hidden_inputs(["q"]),
        text: "<b>",
    };
    let View { nav, more, header, options, inputs, .. } = &view;
    let markup = format!("{nav}{more}{header}{options}{inputs}");
    assert_eq!(view.render().unwrap(), format!("{markup}&#60;b&#62;"));
    let maud = maud::html! { (nav)(more)(header)(options)(inputs)("<b>") };
    assert_eq!(maud.into_string(), format!("{markup}&lt;b&gt;"));
}
