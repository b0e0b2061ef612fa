//! Databases whose encoding is not UTF-8: the server converts each text that the driver sends.

use folio::{Filters, Folio};

use crate::server;
use crate::servers::characters::{CHARACTERS, Tagged, calls, refused_filters};
use crate::suite::db::{self, Pool};

async fn database(encoding: &str) -> (Folio, Pool) {
    let pool = server::pool_in_encoding(encoding).await;
    db::run(&pool, Tagged::table("TEXT")).await;
    (db::application(&pool), pool)
}

/// Latin-1 has no such character, so no row has it.
#[tokio::test]
async fn a_text_that_the_encoding_does_not_have_is_a_400() {
    let mut wrong = Vec::new();
    for (encoding, has) in
        [("LATIN1", "é"), ("WIN1251", ""), ("EUC_JP", "é中"), ("SQL_ASCII", "é中😀"), ("UTF8", "é中😀")]
    {
        let (folio, pool) = database(encoding).await;
        for text in CHARACTERS {
            let found = folio.scope(calls(text)).await;
            for (call, outcome) in found {
                let is_right = match outcome {
                    Ok(_) => has.contains(text),
                    // No row to be around.
                    Err(ref error) if has.contains(text) => call == "around_id" && error.status() == 404,
                    Err(ref error) => error.status() == 400,
                };
                if !is_right {
                    wrong.push(format!("{call} {text} in {encoding}: {outcome:?}"));
                }
            }
            for (request, error) in folio.scope(refused_filters(text)).await {
                let expected = (!has.contains(text)).then_some("`tag` has a value that is not allowed");
                let message = error.map(|error| error.to_string());
                if message.as_deref() != expected {
                    wrong.push(format!("{request} in {encoding}: {message:?}"));
                }
            }
        }
        pool.close().await;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A byte of the table's that has no character is not the client's mistake.
#[tokio::test]
async fn a_row_that_cannot_be_sent_is_a_500() {
    let (folio, pool) = database("WIN1252").await;
    db::run(&pool, "INSERT INTO tagged VALUES (convert_from('\\x81', 'WIN1252'), 4)").await;
    let check = async {
        let all = Tagged::query().page(1).paginate(9).await.unwrap_err();
        assert_eq!(all.status(), 500, "{all}");
        assert!(all.to_string().contains("no equivalent"), "{all}");
        let requested = Filters::<Tagged>::new().allow("tag", Tagged::TAG.ranges());
        let list = Tagged::query().filter(requested.resolve("tag[gt]=a").unwrap());
        let error = list.page(1).paginate(9).await.unwrap_err();
        assert_eq!(error.status(), 500, "{error}");
    };
    folio.scope(check).await;
}
