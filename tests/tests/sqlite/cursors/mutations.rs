//! Edited and mutated cursors do not open.

use folio_tests::cursors::{URL_SAFE, assert_refused, edits};

use std::collections::HashSet;

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

/// Numbers that are the same on every run (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end.max(1)).unwrap()).unwrap()
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// A text made from one of `tokens`, or from scratch.
fn mutation(random: &mut Random, tokens: &[String]) -> String {
    const UNICODE: [char; 8] = ['\0', '\u{7f}', 'é', '＝', '日', '\u{feff}', '😀', '\u{10ffff}'];
    let token = random.pick(tokens);
    let mut bytes = token.clone().into_bytes();
    match random.below(12) {
        // A few characters are replaced.
        0..3 => {
            for _ in 0..=random.below(8) {
                let at = random.below(bytes.len());
                bytes[at] = *random.pick(URL_SAFE);
            }
        }
        // Two characters are swapped.
        3 => {
            let (a, b) = (random.below(bytes.len()), random.below(bytes.len()));
            bytes.swap(a, b);
        }
        // The start of one token and the end of another, cut at the same position or at two.
        4 | 5 => {
            let other = random.pick(tokens).as_bytes();
            let at = random.below(bytes.len());
            let from = if random.below(2) == 0 { at } else { random.below(other.len()) };
            bytes.truncate(at);
            bytes.extend_from_slice(&other[from.min(other.len())..]);
        }
        // Whole groups are swapped, so the text is still base64.
        6 => {
            let (a, b) = (random.below(bytes.len() / 4) * 4, random.below(bytes.len() / 4) * 4);
            for offset in 0..4 {
                bytes.swap(a + offset, b + offset);
            }
        }
        // A range is removed or repeated.
        7 => {
            let (a, b) = (random.below(bytes.len()), random.below(bytes.len()));
            let (from, to) = (a.min(b), a.max(b));
            if random.below(2) == 0 {
                bytes.drain(from..to);
            } else {
                let copy = bytes[from..to].to_vec();
                bytes.splice(from..from, copy);
            }
        }
        // A genuine header, then noise.
        8 => {
            for byte in &mut bytes[6..] {
                *byte = *random.pick(URL_SAFE);
            }
        }
        // Base64 text of any length.
        9 => bytes = (0..random.below(400)).map(|_| *random.pick(URL_SAFE)).collect(),
        // Arbitrary bytes, made valid UTF-8.
        10 => {
            for byte in &mut bytes {
                *byte = random.next().to_le_bytes()[0];
            }
            return String::from_utf8_lossy(&bytes).into_owned();
        }
        // Characters outside base64.
        _ => {
            let mut characters: Vec<char> = token.chars().collect();
            for _ in 0..=random.below(3) {
                let at = random.below(characters.len());
                let character = *random.pick(&UNICODE);
                if random.below(2) == 0 { characters[at] = character } else { characters.insert(at, character) }
            }
            return characters.into_iter().collect();
        }
    }
    String::from_utf8(bytes).unwrap()
}

#[tokio::test]
async fn no_mutated_cursor_opens() {
    let (folio, _pool) = notes().await;
    folio
        .scope(async {
            let shapes = Shape::all().await;
            let tokens: Vec<String> = shapes.iter().flat_map(|shape| shape.tokens.iter().cloned()).collect();
            let genuine: HashSet<&String> = tokens.iter().collect();
            let mut random = Random(0xf0110);
            let mut tried: u32 = 0;
            while tried < 1_000_000 {
                let text = mutation(&mut random, &tokens);
                if genuine.contains(&text) {
                    continue;
                }
                let Shape { name, decode, page, .. } = random.pick(&shapes);
                assert_refused(&decode(&text), &format!("{name}: {text:?}"));
                tried += 1;
                if tried.is_multiple_of(5_000) {
                    assert_refused(&page(text.clone()).await, &format!("{name}: {text:?}"));
                }
            }
        })
        .await;
}
