#!/usr/bin/env python3
"""Checks that leaks are forgiven to the OpenCL loader and to named drivers alone, as whole libraries out of the list
below. Anything else that leaks is ours.

usage: check_suppressions.py FILE | --self-test
"""
# Cases: OCL-185

import pathlib
import sys

FOREIGN = {
    "libOpenCL.so": "the loader",
    "libpocl.so": "PoCL",
    "libRusticlOpenCL": "Mesa",
    "libMesaOpenCL": "Mesa",
    "libintelocl": "Intel's CPU runtime",
    "libcommon_clang": "Intel's compiler",
    "libtbb": "threads of Intel's CPU runtime",
    "libLLVM": "the compiler of PoCL and Mesa",
    "libclang-cpp": "the compiler of PoCL and Mesa",
}


def complaints_about(text):
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    foreign = [f"leak:{library}" for library in FOREIGN]
    wrong = [f"'{line}' is none of {', '.join(foreign)}" for line in lines if line not in foreign]
    return wrong + [f"'{line}' stands there twice" for line in sorted(set(lines)) if lines.count(line) > 1]


def self_test():
    good = "# why\nleak:libpocl.so\n\nleak:libtbb\n"
    wrong = ["leak:anycl", "leak:lib", "leak:libpocl", "libpocl.so", "leak:libtbb", "leak:*", "leak:clBuildProgram"]
    failures = [f"the good file: {complaints_about(good)}"] if complaints_about(good) else []
    failures += [f"'{line}' passed" for line in wrong if not complaints_about(good + line)]
    for failure in failures:
        print(f"check_suppressions: self-test: {failure}")
    return 1 if failures else 0


def main(arguments):
    if len(arguments) != 1:
        print("usage: check_suppressions.py FILE | --self-test", file=sys.stderr)
        return 2
    if arguments == ["--self-test"]:
        return self_test()
    complaints = complaints_about(pathlib.Path(arguments[0]).read_text())
    print("\n".join([*complaints, f"check_suppressions: {len(complaints)} complaints"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
