//! Arrays that SQL text binds.

use folio::{Column, Result, Select};
use sqlx::Postgres;

use crate::server;

/// The numbers of the texts that are not NULL, as a page of a select that binds them.
async fn page(texts: &[Option<&str>]) -> Result<Vec<(i64,)>> {
    let texts: Vec<Option<String>> = texts.iter().map(|text| text.map(str::to_owned)).collect();
    let text = "SELECT n FROM unnest($1) WITH ORDINALITY AS texts(text, n) WHERE text IS NOT NULL";
    let select = Select::sql(text).bind_for::<Postgres, _>(texts).order_by(Column::<i64>::new("n"));
    let pool = server::pool(1).await;
    Ok(select.using(&pool).paginate(10).await?.data)
}

/// It comes from a client, as a text alone does.
#[tokio::test]
async fn a_text_with_a_nul_character_in_an_array_is_the_clients_mistake() {
    assert_eq!(page(&[Some("a"), None, Some(""), Some("bc")]).await.unwrap(), [(1,), (3,), (4,)]);
    assert_eq!(page(&[]).await.unwrap(), []);
    for texts in [&[Some("\0")][..], &[Some("a"), None, Some("b\0c")], &[None, Some("\0"), Some("a")]] {
        let error = page(texts).await.unwrap_err();
        assert_eq!(error.status(), 400, "{texts:?}");
        assert_eq!(error.to_string(), "the database cannot store a text with a NUL character");
    }
}
