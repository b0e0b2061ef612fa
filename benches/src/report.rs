//! Tables of results, which are printed and written into README.md.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::contest::Outcome;

/// Tables under headings, after a line about the machine that they were measured on.
#[derive(Debug)]
pub struct Report(String);

impl Default for Report {
    fn default() -> Self {
        let machine = machine();
        println!("{machine}");
        Self(format!("{machine}\n"))
    }
}

impl Report {
    pub fn heading(&mut self, text: &str) {
        let _ = writeln!(self.0, "\n#### {text}\n");
        println!("\n{text}");
    }

    /// Adds a table from its header and rows.
    pub fn table(&mut self, header: &[&str], rows: &[Vec<String>]) {
        let line = |cells: &[String]| format!("| {} |", cells.join(" | "));
        let header: Vec<String> = header.iter().map(|&cell| cell.to_owned()).collect();
        let rule: Vec<String> =
            header.iter().enumerate().map(|(at, _)| if at == 0 { "---" } else { "---:" }.to_owned()).collect();
        for cells in [&header, &rule].into_iter().chain(rows) {
            let _ = writeln!(self.0, "{}", line(cells));
            println!("{}", line(cells));
        }
        self.0.push('\n');
    }

    /// Writes the report between `<!-- name -->` and `<!-- /name -->` in a file.
    pub fn write(&self, file: &Path, name: &str) -> Result<()> {
        let text = std::fs::read_to_string(file)?;
        let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
        let (before, rest) = text.split_once(&begin).with_context(|| format!("no {begin} in {}", file.display()))?;
        let (_, after) = rest.split_once(&end).with_context(|| format!("no {end} in {}", file.display()))?;
        Ok(std::fs::write(file, format!("{before}{begin}\n{}\n\n{end}{after}", self.0.trim_end()))?)
    }
}

/// Processor, cores, memory, system and compiler, if known.
fn machine() -> String {
    let read = |file| std::fs::read_to_string(file).unwrap_or_default();
    let value = |text: &str, key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key))?;
        Some(line.trim_start_matches([' ', '\t', ':', '=']).trim_matches('"').to_owned())
    };
    let processor = value(&read("/proc/cpuinfo"), "model name");
    let cores = std::thread::available_parallelism().ok().map(|cores| format!("{cores} cores"));
    let memory = value(&read("/proc/meminfo"), "MemTotal").and_then(|memory| {
        let kibibytes: u64 = memory.split(' ').next()?.parse().ok()?;
        Some(format!("{:.0} GiB", kibibytes as f64 / f64::from(1 << 20)))
    });
    let system = value(&read("/etc/os-release"), "PRETTY_NAME").unwrap_or_else(|| std::env::consts::OS.to_owned());
    let compiler = std::process::Command::new("rustc").arg("--version").output().ok();
    let compiler = compiler.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    [processor, cores, memory, Some(system), compiler].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Formats a time with a suitable unit.
pub fn time(time: Duration) -> String {
    match time.as_nanos() {
        0..1_000 => format!("{} ns", time.as_nanos()),
        1_000..1_000_000 => format!("{:.1} µs", time.as_secs_f64() * 1e6),
        _ => format!("{:.1} ms", time.as_secs_f64() * 1e3),
    }
}

/// The median of a rival, or a dash if it did not take part.
pub fn median(outcome: &Outcome, name: &str) -> String {
    outcome.median(name).map_or_else(|| "–".to_owned(), time)
}

/// The ratio of two rivals' medians, or a dash if one did not take part.
pub fn ratio(outcome: &Outcome, name: &str, other: &str) -> String {
    outcome.ratio(name, other).map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.3}"))
}
