#!/usr/bin/env python3
"""Compares docs/public-api.txt with the public API: one line for each item, method, field and implementation.

With `--write`, writes the file instead. The API is read from the pages of `cargo doc`, for which a stable toolchain is
enough. Items that are hidden from the documentation are not part of it.
"""

import difflib
import html
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILE = ROOT / "docs" / "public-api.txt"
CRATES = ["folio", "folio_macros"]
HEADING = "# The public API, with all features. `tests/scripts/public_api.py --write` writes it, with rustdoc {}.\n"

# The sections of a page whose implementations and items are listed. Blanket implementations are those of other crates.
LISTED = {
    "fields",
    "variants",
    "required-associated-types",
    "provided-associated-types",
    "required-associated-consts",
    "provided-associated-consts",
    "required-methods",
    "provided-methods",
    "implementations",
    "trait-implementations",
    "foreign-impls",
}
AUTO_TRAITS = ["Send", "Sync", "Unpin", "UnwindSafe", "RefUnwindSafe"]

SECTION = re.compile(r'<h2 id="([^"]+)" class="[^"]*section-header">')
ENTRY = re.compile(
    r'<section id="[^"]*" class="(?P<kind>[^"]*)">.*?<h[34] class="code-header">(?P<header>.*?)</h[34]>'
    r'|<span id="(?P<field>structfield|variant)\.[^"]*" class="[^"]*section-header">.*?'
    r"<code>(?P<type>.*?)</code></span>",
    re.S,
)


def text(markup: str) -> str:
    """The text of a page's piece, on one line."""
    markup = re.sub(r'</?div[^>]*>|<br ?/?>', " ", markup)
    line = " ".join(html.unescape(re.sub(r"<[^>]*>", "", markup)).split())
    return line.replace("( ", "(").replace(", )", ")")


def declaration(page: str) -> str:
    """The declaration of a page's item. What is in its braces has lines of its own."""
    whole = text(re.search(r'<pre class="rust item-decl">(.*?)</pre>', page, re.S)[1])
    head, brace, body = whole.partition("{")
    if not brace or whole.startswith(("macro_rules!", "#[derive")):
        return whole
    return head + ("{ /* private fields */ }" if "private fields" in body else "{ .. }")


def sections(page: str) -> dict[str, str]:
    _, *parts = SECTION.split(page)
    return dict(zip(parts[::2], parts[1::2]))


def entries(section: str) -> list[str]:
    """The implementations of a section, each with its items; of that of a trait, only types and constants."""
    header, groups = "", {"": []}
    for entry in ENTRY.finditer(section):
        kind = (entry["kind"] or "").split()
        if "impl" in kind:
            header = text(entry["header"])
            groups.setdefault(header, [])
        elif "trait-impl" not in kind or "method" not in kind:
            groups[header].append(entry_line(entry, kind))
    # What `derive(PartialEq)` adds cannot be named in stable Rust.
    listed = sorted(header for header in groups if "StructuralPartialEq for" not in header)
    return [line for header in listed for line in grouped(header, groups[header])]


def entry_line(entry: re.Match[str], kind: list[str]) -> str:
    if entry["field"]:
        return ("pub " if entry["field"] == "structfield" else "    ") + text(entry["type"])
    return ("variant " if "variant" in kind else "") + text(entry["header"])


def grouped(header: str, items: list[str]) -> list[str]:
    """The items of one implementation, in an order that does not depend on the source; fields keep theirs."""
    if not header:
        return items
    return [header, *(f"    {item}" for item in sorted(items))]


def auto_traits(section: str) -> list[str]:
    """The auto traits that a type has, and those that it does not have."""
    headers = [text(entry["header"]) for entry in ENTRY.finditer(section) if "impl" in (entry["kind"] or "").split()]
    names = [match[1] for header in headers if (match := re.match(r"impl(?:<.*?>)? (!?\w+) for ", header))]
    return ["auto: " + ", ".join(name for name in names if name.strip("!") in AUTO_TRAITS)]


def item(path: str, page: str) -> list[str]:
    lines = [declaration(page)]
    for name, section in sections(page).items():
        if name in LISTED and not lines[0].startswith("pub type"):
            lines += entries(section)
        elif name == "synthetic-implementations":
            lines += auto_traits(section)
    return [path, *(f"    {line}" for line in lines)]


def reexports(folder: pathlib.Path, module: str) -> list[str]:
    """What the modules export that has its page elsewhere."""
    page = (folder / "index.html").read_text()
    lines = [module, *(f"    {text(use)}" for use in re.findall(r'id="reexport\.[^"]*">(.*?)</dt>', page, re.S))]
    for name in sorted(set(re.findall(r'class="mod" href="(\w+)/index.html"', page))):
        lines += reexports(folder / name, f"{module}::{name}")
    return lines


def crate(docs: pathlib.Path, name: str) -> list[str]:
    """The items of a crate. The page of all items has those that exist; pages of earlier ones may be left."""
    folder = docs / name
    listed = re.findall(r'<li><a href="([^"]*)">(.*?)</a>', (folder / "all.html").read_text())
    lines = reexports(folder, name)
    for file, path in sorted(listed, key=lambda entry: entry[1]):
        lines += item(f"{name}::{text(path)}", (folder / file).read_text())
    return lines


def output(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def public_api() -> str:
    subprocess.run(["cargo", "doc", "--no-deps", "--workspace", "--all-features", "--quiet"], cwd=ROOT, check=True)
    metadata = json.loads(output("cargo", "metadata", "--format-version", "1", "--no-deps"))
    docs = pathlib.Path(metadata["target_directory"]) / "doc"
    version = output("rustdoc", "--version").split()[1]
    return HEADING.format(version) + "".join(f"{line}\n" for name in CRATES for line in crate(docs, name))


def main() -> None:
    api = public_api()
    if sys.argv[1:] == ["--write"]:
        FILE.write_text(api)
        return
    (_, *written), (version, *found) = FILE.read_text().splitlines(), api.splitlines()
    if written != found:
        print(*difflib.unified_diff(written, found, FILE.name, "now", lineterm=""), sep="\n")
        sys.exit("error: the public API has changed; if it should, run tests/scripts/public_api.py --write")
    print(f"{FILE.name} has the public API: {len(found)} lines")


main()
