//! Output on the terminal.

use std::time::Duration;

use folio::{LengthAwarePaginator, PageLink, Paginator};
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};

use crate::Package;

pub(crate) fn title(text: &str) {
    println!("\n── {text}\n");
}

pub(crate) fn packages(packages: &[Package]) {
    for Package { name, version, section, installed_size_kib, .. } in packages {
        println!("   {name:<32} {version:<24.24} {section:<12} {:>12}", size(*installed_size_kib));
    }
}

pub(crate) fn numbered(page: &LengthAwarePaginator<Package>) {
    let labels: Vec<String> = page.links().iter().map(label).collect();
    let [total, current, last] = [page.total, page.current_page, page.last_page].map(HumanCount);
    println!("\n   {} of {total}, page {current} of {last}", span(page.from, page.to));
    println!("   links     {}", labels.join("  "));
    neighbours(page.previous_page_url(), page.next_page_url());
}

pub(crate) fn simple(page: &Paginator<Package>) {
    println!("\n   {}, page {}", span(page.first_item(), page.last_item()), page.current_page);
    neighbours(page.previous_page_url(), page.next_page_url());
}

pub(crate) fn walk(way: &str, rows: usize, duplicates: usize, gaps: usize, time: Duration) {
    let rows = HumanCount(rows as u64);
    println!("   {way:<10} {rows} rows seen, {duplicates} duplicates, {gaps} gaps, {time:.2?}");
}

/// A progress bar on standard error, if that is a terminal.
pub(crate) fn progress(rows: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("   {bar:50} {human_pos} of {human_len} rows");
    ProgressBar::new(rows as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn size(kib: Option<i64>) -> String {
    let bytes = kib.and_then(|kib| u64::try_from(kib).ok()?.checked_mul(1024));
    bytes.map_or("unknown".to_owned(), |bytes| HumanBytes(bytes).to_string())
}

fn span(from: Option<u64>, to: Option<u64>) -> String {
    from.zip(to).map_or("no rows".to_owned(), |(from, to)| format!("rows {from} to {to}"))
}

/// Decodes a label, which contains HTML entities because front ends insert it as markup.
fn label(link: &PageLink) -> String {
    let text = link.label.replace("&laquo;", "«").replace("&raquo;", "»");
    if link.active { format!("[{text}]") } else { text }
}

fn neighbours(previous: Option<String>, next: Option<String>) {
    for (name, url) in [("previous", previous), ("next", next)] {
        println!("   {name:<9} {}", url.as_deref().unwrap_or("none"));
    }
}
