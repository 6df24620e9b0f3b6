#!/usr/bin/env python3
"""Runs every kernel of cl_kernels/ under Oclgrind and fails on any finding.

usage: gate.py SETTING PROGRAM       one of the settings below; PROGRAM is tests_oclgrind
       gate.py --self-test PROGRAM   kernels that are wrong on purpose must be found out
Exit code 0: clean, 1: findings, 2: bad usage, 77: skipped, as Oclgrind is not installed.
"""
# Cases: OCL-058 OCL-110 OCL-127 OCL-134 OCL-154 OCL-155

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
KERNELS = ROOT / "cl_kernels"
sys.path.insert(0, str(ROOT / "tools" / "dev"))
from lint_kernels import define_sets, header_fields, without_comments  # noqa: E402

CHECKS = "--check-api --data-races --num-threads 1".split()
SETTINGS = {
    "default": [],
    # Optimised code makes Oclgrind 21.10 fail here: the optimiser leaves undefined lanes in vector shuffles, and the check
    # takes their mask, -1, for a position (Uninitialized.cpp, case ShuffleVector). So without it, and with vectors of three
    # left as they are.
    "uninitialized": ["--uninitialized", "--build-options", "-cl-opt-disable -fpreserve-vec3-type"],
    "wgsize1": ["--max-wgsize", "1"],
    "wgsize2": ["--max-wgsize", "2"],
    "wgsize32": ["--max-wgsize", "32"],
    "localmem1024": ["--local-mem-size", "1024"],
    "program": [],
}
# Tests of every build take their time; limits are no matter of builds.
EVERY_BUILD = ["default", "uninitialized"]
SKIPPED = 77
TIME_LIMIT_S = 580


class Run:
    """One program under Oclgrind: what it launched, what it printed, what Oclgrind found."""

    def __init__(self, setting, program, arguments=(), environment=None):
        with tempfile.TemporaryDirectory(prefix="oclgrind ") as folder:
            launches = pathlib.Path(folder, "launches")
            variables = {
                "ANYCL_TEST_DRIVER": "oclgrind",
                "ANYCL_DEVICES": "oclgrind",
                "ANYCL_LAUNCH_LOG": str(launches),
                "ANYCL_CACHE_DIR": folder,
            }
            # Findings come on stderr. Not by --log: each context would begin that file anew.
            done = subprocess.run(
                ["oclgrind", *CHECKS, *SETTINGS[setting], str(program), *arguments],
                env=os.environ | variables | (environment or {}),
                capture_output=True,
                text=True,
                timeout=TIME_LIMIT_S,
            )
            self.code, self.output = done.returncode, done.stdout
            self.findings = findings_in(done.stderr)
            self.launches = launches.read_text().splitlines() if launches.exists() else []


def findings_in(log):
    """The log, cut where a line that is not indented follows a blank one; each finding on one line."""
    parts = re.split(r"\n\s*\n(?=\S)", "\n\n" + log)
    return [" ".join(part.split()) for part in parts if part.strip()]


class FalseAlarms:
    """The entries of false_alarms.txt for one setting."""

    def __init__(self, text, setting):
        self.patterns, self.faults, reason = [], [], False
        for number, line in enumerate(text.splitlines(), 1):
            words = line.split(maxsplit=1)
            if line.startswith("#") or not words:
                reason = line.startswith("#")
            elif len(words) != 2 or words[0] not in SETTINGS or not reason:
                self.faults.append(f"false_alarms.txt:{number}: not 'SETTING PATTERN' below a comment with the reason")
            elif words[0] == setting:
                self.patterns.append(re.compile(words[1]))
        self.unused = set(self.patterns)

    def explain(self, finding):
        matching = {pattern for pattern in self.patterns if pattern.search(finding)}
        self.unused -= matching
        return bool(matching)


def wanted_launches(root, every_build):
    """(file, kernel, defines) for each kernel below `root`, and if asked so for each build that its header promises."""
    wanted = []
    for path in sorted(root.rglob("*.cl")):
        text = path.read_text()
        names = re.findall(r"\bkernel\b[^;{]*?\bvoid\s+(\w+)\s*\(", without_comments(text))
        builds = define_sets((header_fields(text) or {}).get("Build", "")) if every_build else [[]]
        for defines in builds:
            wanted += [(str(path.relative_to(root)), name, {text.removeprefix("-D") for text in defines}) for name in names]
    return wanted


def missing_launches(root, launches, every_build):
    """The wanted launches that never happened. A launch may have more defines than the header promises."""
    seen = [(file, name, set(defines)) for file, name, *defines in map(str.split, launches)]
    return [
        f"{file}: kernel {name} was never launched{' with ' * bool(defines)}{' '.join(sorted(defines))}"
        for file, name, defines in wanted_launches(root, every_build)
        if not any((file, name) == launch[:2] and defines <= launch[2] for launch in seen)
    ]


def complaints_about(run, alarms):
    """Everything that is wrong with a run, a line each."""
    complaints = alarms.faults + [f"found: {finding}" for finding in run.findings if not alarms.explain(finding)]
    complaints += [f"false_alarms.txt: '{pattern.pattern}' matches nothing any more" for pattern in alarms.unused]
    if run.code != 0:
        complaints.append(f"exit code {run.code}: {run.output.strip()[-3000:]}")
    return complaints


def gate(setting, program):
    every_build = setting in EVERY_BUILD
    tests = [] if setting == "program" else ["[oclgrind]" if every_build else "[limits]"]
    run = Run(setting, program, tests)
    complaints = complaints_about(run, FalseAlarms((HERE / "false_alarms.txt").read_text(), setting))
    if setting != "program":
        complaints += missing_launches(KERNELS, run.launches, every_build)
    for complaint in complaints[:50]:
        print(complaint)
    print(f"oclgrind {setting}: {len(run.launches)} builds launched, {len(complaints)} findings")
    return 1 if complaints else 0


def self_test(program):
    failures = []

    def expect(truth, what):
        if not truth:
            failures.append(what)

    for kernel in sorted((HERE / "bad").glob("*.cl")):
        wanted = re.match(r"// Finding  (.*)", kernel.read_text()).group(1)
        setting = "uninitialized" if kernel.stem == "uninitialized" else "localmem1024"
        run = Run(setting, program, ["[bad]"], {"ANYCL_BAD_KERNEL": str(kernel)})
        complaints = complaints_about(run, FalseAlarms("", setting))
        expect(any(wanted in complaint for complaint in complaints), f"{kernel.name}: '{wanted}' not in {complaints}")
        if run.findings:
            silenced = complaints_about(run, FalseAlarms(f"# known\n{setting} .", setting))
            expect(not any("found:" in complaint for complaint in silenced), f"{kernel.name}: {silenced}")

    alarms = FalseAlarms("default no reason\n\n# reason\ndefault never\nother x", "default")
    expect(len(alarms.faults) == 2, f"faults of false alarms: {alarms.faults}")
    expect(not alarms.explain("something else") and len(alarms.unused) == 1, "an unused false alarm passed")

    launches = ["a.cl one T=int N=1", "a.cl two T=int N=1", "a.cl one T=float N=1"]
    with tempfile.TemporaryDirectory() as folder:
        source = "// Build    -D T=int|float\nkernel void one() {}\nkernel __attribute__((x(1, 1))) void two() {}\n"
        pathlib.Path(folder, "a.cl").write_text(source)
        missing = missing_launches(pathlib.Path(folder), launches, every_build=True)
        expect(missing == ["a.cl: kernel two was never launched with T=float"], f"missing builds: {missing}")
        missing = missing_launches(pathlib.Path(folder), launches[:1], every_build=False)
        expect(missing == ["a.cl: kernel two was never launched"], f"missing kernels: {missing}")

    for failure in failures:
        print(f"gate: self-test: {failure}")
    return 1 if failures else 0


def main(arguments):
    if len(arguments) != 2 or arguments[0] not in [*SETTINGS, "--self-test"]:
        print(f"gate: usage: gate.py {'|'.join(SETTINGS)}|--self-test PROGRAM", file=sys.stderr)
        return 2
    if shutil.which("oclgrind") is None:
        print("skipped: Oclgrind is not installed; run ./scripts/test")
        return SKIPPED
    setting, program = arguments
    return self_test(program) if setting == "--self-test" else gate(setting, program)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
