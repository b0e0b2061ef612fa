//! Sorts that a client asks for, among names that an application allows. The oracle reads the list by hand.
//!
//! The fields of an input are the allowed names, separated by `/`, the default, and the text of the request.

#![no_main]

use std::collections::HashSet;

use folio::{Column, FrameworkError, Sorts};
use folio_fuzz::{cut, fields};
use libfuzzer_sys::fuzz_target;

/// The columns that the names sort by, in their order. Two names share a column.
const COLUMNS: [&str; 4] = ["id", "title", "score", "id"];

/// The order for a list of names, as folio shows it; `None` if the list is not allowed.
fn expected(names: &[&str], text: &str) -> Option<String> {
    let (mut seen, mut columns, mut order) = (HashSet::new(), HashSet::new(), Vec::new());
    for part in text.split(',') {
        let (name, reversed) = part.strip_prefix('-').map_or((part, false), |name| (name, true));
        let at = names.iter().position(|known| *known == name)?;
        if !seen.insert(name) {
            return None;
        }
        let column = COLUMNS[at];
        if columns.insert(column) {
            // The third is descending on its own.
            let descending = reversed != (at == 2);
            order.push(format!("{column} {}", if descending { "Desc" } else { "Asc" }));
        }
    }
    Some(format!("[{}]", order.join(", ")))
}

fn is_valid(names: &[&str]) -> bool {
    let distinct: HashSet<_> = names.iter().collect();
    let is_name = |name: &&str| !name.is_empty() && !name.contains(',') && !name.starts_with('-');
    distinct.len() == names.len() && names.iter().all(is_name)
}

fuzz_target!(|data: &[u8]| {
    let [names, default, text] = fields(data);
    let names: Vec<&str> = names.split('/').take(COLUMNS.len()).collect();
    // There is a first name: splitting an empty text yields one that is empty.
    let mut sorts = Sorts::new(names[0], Column::<i64>::new(COLUMNS[0])).default(&default);
    for (at, name) in names.iter().enumerate().skip(1) {
        let column = Column::<i64>::new(COLUMNS[at]);
        sorts = if at == 2 { sorts.allow(name, column.desc()) } else { sorts.allow(name, column) };
    }
    let key = cut(&default, 8);
    let resolved = sorts.resolve(&key, Some(&text)).map(|order| format!("{order:?}"));
    let fallback = expected(&names, &default).filter(|_| is_valid(&names));
    match (resolved, fallback) {
        (Err(error), None) => assert_eq!(error.status(), 500, "{error}"),
        (resolved, Some(fallback)) => {
            let order = if text.is_empty() { Some(fallback) } else { expected(&names, &text) };
            match (resolved, order) {
                (Ok(resolved), Some(order)) => assert_eq!(resolved, order),
                (Err(FrameworkError::InvalidParameter { parameter, .. }), None) => assert_eq!(parameter, key),
                (resolved, order) => panic!("{resolved:?} for {order:?}"),
            }
        }
        (Ok(order), None) => panic!("{order} of a list with a mistake"),
    }
});
