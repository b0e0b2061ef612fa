#!/usr/bin/env python3
"""Makes one mistake at a time in the code, and shows that a test catches each.

A test that cannot fail proves nothing. The files are put back as they were, also when this is interrupted.
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "runtime" / "src"

# what is wrong | the file | what stands there | what stands there instead
MISTAKES = [
    ("a flipped direction", "keyset.rs", "Direction::Asc => against(dialect, sort, BinOper::GreaterThan, bound)", "Direction::Asc => against(dialect, sort, BinOper::SmallerThan, bound)"),
    ("a lost arm", "keyset.rs", "for at in (0..last).rev() {", "for at in (1..last).rev() {"),
    ("a lost arm of NULLs", "keyset.rs", "if nulls == Some(Nulls::Last) {", "if nulls == Some(Nulls::First) {"),
    (">= for >", "keyset.rs", 'BinOper::Custom("> +")', 'BinOper::Custom(">= +")'),
    ("<= for <", "keyset.rs", 'BinOper::Custom("< +")', 'BinOper::Custom("<= +")'),
    ("= NULL", "keyset.rs", "if bound.is_null() {", "if false {"),
    ("NULLs that are not flipped", "keyset.rs", "nulls: self.nulls.map(Nulls::flip)", "nulls: self.nulls"),
    ("a direction that is not flipped", "keyset.rs", "direction: self.direction.flip()", "direction: self.direction"),
    ("a forgotten reverse", "fetch.rs", "data.reverse();", ""),
    ("the boundary of the extra row", "fetch.rs", "let far = key::<D>(walk, &last)?;", "let far = key::<D>(walk, probe.as_ref().unwrap_or(&last))?;"),
    ("an emptied page without a way back", "fetch.rs", "inclusive: !from.inclusive", "inclusive: from.inclusive"),
    ("a far page that is left the last row first", "fetch.rs", "rows.reverse();", ""),
    ("a last page that is as long as the others", "fetch.rs", "let limit = slice.limit.min(behind);", "let limit = slice.limit;"),
    ("a tie that only the database sees", "checks.rs", "is_text(one) && is_text(other) || differ_in_type", "differ_in_type"),
    ("a tie that nobody looks for", "checks.rs", "if !ties {", "if true {"),
    ("a join that is taken for a table", "caller.rs", "let repeats_no_row = matches!(self.shape.kind, Kind::Plain | Kind::Disjunction);\n        let from = self.shape.table.as_ref().filter(|_| repeats_no_row)?;", "let from = &From { schema: None, name: placed.first()?.0.table?.name.to_owned(), alias: None };"),
    ("an aggregate that is taken for a column", "shape.rs", "open.is(\"(\") && callable", "open.is(\"(\") && at == 0 && callable"),
    ("an alias that is looked for in the table", "shape.rs", "self.has_alias(name) || self.table", "self.table"),
    ("a limit that is dropped", "caller.rs", "self.limit.is_some() || self.offset > 0", "false"),
    ("a lock that is overlooked", "shape.rs", "        return Err(locked());\n    }\n    if text", "    }\n    if text"),
    ("a comment that hides the limit", "shape.rs", "Token::Comment(comment) if comment.starts_with(\"--\") => return Err(commented()),", ""),
    ("equal names that nobody looks for", "checks.rs", "if !seen.insert(name) || is_copy {", "if false {"),
    ("a NULL that is not expected", "walk.rs", "if !undeclared.contains(&true) {", "if true {"),
    ("an order in raw SQL that is reversed", "listing.rs", "        _ => false,\n    }\n}\n\n/// Whether a page is to be taken", "        _ => true,\n    }\n}\n\n/// Whether a page is to be taken"),
    ("a literal that is rewritten", "driver/sqlite.rs", "        writer.sql.into_parts()\n", "        let (sql, values) = writer.sql.into_parts();\n        (sql.replace(\" LIMIT ?\", \" LIMIT +?\"), values)\n"),
    ("a key without the primary key", "builder.rs", "close_with_primary_key(Some(M::TABLE), order.terms())", "order.terms()"),
]


# The tests that a mistake has to get past: those of the walk, of selects and of distant pages on SQLite, and folio's own.
TESTS = [
    ["-p", "folio-tests", "--test", "sqlite", "--", "walk", "deep", "select"],
    ["-p", "folio", "--all-features", "--lib"],
]


def fails(test: list[str]) -> bool:
    build = [*test[: test.index("--")], "--no-run"] if "--" in test else [*test, "--no-run"]
    subprocess.run(["cargo", "test", "-q", *build], cwd=ROOT, check=True, capture_output=True)
    return subprocess.run(["cargo", "test", "-q", *test], cwd=ROOT, capture_output=True).returncode != 0


def caught(file: pathlib.Path, old: str, new: str) -> bool:
    text = file.read_text()
    assert text.count(old) == 1, f"{file.name} has {text.count(old)} places that read: {old}"
    try:
        file.write_text(text.replace(old, new))
        return any(fails(test) for test in TESTS)
    finally:
        file.write_text(text)


def main() -> int:
    missed = 0
    names = sys.argv[1:]
    for name, file, old, new in MISTAKES:
        if names and not any(part in name for part in names):
            continue
        found = caught(SOURCES / file, old, new)
        missed += not found
        print(f"{'caught' if found else 'MISSED'}  {name}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
