"""Writes a copy of the workspace that contains all mutants at once. `mutants.py` compiles it and runs the tests.

A function with mutants becomes `match crate::mutation::of(4, 6) { 4 => {…} 5 => {…} 6 => {…} _ => {…} }`: its body with
each mutation, and at last the body itself. An environment variable chooses the mutant, so there is one build instead of
one for each mutant.
"""

import bisect
import dataclasses
import json
import pathlib
import re
import subprocess

# The text of literals and comments, whose braces do not count, and brackets.
TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/"
    r'|b?r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"'
    r"|b?'(?:\\[^']*'?|[^\\'])'"
    r"|[{}()\[\]]",
    re.S,
)

PLACE = re.compile(r"^(\S+?):\d+:\d+: ")

ITERATOR = re.compile(r"-> impl (?P<kind>(?:DoubleEnded)?Iterator<Item\s*=.+>)$", re.S)
# A range without an end, which cannot be collected.
ENDLESS = re.compile(r"\.\.(?:\)|=u64::MAX)")

MODULE = """//! Which mutant is active, and which functions with mutants are reached.

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::{Mutex, OnceLock};

static ACTIVE: OnceLock<(u32, Option<std::path::PathBuf>)> = OnceLock::new();
static SEEN: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

pub(crate) fn of(first: u32, last: u32) -> u32 {
    let (active, log) = ACTIVE.get_or_init(|| {
        let number = std::env::var("FOLIO_MUTANT").ok().and_then(|number| number.parse().ok());
        (number.unwrap_or_default(), std::env::var_os("FOLIO_MUTANTS_REACHED").map(Into::into))
    });
    if let Some(log) = log && SEEN.lock().unwrap().insert(first) {
        let mut file = std::fs::File::options().append(true).create(true).open(log).unwrap();
        file.write_all(format!("{first}\\n").as_bytes()).unwrap();
    }
    if (first..=last).contains(active) { *active } else { 0 }
}
"""


@dataclasses.dataclass
class Mutant:
    """One change of one function. Offsets are those of characters in the file."""

    number: int
    name: str
    file: str
    change: tuple[int, int]
    replacement: str
    genre: str
    function: tuple[int, int] | None
    returns: str
    # The compiler's error, if it does not compile.
    unviable: str | None = None

    def is_switchable(self) -> bool:
        """Whether it is inside a function that may be rewritten. The compiler computes constants, and some hidden types
        cannot be that of a match."""
        is_const = (self.unviable or "").startswith("cannot call non-const")
        is_hidden = "impl " in self.returns and self.genre != "FnValue"
        return self.function is not None and not is_const and not (self.unviable and is_hidden)


@dataclasses.dataclass
class Arm:
    """The lines of a file of the copy that belong to a mutant."""

    first: int
    last: int
    mutant: Mutant


def offset(starts: list[int], place: dict) -> int:
    return starts[place["line"] - 1] + place["column"] - 1


def starts_of_lines(text: str) -> list[int]:
    return [0, *(at + 1 for at, char in enumerate(text) if char == "\n")]


def list_mutants(root: pathlib.Path, patterns: list[str]) -> list[Mutant]:
    """All mutants that cargo-mutants finds. Names have no line numbers, so that they survive other changes."""
    command = ["cargo", "mutants", "--no-config", "--list", "--json", "--colors=never"]
    command += [part for pattern in patterns for part in ("-f", pattern)]
    output = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    mutants, names = [], {}
    for number, entry in enumerate(json.loads(output), start=1):
        name = PLACE.sub(r"\1: ", entry["name"])
        names[name] = names.get(name, 0) + 1
        if names[name] > 1:
            name = f"{name} ({names[name]})"
        starts = starts_of_lines((root / entry["file"]).read_text())

        def span(part: dict) -> tuple[int, int]:
            return offset(starts, part["span"]["start"]), offset(starts, part["span"]["end"])

        function = entry["function"]
        found = span(function) if function else None
        returns = function["return_type"] if function else ""
        mutants.append(
            Mutant(number, name, entry["file"], span(entry), entry["replacement"], entry["genre"], found, returns)
        )
    return mutants


def body_of(text: str, function: tuple[int, int]) -> tuple[int, int]:
    """Where the braces of a function's body are: after the opening one, and before the closing one."""
    depth = 0
    for token in TOKEN.finditer(text, *function):
        if token[0] == "{" and depth == 0:
            return token.end(), text.rindex("}", *function)
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(token[0], 0)
    raise ValueError(f"no body: {text[slice(*function)]}")


def braces(mutant: Mutant, body: str) -> tuple[str, str]:
    """What is around an arm: if the function's type is hidden, the arms have different ones without it."""
    found = ITERATOR.match(mutant.returns)
    if not found:
        return "{", "}"
    if ENDLESS.search(body):
        return "(Box::new({", f"}}) as Box<dyn {found['kind']} + Send + '_>)"
    return "({", "}).collect::<Vec<_>>().into_iter()"


class File:
    """A file of the copy, written in pieces, so that each arm's lines are known."""

    def __init__(self, text: str, mutants: list[Mutant]):
        self.text = text
        self.functions: dict[tuple[int, int], list[Mutant]] = {}
        for mutant in mutants:
            if mutant.function and not mutant.unviable:
                self.functions.setdefault(mutant.function, []).append(mutant)
        self.pieces: list[str] = []
        self.line = 1
        self.arms: list[Arm] = []
        self.write(0, len(text))

    def add(self, piece: str) -> None:
        self.pieces.append(piece)
        self.line += piece.count("\n")

    def write(self, start: int, end: int) -> None:
        """The text from one offset to another, with its functions rewritten."""
        inside = [function for function in self.functions if start <= function[0] and function[1] <= end]
        for function in sorted(inside, key=lambda span: (span[0], -span[1])):
            if function[0] < start:
                # It is nested in the one before, which has written it.
                continue
            opened, closed = body_of(self.text, function)
            self.add(without_const(self.text, start, function[0], opened))
            self.switch(self.functions[function], opened, closed)
            start = closed
        self.add(self.text[start:end])

    def switch(self, mutants: list[Mutant], opened: int, closed: int) -> None:
        before, after = braces(mutants[0], self.text[opened:closed])
        self.add(f" match crate::mutation::of({mutants[0].number}, {mutants[-1].number}) {{\n")
        for mutant in mutants:
            first, (start, end) = self.line, mutant.change
            body = self.text[opened:start] + mutant.replacement + " " + self.text[end:closed]
            self.add(f"{mutant.number} => {before}{body}\n{after},\n")
            self.arms.append(Arm(first, self.line - 1, mutant))
        self.add(f"_ => {before}")
        self.write(opened, closed)
        self.add(f"\n{after},\n}} ")


def without_const(text: str, start: int, function: int, opened: int) -> str:
    header = re.sub(r"\bconst (?=(?:unsafe )?fn\b)", "", text[function:opened], count=1)
    return text[start:function] + header


def tracked(root: pathlib.Path) -> list[str]:
    """The files of the workspace, also those that are not committed yet."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    output = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    return [name for name in output.split("\0") if name and (root / name).is_file()]


def replace(path: pathlib.Path, data: bytes) -> None:
    """Writes a file if it changes, so that cargo compiles no more than necessary."""
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


class Tree:
    def __init__(self, root: pathlib.Path, copy: pathlib.Path, mutants: list[Mutant]):
        self.root, self.copy, self.mutants = root, copy, mutants
        self.files: dict[str, File] = {}

    def write(self) -> None:
        crates = {pathlib.PurePath(mutant.file).parts[0] for mutant in self.mutants}
        for name in tracked(self.root):
            mutants = [mutant for mutant in self.mutants if mutant.file == name]
            data = (self.root / name).read_bytes()
            if mutants:
                self.files[name] = File(data.decode(), mutants)
                data = "".join(self.files[name].pieces).encode()
            if name in {f"{crate}/src/lib.rs" for crate in crates}:
                data += b"\nmod mutation;\n"
            replace(self.copy / name, data)
        for crate in crates:
            replace(self.copy / crate / "src" / "mutation.rs", MODULE.encode())

    def at(self, file: str, line: int) -> Mutant | None:
        """The mutant that has a line of the copy."""
        arms = self.files[file].arms if file in self.files else []
        at = bisect.bisect([arm.first for arm in arms], line) - 1
        # A nested function's arms are inside those of the outer function's last arm, never inside a mutant's.
        return arms[at].mutant if at >= 0 and line <= arms[at].last else None

    def drop(self, messages: list[dict]) -> int:
        """Marks the mutants that the compiler's errors are about, and says how many these are."""
        dropped = 0
        for message in messages:
            if message["level"] != "error" or not message["spans"]:
                continue
            places = sorted(message["spans"], key=lambda span: not span["is_primary"])
            places += [span for child in message["children"] for span in child["spans"]]
            found = next(filter(None, (self.at(span["file_name"], span["line_start"]) for span in places)), None)
            for mutant in [found] if found else self.const_mutants(message):
                dropped += mutant.unviable is None
                mutant.unviable = message["message"]
        return dropped

    def const_mutants(self, message: dict) -> list[Mutant]:
        """The mutants of a `const fn` that constants use: they cannot be switched when the program runs."""
        called = re.search(r"non-const \w+ `(?:.*::)?(\w+)(?:::<.*>)?`", message["message"])
        if not called:
            return []
        name = re.compile(rf"\bconst fn {called[1]}\b")
        return [
            mutant
            for mutant in self.mutants
            if mutant.function and name.search((self.root / mutant.file).read_text()[slice(*mutant.function)])
        ]
