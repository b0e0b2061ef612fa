//! Cursors that a client sends: text of any content, and cursors that were altered. None opens, and each is refused
//! with the same error.

#![no_main]

use std::sync::LazyLock;

use arbitrary::Arbitrary;
use chrono::{DateTime, Utc};
use folio::{CursorDirection, Model, Paginate, Result, decode_cursor, encode_cursor};
use folio_fuzz::is_refused;
use libfuzzer_sys::fuzz_target;
use uuid::Uuid;

macro_rules! models {
    ($($model:ident: $key:literal;)*) => {
        $(
            #[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
            #[paginate(table = "notes", cursor_key = $key)]
            struct $model {
                id: i64,
                rank: Option<i32>,
                title: String,
                digest: Vec<u8>,
                token: Uuid,
                at: DateTime<Utc>,
            }
        )*

        /// Two cursors of each model and of a single value, with what opens them.
        fn genuine() -> Vec<(String, Open)> {
            let mut cursors = Vec::new();
            $(
                let row = $model {
                    id: 7,
                    rank: None,
                    title: "naïve \"quoted\"".into(),
                    digest: vec![0, 255],
                    token: Uuid::from_u128(0xab),
                    at: DateTime::UNIX_EPOCH,
                };
                for way in [CursorDirection::Next, CursorDirection::Prev] {
                    let open: Open = |text| <$model as Model>::Key::decode(text).map(|(_, way)| way);
                    cursors.push((row.cursor_key().encode(way).unwrap(), open));
                }
            )*
            for way in [CursorDirection::Next, CursorDirection::Prev] {
                let open: Open = |text| decode_cursor::<i64>(text).map(|(_, way)| way);
                cursors.push((encode_cursor(&7_i64, way).unwrap(), open));
            }
            cursors
        }
    };
}

models! {
    Plain: "id";
    Newest: "id desc";
    Ranked: "rank nulls first";
    RankedLast: "rank nulls last";
    Titled: "title, id";
    Everything: "at desc, rank desc nulls last, token, digest, title, id";
}

type Open = fn(&str) -> Result<CursorDirection>;

static GENUINE: LazyLock<Vec<(String, Open)>> = LazyLock::new(|| {
    folio_fuzz::install("");
    genuine()
});

#[derive(Arbitrary, Debug)]
enum Case<'a> {
    Text(&'a str),
    Altered { cursor: u8, edits: Vec<Edit<'a>> },
}

#[derive(Arbitrary, Debug)]
enum Edit<'a> {
    Flip {
        at: u16,
        bit: u8,
    },
    Replace {
        at: u16,
        with: char,
    },
    Insert {
        at: u16,
        text: &'a str,
    },
    Remove {
        at: u16,
        length: u8,
    },
    Swap {
        at: u16,
        with: u16,
    },
    /// The end of another cursor.
    Splice {
        at: u16,
        cursor: u8,
        from: u16,
    },
    Append(&'a str),
}

/// Makes an edit. Positions count characters, and begin again after the end.
fn edit(text: &mut Vec<char>, edit: &Edit<'_>) {
    let place = |at: u16, text: &[char]| usize::from(at) % (text.len() + 1);
    match *edit {
        Edit::Flip { at, bit } => {
            let at = place(at, text);
            if let Some(found) = text.get_mut(at) {
                *found = char::from_u32(u32::from(*found) ^ (1 << (bit % 7))).unwrap_or('?');
            }
        }
        Edit::Replace { at, with } => {
            let at = place(at, text);
            text.get_mut(at).into_iter().for_each(|found| *found = with);
        }
        Edit::Insert { at, text: new } => {
            let at = place(at, text);
            text.splice(at..at, new.chars()).for_each(drop);
        }
        Edit::Remove { at, length } => {
            let at = place(at, text);
            text.drain(at..text.len().min(at + usize::from(length))).for_each(drop);
        }
        Edit::Swap { at, with } => {
            let (at, with) = (place(at, text), place(with, text));
            if at.max(with) < text.len() {
                text.swap(at, with);
            }
        }
        Edit::Splice { at, cursor, from } => {
            let (other, _) = &GENUINE[usize::from(cursor) % GENUINE.len()];
            text.truncate(place(at, text));
            text.extend(other.chars().skip(usize::from(from) % (other.len() + 1)));
        }
        Edit::Append(new) => text.extend(new.chars()),
    }
}

fuzz_target!(|case: Case<'_>| {
    let cursors = &*GENUINE;
    let text = match &case {
        Case::Text(text) => (*text).to_owned(),
        Case::Altered { cursor, edits } => {
            let mut text: Vec<char> = cursors[usize::from(*cursor) % cursors.len()].0.chars().collect();
            edits.iter().take(16).for_each(|each| edit(&mut text, each));
            text.into_iter().collect()
        }
    };
    let own = cursors.iter().position(|(genuine, _)| *genuine == text);
    for (at, (_, open)) in cursors.iter().enumerate() {
        // The cursors of a model are beside each other, the one forwards first.
        match own.filter(|own| own / 2 == at / 2) {
            Some(own) => {
                let way = if own % 2 == 0 { CursorDirection::Next } else { CursorDirection::Prev };
                assert_eq!(open(&text).unwrap(), way);
            }
            None => assert!(is_refused(&open(&text)), "{text:?} opens as {at}"),
        }
    }
});
