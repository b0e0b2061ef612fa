//! Edited cursors do not open. The test `altered` has more shapes of cursors, and alters them at random.

use folio_tests::cursors::{assert_refused, edits};

use super::notes::{Shape, notes};

#[tokio::test]
async fn no_edited_cursor_opens() {
    let (folio, _pool) = notes().await;
    folio
        .scope(async {
            let mut edited: usize = 0;
            for Shape { name, tokens, decode, page } in Shape::all().await {
                // One from a key, and one from a page.
                for token in [tokens[0].clone(), tokens[3].clone()] {
                    assert!(decode(&token).is_ok(), "{name}");
                    assert!(page(token.clone()).await.is_ok(), "{name}");
                    let mut sample = Vec::new();
                    edits(&token, |text| {
                        assert_refused(&decode(text), &format!("{name} {token} as {text:?}"));
                        edited += 1;
                        if edited.is_multiple_of(199) {
                            sample.push(text.to_owned());
                        }
                    });
                    for text in sample {
                        assert_refused(&page(text.clone()).await, &format!("{name} {token} as {text:?}"));
                    }
                }
            }
            assert!(edited > 200_000, "{edited} edits");
        })
        .await;
}
