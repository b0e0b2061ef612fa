//! folio under other names: re-exported from a module, and another crate's name.
extern crate folio as pages;

mod vendor {
    pub mod pagination {
        pub use folio::*;
    }
}
use vendor as folio;

#[derive(sqlx::FromRow, pages::Paginate)]
#[paginate(crate = "crate::renamed_crate::vendor::pagination")]
struct Post {
    id: i64,
}

#[derive(sqlx::FromRow, pages::Paginate)]
#[paginate(crate = "pages", cursor_key = "title desc")]
struct Page {
    id: i64,
    title: String,
}

#[derive(sqlx::FromRow, pages::Paginate)]
#[paginate(crate = "folio::pagination")]
struct Comment {
    id: i64,
}

#[derive(Debug, Clone, PartialEq, pages::ColumnValue)]
#[paginate(crate = "crate::renamed_crate::vendor::pagination")]
enum State {
    Open,
}

#[test]
fn folio_has_other_names() {
    assert_eq!(folio::pagination::Value::from(State::Open), "Open".into());
    let page = Page { id: 1, title: "folio".to_owned() };
    assert_eq!(page.cursor_key(), PageKey { title: "folio".to_owned(), id: 1 });
    assert_eq!(Post { id: 2 }.cursor_key().id, Comment { id: 2 }.cursor_key().id);
}
