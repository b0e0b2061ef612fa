//! Pages from their JSON, for clients and tests.
//!
//! The JSON has no key for the name of the page parameter, nor for a query string that only the URLs have. Both are
//! read from a page's URL. A cursor page without neighbours has no URL, so there they are lost, as is the cursor that
//! led to the page.

use folio_plan::url;
use serde::de::{Deserialize, Deserializer, Error as _};

use super::{
    Around, CURSOR_NAME, CursorPaginator, LengthAwarePaginator, LinkKind, PAGE_NAME, PageLink, Paginator, Total,
};

/// The keys that are read. The others follow from them.
#[derive(serde::Deserialize)]
struct LengthAwareJson<T> {
    current_page: u64,
    data: Vec<T>,
    first_page_url: String,
    from: Option<u64>,
    last_page: u64,
    path: Option<String>,
    per_page: u64,
    to: Option<u64>,
    total: u64,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for LengthAwarePaginator<T> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        let LengthAwareJson { current_page, data, first_page_url, from, last_page, path, per_page, to, total } =
            LengthAwareJson::deserialize(json)?;
        let (path, key) = url::split(&first_page_url, path);
        let page_name = key.filter(|key| key != PAGE_NAME);
        Ok(Self { data, current_page, last_page, per_page, total, from, to, path, page_name })
    }
}

/// The keys that are read. The others follow from them.
#[derive(serde::Deserialize)]
struct SimpleJson<T> {
    current_page: u64,
    data: Vec<T>,
    first_page_url: String,
    has_more: bool,
    path: Option<String>,
    per_page: u64,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Paginator<T> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        let SimpleJson { current_page, data, first_page_url, has_more, path, per_page } =
            SimpleJson::deserialize(json)?;
        let (path, _) = url::split(&first_page_url, path);
        Ok(Self { data, current_page, per_page, has_more, path })
    }
}

/// The keys that are read. The URLs are read for their query key only.
#[derive(serde::Deserialize)]
struct CursorJson<T> {
    data: Vec<T>,
    path: Option<String>,
    per_page: u64,
    next_cursor: Option<String>,
    next_page_url: Option<String>,
    prev_cursor: Option<String>,
    prev_page_url: Option<String>,
    total: Option<u64>,
    row_cursors: Option<Vec<String>>,
    start_cursor: Option<String>,
    end_cursor: Option<String>,
    /// Only an [`Around`] has it.
    index: Option<usize>,
}

impl<T> CursorJson<T> {
    fn into_page(self) -> CursorPaginator<T> {
        let (path, key) = match self.next_page_url.or(self.prev_page_url) {
            Some(url) => url::split(&url, self.path),
            None => (self.path, None),
        };
        let cursor_name = key.filter(|key| key != CURSOR_NAME);
        // The JSON does not tell an estimate from a count.
        let total = self.total.map(Total::Exact);
        let page = CursorPaginator::new(self.data, self.per_page, self.next_cursor, self.prev_cursor);
        let page = CursorPaginator { start_cursor: self.start_cursor, end_cursor: self.end_cursor, ..page };
        CursorPaginator { path, cursor_name, total, row_cursors: self.row_cursors, ..page }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for CursorPaginator<T> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        CursorJson::deserialize(json).map(CursorJson::into_page)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Around<T> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        let json = CursorJson::deserialize(json)?;
        Ok(Self { index: json.index, page: json.into_page() })
    }
}

/// The keys of an entry in a row of page links.
#[derive(serde::Deserialize)]
struct LinkJson {
    url: Option<String>,
    label: String,
    /// Missing in a gap, which is not the same as null.
    #[serde(default, deserialize_with = "present")]
    page: Option<Option<u64>>,
    active: bool,
}

/// A key that is present, whatever its value. serde would read `null` like a missing key.
fn present<'de, D: Deserializer<'de>>(json: D) -> Result<Option<Option<u64>>, D::Error> {
    Option::deserialize(json).map(Some)
}

impl<'de> Deserialize<'de> for PageLink {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        let LinkJson { url, label, page, active } = LinkJson::deserialize(json)?;
        let kind = match page {
            None => LinkKind::Gap,
            // Only the label tells the current page from a neighbour of the same number.
            Some(_) if label.starts_with("&laquo;") => LinkKind::Previous,
            Some(_) if label.ends_with("&raquo;") => LinkKind::Next,
            Some(_) => LinkKind::Page(label.parse().map_err(|_| {
                D::Error::custom(format!(
                    "`{label}` is neither a page number nor the label of the previous or next page"
                ))
            })?),
        };
        Ok(Self { url, label, page: page.flatten(), active, kind })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, to_value};

    use super::*;

    const PATHS: [Option<&str>; 18] = [
        None,
        Some("/users"),
        Some("/users?sort=name&a[]=1"),
        Some("/users?\tsort=name"),
        Some("?sort=name"),
        Some("?\tsort=name"),
        Some("/users?sort=name#top"),
        Some("#top"),
        // A path that contains a page or empty parameters.
        Some("/users?page=3&cursor=x&page[number]=1"),
        Some("/users?sort=name&&a#top"),
        Some("/users?&sort=name"),
        Some("?&sort=name"),
        Some("/users?\t&sort=name&&a#top"),
        Some("?\t&"),
        Some("/users?&"),
        Some("/users?"),
        // A fragment that only the URLs have.
        Some("/users?\t#top"),
        Some("?\t#top"),
    ];

    #[test]
    fn a_page_survives_its_json() {
        for path in PATHS.map(|path| path.map(str::to_owned)) {
            for name in [None, Some("page[number]".to_owned())] {
                let page = LengthAwarePaginator::new(vec![3, 4], 5, 2, 2);
                let page = LengthAwarePaginator { path: path.clone(), page_name: name.clone(), ..page };
                assert_eq!(from_value::<LengthAwarePaginator<i32>>(to_value(&page).unwrap()).unwrap(), page);
                let links: Vec<PageLink> = from_value(to_value(page.links()).unwrap()).unwrap();
                assert_eq!(links, page.links());

                let page = CursorPaginator::new(vec![3, 4], 2, None, Some("cHJldg".into()));
                let page = CursorPaginator { path: path.clone(), cursor_name: name, ..page };
                assert_eq!(from_value::<CursorPaginator<i32>>(to_value(&page).unwrap()).unwrap(), page);
                for index in [None, Some(1)] {
                    let around = Around { page: page.clone(), index };
                    assert_eq!(from_value::<Around<i32>>(to_value(&around).unwrap()).unwrap(), around);
                }
            }
            let page = Paginator { path, ..Paginator::new(vec![3, 4], 2, 2, true) };
            assert_eq!(from_value::<Paginator<i32>>(to_value(&page).unwrap()).unwrap(), page);
        }
    }

    #[test]
    fn a_gap_survives_its_json() {
        let links = LengthAwarePaginator::new(vec![1], 500, 10, 25).links();
        assert!(links.iter().any(|link| link.label == "..."));
        assert_eq!(from_value::<Vec<PageLink>>(to_value(&links).unwrap()).unwrap(), links);
    }

    #[test]
    fn a_link_without_a_known_label_is_an_error() {
        let json = serde_json::json!({ "url": "?page=2", "label": "Weiter", "page": 2, "active": false });
        let error = from_value::<PageLink>(json).unwrap_err();
        assert!(error.to_string().contains("`Weiter` is neither"), "{error}");
    }

    #[test]
    fn a_list_in_memory_has_the_pages_of_its_rows() {
        let list: Vec<u64> = (1..=7).collect();
        for (per_page, page, rows) in [(3, 0, 1..=3), (3, 2, 4..=6), (3, 3, 7..=7), (0, 2, 2..=2)] {
            let rows: Vec<u64> = rows.collect();
            let page_of = LengthAwarePaginator::from_slice(&list, per_page, page);
            assert_eq!((page_of.data, page_of.total), (rows.clone(), 7));
            let simple = Paginator::from_slice(&list, per_page, page);
            assert_eq!((simple.has_more, &simple.data), (!rows.contains(&7), &rows));
        }
        assert!(LengthAwarePaginator::from_slice(&list, u64::MAX, u64::MAX).data.is_empty());
        assert!(!Paginator::from_slice(&list, 3, u64::MAX).has_more);
    }
}
