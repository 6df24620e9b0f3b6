#!/usr/bin/env python3
"""Cases from the field (tests/cases.txt): which test shows each of them, on which driver, with what result.

usage: cases.py --check                   every case is named by a test or waits; tests/cases.md lists the tests there are
       cases.py --results FOLDER [FILE]   writes the table FILE, or tests/cases.md, from the results in FOLDER
       cases.py --run SCRIPT -- COMMAND   runs COMMAND and notes its end for the cases that SCRIPT names
       cases.py --self-test

A Catch2 test names a case in its name or its tags, "[OCL-006]", a script in a line "# Cases: OCL-006 OCL-007".
Results are lines "id TAB test TAB driver TAB pass|fail|skip" in the file `results` of the folder that the environment
variable ANYCL_CASE_RESULTS names; test programs write them too (support/case_results.cpp).
Exit code 0: fine, 1: complaints, 2: bad usage; of --run: that of the command.
"""

import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent
ROOT = TESTS.parent
AREAS = (
    "devices",
    "kernel cache and build service",
    "memory",
    "graph",
    "co-execution",
    "algorithms",
    "images",
    "reports",
    "python",
)
CASE = re.compile(r"\bOCL-\d{3}\b")
LITERAL = r'"(?:\\.|[^"\\])*"'
TEST_CASE = re.compile(rf"\bTEST_CASE\(\s*((?:{LITERAL}\s*)+),\s*({LITERAL})\s*\)")
SKIPPED = 77


class Case:
    """One line of cases.txt: id | what must hold [| waits: area, area [- what remains]]."""

    def __init__(self, line):
        self.id, self.claim, *rest = (part.strip() for part in line.split("|"))
        waits, _, self.remains = (rest[0] if rest else "").partition(" - ")
        self.areas = [area.strip() for area in waits.removeprefix("waits:").split(",") if area.strip()]
        well_formed = CASE.fullmatch(self.id) and self.claim and len(rest) < 2
        self.fault = "" if well_formed and set(self.areas) <= set(AREAS) else f"cases.txt: cannot read '{line}'"


def read_cases(text):
    """({id: Case}, complaints)"""
    cases, complaints = {}, []
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line.count("|") not in (1, 2):
            complaints.append(f"cases.txt: cannot read '{line}'")
            continue
        case = Case(line)
        if case.fault:
            complaints.append(case.fault)
        elif case.id in cases:
            complaints.append(f"cases.txt: {case.id} stands there twice")
        cases[case.id] = case
    return cases, complaints


def noun_of(path):
    """tests/context/test_close.cpp -> context.close"""
    return f"{path.parent.name}.{path.stem.removeprefix('test_')}"


def without_ids(name):
    return " ".join(re.sub(r"\[OCL-\d{3}\]", " ", name).split())


def named_in_program(path, text):
    """{id: [test]} and complaints for a Catch2 source."""
    named, complaints = collections.defaultdict(list), []
    for match in TEST_CASE.finditer(text):
        name = "".join(part[1:-1] for part in re.findall(LITERAL, match.group(1))).replace('\\"', '"')
        ids = sorted(set(CASE.findall(match.group())))
        if ids and "[." in match.group(2):
            complaints.append(f"{path.name}: '{name}' is hidden: what it shows is for the test that runs it to name")
        for case in ids:
            named[case].append(f"{noun_of(path)}: {without_ids(name)}")
    for case in CASE.findall(TEST_CASE.sub("", text)):
        complaints.append(f"{path.name}: {case} stands outside of a TEST_CASE's name and tags")
    return named, complaints


def ids_of_script(text):
    line = re.search(r"^# Cases: (.*)$", text, re.M)
    return CASE.findall(line.group(1)) if line else []


def named_in_script(path, text):
    ids = ids_of_script(text)
    known = [f"{path.name}: {case} is not in the line '# Cases:'" for case in CASE.findall(text) if case not in ids]
    return {case: [noun_of(path)] for case in ids}, known


def read_tests(root):
    """({id: [test, ...]}, complaints) from all sources of tests below `root`."""
    tests, complaints = collections.defaultdict(list), []
    own = TESTS / "cases.py"
    for folder in (root / "tests", root / "tools" / "dev"):
        for path in sorted(folder.rglob("*")):
            if path.suffix not in (".cpp", ".py", ".sh") or path == own:
                continue
            read = named_in_program if path.suffix == ".cpp" else named_in_script
            named, found = read(path, path.read_text())
            complaints += found
            for case, names in named.items():
                tests[case] += names
    return tests, complaints


def read_results(text):
    """{(id, test): {driver: result}}; of several runs on one driver a failure counts most, then a pass."""
    order = ["skip", "pass", "fail"]
    results = collections.defaultdict(dict)
    for line in text.splitlines():
        case, test, driver, result = line.split("\t")
        before = results[case, test].get(driver, "skip")
        results[case, test][driver] = max(before, result, key=order.index)
    return results


def describe(by_driver):
    """pass: intel, pocl; skip: stub"""
    drivers = collections.defaultdict(list)
    for driver, result in sorted(by_driver.items()):
        drivers[result].append("no driver" if driver == "-" else driver)
    return "; ".join(f"{result}: {', '.join(names)}" for result, names in sorted(drivers.items())) or "not run"


HEADER = """# Cases from the field
Faults that users of OpenCL programs have met, and the tests that show they cannot happen here. `tests/cases.py` makes this
file from `tests/cases.txt` and the results of a test run; do not edit it.
"""


def cell(text):
    return text.replace("|", "\\|")


def write_table(cases, tests, results):
    lines = [HEADER, "| id | what must hold | shown by | result |", "|---|---|---|---|"]
    for case in cases.values():
        begin = [case.id, case.claim]
        for test in tests.get(case.id, []):
            result = describe(results.get((case.id, test), {}))
            lines.append("| " + " | ".join(map(cell, [*begin, test, result])) + " |")
            begin = ["", ""]
    lines += ["", "## Waiting", "In whole, or for the part of it that is named.", ""]
    lines += ["| id | what must hold | waits for |", "|---|---|---|"]
    for case in cases.values():
        if case.areas:
            remains = f": {case.remains}" if case.remains else ""
            lines.append(f"| {case.id} | {cell(case.claim)} | {', '.join(case.areas)}{cell(remains)} |")
    return "\n".join(lines) + "\n"


def listed_tests(table):
    """{(id, test)} of a table that was written before."""
    listed, case = set(), ""
    for line in table.split("## Waiting")[0].splitlines():
        cells = [text.strip().replace("\\|", "|") for text in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 4 and (cells[0] or case) and cells[0] not in ("id", "---"):
            case = cells[0] or case
            listed.add((case, cells[2]))
    return listed


def complaints_about(cases, tests, table):
    complaints = [
        f"{case.id}: no test names it, and it does not wait"
        for case in cases.values()
        if not case.areas and case.id not in tests
    ]
    unknown = [(case, names[0]) for case, names in tests.items() if case not in cases]
    complaints += [f"{case}: named by '{name}', but not in cases.txt" for case, name in unknown]
    there = {(case, name) for case, names in tests.items() for name in names if case in cases}
    listed = listed_tests(table)
    complaints += [f"cases.md lacks {case} '{name}'" for case, name in sorted(there - listed)]
    complaints += [f"cases.md lists {case} '{name}', which is gone" for case, name in sorted(listed - there)]
    if there != listed:
        complaints.append("cases.md is old: run ./scripts/test, or tests/cases.py --results build/test/case-results")
    return complaints


def check():
    cases, complaints = read_cases((TESTS / "cases.txt").read_text())
    tests, found = read_tests(ROOT)
    table = TESTS / "cases.md"
    complaints += found + complaints_about(cases, tests, table.read_text() if table.exists() else "")
    for complaint in complaints:
        print(complaint)
    print(f"cases: {len(cases)}, {len(tests)} tested at least in part, {len(complaints)} complaints")
    return 1 if complaints else 0


def write_results(folder, target):
    notes = folder / "results"
    results = read_results(notes.read_text() if notes.exists() else "")
    cases, _ = read_cases((TESTS / "cases.txt").read_text())
    tests, _ = read_tests(ROOT)
    table = write_table(cases, tests, results)
    if not target.exists() or target.read_text() != table:
        target.write_text(table)
    failed = sorted({case for (case, _), by_driver in results.items() if "fail" in by_driver.values()})
    print(f"cases: {len(cases)}, {len(tests)} tested at least in part{'; failed: ' if failed else ''}{', '.join(failed)}")
    return 0


def note(ids, test, code):
    folder = os.environ.get("ANYCL_CASE_RESULTS")
    if not folder:
        return
    result = {0: "pass", SKIPPED: "skip"}.get(code, "fail")
    driver = os.environ.get("ANYCL_TEST_DRIVER", "-")
    os.makedirs(folder, exist_ok=True)
    with open(pathlib.Path(folder, "results"), "a") as file:
        file.write("".join(f"{case}\t{test}\t{driver}\t{result}\n" for case in ids))


def run(script, command):
    code = subprocess.run(command).returncode
    code = code if code >= 0 else 128 - code  # as a shell tells of a signal
    note(ids_of_script(script.read_text()), noun_of(script), code)
    return code


def self_test():
    failures = []

    def expect(got, wanted):
        if got != wanted:
            failures.append(f"{got!r} instead of {wanted!r}")

    cases, faults = read_cases(
        "# remark\n\nOCL-001 | one\nOCL-002 | two | waits: memory, graph - the rest\nOCL-003 | three\n"
        "OCL-003 | again\nOCL-4 | four\nOCL-005 | five | waits: godot\nOCL-006\n"
    )
    expect(len(faults), 4)
    expect((cases["OCL-002"].areas, cases["OCL-002"].remains), (["memory", "graph"], "the rest"))
    cases = {case: cases[case] for case in ("OCL-001", "OCL-002", "OCL-003")}

    source = (
        'TEST_CASE("it is \\"right\\" "\n  "always [OCL-001] [OCL-009]",\n  "[a][b]") {}\n'
        'TEST_CASE("that|holds", "[a][OCL-001]") {}\nTEST_CASE("plain", "[a]") {}\n'
    )
    tests, faults = named_in_program(pathlib.Path("tests/context/test_close.cpp"), source)
    first, second = 'context.close: it is "right" always', "context.close: that|holds"
    expect((dict(tests), faults), ({"OCL-001": [first, second], "OCL-009": [first]}, []))
    for wrong in ('// as OCL-001 says', 'TEST_CASE("child", "[.][OCL-001]") {}'):
        expect(len(named_in_program(pathlib.Path("a/b.cpp"), wrong)[1]), 1)
    script = pathlib.Path("tests/tools/test_devices.py")
    by_script = {"OCL-002": ["tools.devices"], "OCL-003": ["tools.devices"]}
    expect(named_in_script(script, "# Cases: OCL-002 OCL-003\n"), (by_script, []))
    expect(len(named_in_script(script, "# OCL-002\n")[1]), 1)

    ends = ("pocl\tpass", "pocl\tskip", "intel\tpass", "intel\tfail", "-\tskip")
    results = read_results("".join(f"OCL-001\t{first}\t{end}\n" for end in ends))
    expect(describe(results["OCL-001", first]), "fail: intel; pass: pocl; skip: no driver")
    table = write_table(cases, tests, results)
    expect(listed_tests(table), {("OCL-001", first), ("OCL-001", second)})
    expect(f"| OCL-001 | one | {first} | fail: intel; pass: pocl; skip: no driver |" in table, True)
    expect("| OCL-002 | two | memory, graph: the rest |" in table, True)

    expect(len(complaints_about(cases, tests, table)), 2)  # 003 has no test, 009 is unknown
    renamed = {"OCL-001": ["context.close: new", second], "OCL-003": []}
    expect(len(complaints_about(cases, renamed, table)), 3)  # one new, one gone, so the table is old

    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder, "test_it.py")
        script.write_text("# Cases: OCL-001\n")
        os.environ.update(ANYCL_CASE_RESULTS=folder, ANYCL_TEST_DRIVER="pocl")
        for code in (0, 3, SKIPPED):
            expect(run(script, ["sh", "-c", f"exit {code}"]), code)
        noted = pathlib.Path(folder, "results").read_text().splitlines()
        expect([line.split("\t")[3] for line in noted], ["pass", "fail", "skip"])

    for failure in failures:
        print(f"cases: self-test: {failure}")
    return 1 if failures else 0


def main(arguments):
    if arguments == ["--check"]:
        return check()
    if arguments == ["--self-test"]:
        return self_test()
    if arguments[:1] == ["--results"] and len(arguments) in (2, 3):
        target = arguments[2] if len(arguments) == 3 else TESTS / "cases.md"
        return write_results(pathlib.Path(arguments[1]), pathlib.Path(target))
    if arguments[:1] == ["--run"] and arguments[2:3] == ["--"] and len(arguments) > 3:
        return run(pathlib.Path(arguments[1]), arguments[3:])
    usage = "cases.py --check | --results FOLDER [FILE] | --run SCRIPT -- COMMAND... | --self-test"
    print(f"cases: usage: {usage}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
