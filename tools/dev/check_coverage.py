#!/usr/bin/env python3
"""Tells which lines and which error places of the library no test has reached.

usage: check_coverage.py EXPORT [--reasons FILE] [--root FOLDER]   EXPORT: what `llvm-cov export` wrote
       check_coverage.py --self-test                               check the checker

An error place is where the library says that something went wrong:
  - a `throw`, or a call of a function that never returns ([[noreturn]]);
  - the handler of a `catch`;
  - `return std::nullopt` or `return nullptr`;
  - a reason given to `problem`, an exception stored for later, a warning or error that is logged.
Each is reached when the piece of code it stands in has run, by clang's own count: what the compiler adds for exceptions
that may pass through has no place in the text and does not count.

A place that no test can reach has a line in the file of reasons: `file | part of the source line | reason`. Exit code 1
when a layer's places are reached by less than 95 % of those without a reason, or when a reason stands for nothing.
"""

import argparse
import bisect
import collections
import dataclasses
import json
import pathlib
import re
import sys

LEAST_PERCENT = 95.0
TREES = (("lib",), ("include", "anycl"))  # below them each folder is a layer

COMMENT_OR_LITERAL = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
NEVER_RETURNS = re.compile(r"\[\[noreturn\]\][^;{(]*?(\w+)\(")
DECLARES = re.compile(r"\bvoid\s+$")
ERRORS = (
    r"\bthrow\b",
    r"\bcatch\b[^{]*\{",  # the handler runs, not the keyword: the match ends behind its bracket
    r"\breturn std::nullopt\b",
    r"\breturn nullptr\b",
    r"\bproblem_?\s*=(?!=)",
    r"\b(?:make_exception_ptr|set_exception|log_cl)\(",
    r"\blog::(?:warn|error)\(",
)


@dataclasses.dataclass
class Place:
    line: int
    text: str  # of the line
    reached: bool


@dataclasses.dataclass
class File:
    name: str  # from the root of the tree
    lines: int
    lines_reached: int
    places: list

    @property
    def layer(self):
        parts = pathlib.PurePath(self.name).parts
        return next(parts[len(tree)] for tree in TREES if parts[: len(tree)] == tree)


@dataclasses.dataclass
class Reason:
    number: int  # of the line
    file: str
    part: str
    text: str
    used: bool = False

    def explains(self, file, place):
        return self.file == file.name and self.part in place.text


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def code_of(text):
    """`text` with blanks for comments, literals and preprocessor lines, so that each offset stays."""
    return DIRECTIVE.sub(blank, COMMENT_OR_LITERAL.sub(blank, text))


def error_offsets(code, never_returns):
    calls = [rf"\b(?:{'|'.join(sorted(never_returns))})\("] if never_returns else []
    for match in re.finditer("|".join([*ERRORS, *calls]), code):
        if DECLARES.search(code, 0, match.start()):
            continue
        yield match.end() - 1 if match.group().startswith("catch") else match.start()


class Counts:
    """How often each part of a file ran, from the segments of `llvm-cov export`."""

    def __init__(self, segments):
        self.starts = [(line, column) for line, column, *_ in segments]
        self.segments = segments

    def at(self, line, column):
        """None where no code is."""
        index = bisect.bisect_right(self.starts, (line, column)) - 1
        if index < 0:
            return None
        _, _, count, has_count, *_ = self.segments[index]
        return count if has_count else None


def places_of(text, segments, never_returns):
    counts, lines = Counts(segments), text.splitlines()
    for offset in error_offsets(code_of(text), never_returns):
        line = text.count("\n", 0, offset) + 1
        count = counts.at(line, offset - (text.rfind("\n", 0, offset) + 1) + 1)
        if count is not None:
            yield Place(line, lines[line - 1].strip(), count > 0)


def functions_that_never_return(texts):
    return {name for text in texts for name in NEVER_RETURNS.findall(text)}


def read_files(export, root):
    entries = {}
    for entry in export["data"][0]["files"]:
        path = pathlib.Path(entry["filename"]).resolve()
        if path.is_relative_to(root) and any(path.relative_to(root).parts[: len(t)] == t for t in TREES):
            entries[path.relative_to(root).as_posix()] = entry
    texts = {name: (root / name).read_text() for name in entries}
    never_returns = functions_that_never_return(texts.values())
    for name, entry in sorted(entries.items()):
        lines = entry["summary"]["lines"]
        places = list(places_of(texts[name], entry["segments"], never_returns))
        yield File(name, lines["count"], lines["covered"], places)


def read_reasons(path):
    reasons = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split(" | ")]
        if len(parts) != 3 or not all(parts):
            sys.exit(f"check_coverage: {path}:{number}: not of the form 'file | part of the source line | reason'")
        reasons.append(Reason(number, *parts))
    return reasons


def explain(files, reasons):
    """The missed places without a reason, as (file, place); marks the reasons that were of use."""
    unexplained = []
    for file in files:
        for place in file.places:
            matching = [reason for reason in reasons if not place.reached and reason.explains(file, place)]
            for reason in matching:
                reason.used = True
            if not place.reached and not matching:
                unexplained.append((file, place))
    return unexplained


def percent(part, whole):
    return 100.0 * part / whole if whole else 100.0


def row(name, files, unexplained):
    lines, lines_reached = sum(f.lines for f in files), sum(f.lines_reached for f in files)
    places = [place for f in files for place in f.places]
    missed = sum(1 for f, _ in unexplained if f in files)
    reached = sum(place.reached for place in places)
    explained = len(places) - reached - missed
    return (
        f"{name:<40} {percent(lines_reached, lines):6.1f} % of {lines:5} {percent(reached, reached + missed):6.1f} % of "
        f"{reached + missed:4} {explained:9}"
    )


def report(files, unexplained):
    layers = collections.defaultdict(list)
    for file in files:
        layers[file.layer].append(file)
    print(f"{'':<40} {'lines':>15} {'error places':>15} {'explained':>10}")
    for layer, members in sorted(layers.items()):
        print(row(layer, members, unexplained))
        for file in members:
            print(row("  " + file.name, [file], unexplained))
    print(row("all", files, unexplained))
    for file, place in unexplained:
        print(f"not reached: {file.name}:{place.line}: {place.text}")
    return layers


def low_layers(layers, unexplained):
    for layer, members in sorted(layers.items()):
        missed = sum(1 for file, _ in unexplained if file.layer == layer)
        reached = sum(place.reached for file in members for place in file.places)
        if percent(reached, reached + missed) < LEAST_PERCENT:
            yield f"{layer}: {percent(reached, reached + missed):.1f} % of its error places reached, {LEAST_PERCENT:g} % wanted"


def check(export_path, reasons_path, root):
    files = list(read_files(json.loads(export_path.read_text()), root))
    if not files:
        sys.exit(f"check_coverage: {export_path} knows no file below {root}")
    reasons = read_reasons(reasons_path) if reasons_path else []
    unexplained = explain(files, reasons)
    faults = list(low_layers(report(files, unexplained), unexplained))
    faults += [
        f"{reasons_path}:{r.number}: no missed place of {r.file} has '{r.part}'; remove the line" for r in reasons if not r.used
    ]
    for fault in faults:
        print(f"fault: {fault}")
    return 1 if faults else 0


SAMPLE = """\
// throw in a comment
#define THROW throw 1
[[noreturn]] void give_up(int x) { throw x; }
const char* kText = "throw";
int f(int x) {
  if (x == 1) throw 1;
  if (x == 2) give_up(x);
  try { g(); } catch (int) { return 0; }
  return x;
}
"""


def self_test():
    code = code_of(SAMPLE)
    assert len(code) == len(SAMPLE) and "comment" not in code and "THROW" not in code
    never_returns = functions_that_never_return([SAMPLE])
    assert never_returns == {"give_up"}, never_returns
    found = [SAMPLE[at:].split()[0] for at in error_offsets(code, never_returns)]
    assert found == ["throw", "throw", "give_up(x);", "{"], found

    # Line 6 runs but its throw does not; line 7 and its call do; the handler does not.
    segments = [
        [3, 34, 1, True, True, False],
        [3, 46, 0, False, False, False],
        [5, 14, 9, True, True, False],
        [6, 15, 0, True, True, False],
        [6, 22, 9, True, False, False],
        [7, 15, 1, True, True, False],
        [7, 25, 9, True, False, False],
        [8, 28, 0, True, True, False],
        [8, 41, 9, True, False, False],
        [10, 2, 0, False, False, False],
    ]
    places = list(places_of(SAMPLE, segments, never_returns))
    assert [(place.line, place.reached) for place in places] == [(3, True), (6, False), (7, True), (8, False)], places

    file = File("lib/base/sample.cpp", 5, 5, places)
    assert file.layer == "base" and File("include/anycl/device/x.hpp", 0, 0, []).layer == "device"
    reasons = [Reason(1, file.name, "throw 1", "why"), Reason(2, file.name, "give_up", "reached, so of no use")]
    unexplained = explain([file], reasons)
    assert [place.line for _, place in unexplained] == [8] and [r.used for r in reasons] == [True, False]
    assert list(low_layers({"base": [file]}, unexplained)) == ["base: 66.7 % of its error places reached, 95 % wanted"]
    assert not list(low_layers({"base": [file]}, []))
    print("self-test passed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("export", type=pathlib.Path, nargs="?")
    parser.add_argument("--reasons", type=pathlib.Path)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    if not arguments.export:
        parser.error("which export?")
    return check(arguments.export, arguments.reasons, arguments.root.resolve())


if __name__ == "__main__":
    sys.exit(main())
