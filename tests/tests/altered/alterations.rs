//! The ways to alter a cursor.

use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use folio_tests::cursors::URL_SAFE;

/// Numbers that are the same on every run (splitmix64).
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end.max(1)).unwrap()).unwrap()
    }

    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// The cursors that a shape's cursors are altered with.
pub(super) struct Tokens<'a> {
    pub(super) own: &'a [String],
    /// Cursors of another list.
    pub(super) foreign: Option<&'a Vec<String>>,
    /// Cursors of the same list under another key.
    pub(super) strange: &'a [String],
}

// The parts of a token, in bytes.
const HEADER: Range<usize> = 0..4;
const SALT: Range<usize> = 4..20;
const TAG: usize = 16;

/// A text made from one of the tokens, or from scratch.
pub(super) fn altered(random: &mut Random, tokens: &Tokens<'_>) -> String {
    let token = random.pick(tokens.own);
    let other = random.pick(tokens.own);
    let strange = random.pick::<String>(tokens.strange);
    let foreign = tokens.foreign.map_or(strange, |foreign| random.pick(foreign));
    match random.below(16) {
        0..4 => flipped(random, token),
        4 => replaced(random, token),
        5 => reordered(random, token),
        6 => spliced(random, token, other),
        7 => resized(random, token),
        8 => foreign.clone(),
        9 => strange.clone(),
        10 => with_part_of(random, token, foreign),
        11 => with_part_of(random, token, strange),
        12 => with_part_of(random, token, other),
        13 => respelt(random, token),
        14 => with_noise(random, token),
        _ => with_characters(random, token),
    }
}

/// One bit is another, or several.
fn flipped(random: &mut Random, token: &str) -> String {
    let mut bytes = URL_SAFE_NO_PAD.decode(token).unwrap();
    for _ in 0..=random.below(2) * random.below(8) {
        let bit = random.below(bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    URL_SAFE_NO_PAD.encode(bytes)
}

/// A few characters are others.
fn replaced(random: &mut Random, token: &str) -> String {
    let mut bytes = token.as_bytes().to_vec();
    for _ in 0..=random.below(8) {
        let at = random.below(bytes.len());
        bytes[at] = *random.pick(URL_SAFE);
    }
    String::from_utf8(bytes).unwrap()
}

/// Two characters are swapped, or two groups, so that the text is still base64.
fn reordered(random: &mut Random, token: &str) -> String {
    let mut bytes = token.as_bytes().to_vec();
    let size = if random.below(2) == 0 { 1 } else { 4 };
    let (a, b) = (random.below(bytes.len() / size) * size, random.below(bytes.len() / size) * size);
    for offset in 0..size {
        bytes.swap(a + offset, b + offset);
    }
    String::from_utf8(bytes).unwrap()
}

/// The start of one token and the end of another, cut at the same position or at two.
fn spliced(random: &mut Random, token: &str, other: &str) -> String {
    let at = random.below(token.len() + 1);
    let from = if random.below(2) == 0 { at } else { random.below(other.len() + 1) };
    format!("{}{}", &token[..at], &other[from.min(other.len())..])
}

/// The token is cut at either end, or goes on, or a range is removed or repeated.
fn resized(random: &mut Random, token: &str) -> String {
    let (a, b) = (random.below(token.len() + 1), random.below(token.len() + 1));
    let (from, to) = (a.min(b), a.max(b));
    match random.below(5) {
        0 => token[..from].to_owned(),
        1 => token[from..].to_owned(),
        2 => format!("{}{}", &token[..from], &token[to..]),
        3 => format!("{}{}", &token[..to], &token[from..]),
        _ => {
            let more: String = (0..=random.below(12)).map(|_| char::from(*random.pick(URL_SAFE))).collect();
            format!("{token}{more}")
        }
    }
}

/// Version and key id, salt, ciphertext or tag are those of another token.
fn with_part_of(random: &mut Random, token: &str, other: &str) -> String {
    let [mut bytes, other] = [token, other].map(|token| URL_SAFE_NO_PAD.decode(token).unwrap());
    let part = |bytes: &[u8], part: usize| match part {
        0 => HEADER,
        1 => SALT,
        2 => SALT.end..bytes.len() - TAG,
        _ => bytes.len() - TAG..bytes.len(),
    };
    let which = random.below(4);
    let replaced = part(&bytes, which);
    bytes.splice(replaced, other[part(&other, which)].iter().copied()).for_each(drop);
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The same bytes in another spelling: with padding, in another alphabet, with spaces, or with bits that no byte has.
fn respelt(random: &mut Random, token: &str) -> String {
    match random.below(5) {
        0 => format!("{token}{}", "=".repeat(1 + random.below(3))),
        1 => STANDARD_NO_PAD.encode(URL_SAFE_NO_PAD.decode(token).unwrap()),
        2 => format!("{token}{}", random.pick(&["\n", " ", "%3D", "\0", "\r\n"])),
        3 => token.replace(['-', '_'], random.pick::<&str>(&["+", "/", "%2D", "%5F", " "])),
        _ => {
            let last = token.bytes().next_back().and_then(|last| URL_SAFE.iter().position(|byte| *byte == last));
            let bits = last.unwrap() ^ (1 + random.below(3));
            format!("{}{}", &token[..token.len() - 1], char::from(URL_SAFE[bits]))
        }
    }
}

/// A genuine header, then noise, or noise alone.
fn with_noise(random: &mut Random, token: &str) -> String {
    let (kept, length) = match random.below(3) {
        0 => ("", random.below(400)),
        1 => ("", token.len()),
        _ => (&token[..6], token.len() - 6),
    };
    let noise = (0..length).map(|_| char::from(*random.pick(URL_SAFE)));
    kept.chars().chain(noise).collect()
}

/// Characters outside base64.
fn with_characters(random: &mut Random, token: &str) -> String {
    const CHARACTERS: [char; 10] = ['\0', '\u{7f}', ' ', '%', 'é', '＝', '日', '\u{feff}', '😀', '\u{10ffff}'];
    let mut characters: Vec<char> = token.chars().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(characters.len());
        let character = *random.pick(&CHARACTERS);
        if random.below(2) == 0 { characters[at] = character } else { characters.insert(at, character) }
    }
    characters.into_iter().collect()
}
