//! A module without imports, a struct inside a function, and structs that a macro makes.

mod model {
    #[derive(sqlx::FromRow, folio::Paginate)]
    #[paginate(cursor_key = "title")]
    pub(crate) struct Post {
        pub(crate) id: i64,
        pub(crate) title: String,
    }
}

macro_rules! model {
    ($vis:vis $name:ident, $table:literal, $key:literal, $field:ident: $type:ty) => {
        #[derive(sqlx::FromRow, folio::Paginate)]
        #[paginate(table = $table, cursor_key = $key)]
        $vis struct $name {
            id: i64,
            $field: $type,
        }
    };
}
model!(pub Tag, "labels", "name", name: String);
model!(Score, "scores", "points nulls last", points: Option<i32>);

#[test]
fn nothing_needs_to_be_imported() {
    #[derive(sqlx::FromRow, folio::Paginate)]
    struct Local {
        id: i64,
    }

    let post = model::Post { id: 1, title: String::new() };
    assert_eq!(post.cursor_key(), model::PostKey { title: String::new(), id: 1 });
    assert_eq!(Tag { id: 2, name: "rust".to_owned() }.cursor_key().name, "rust");
    assert_eq!(Score { id: 3, points: None }.cursor_key().points, None);
    assert_eq!(Local { id: 4 }.cursor_key(), LocalKey { id: 4 });
    let _ = (model::Post::on("reports"), Tag::query(), Score::query(), Local::query());
}
