#!/usr/bin/env python3
"""Checks the kernels in cl_kernels: they compile with every documented define, and keep the house rules.

usage: lint_kernels.py [--self-test] [FOLDER]      (default: cl_kernels beside tools/)
Exit code 0: clean, 1: findings, 77: skipped, as no clang is installed.
"""
# Cases: OCL-107 OCL-146 OCL-155

import concurrent.futures
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CLANGS = ("clang-14", "clang", "clang-15", "clang-16", "clang-17", "clang-18", "clang-19")
# Without any extension: a constant that is a double by oversight is then a warning.
FLAGS = (
    "-x cl -cl-std=CL1.2 -Xclang -cl-ext=-all -Xclang -finclude-default-header -fsyntax-only -Wall -Wextra -Werror"
).split()

# Header lines in the order in which they stand; those marked True every kernel file has.
HEADER = {"Build": True, "NDRange": True, "Loops": True, "Memory": True, "Order": True, "Needs": True, "Error": False, "Source": False}

FORBIDDEN = {
    r"\bgoto\b": "goto: drivers disagree on irregular flow",
    r"\bprintf\b": "printf: a leftover of debugging",
    r"\b(nvidia|cuda|amd|radeon|intel|pocl|mesa|rusticl|llvmpipe|mali|adreno)\b": "a vendor's name: tuning comes in by -D",
    r"\b(double|half)\d*\b": "a type that OpenCL C 1.2 leaves optional",
    r"\b(native|half)_\w+\s*\(": "a built-in function without an error bound",
}


def without_comments(text):
    """The text with comments and strings blanked, line breaks kept."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group())
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def header_fields(text):
    """{"Build": "-D ...", ...} of the comment block that begins the file; None when there is no such block."""
    block = re.match(r"(?://[^\n]*\n)+", text)
    if block is None:
        return None
    fields, current = {}, None
    for line in block.group().splitlines():
        named = re.match(r"// ([A-Z]\w*) {2,}(.*)", line)
        if named:
            current = named.group(1)
            fields[current] = named.group(2)
        elif line.startswith("//  ") and current:
            fields[current] += " " + line[2:].strip()
        else:
            current = None
    return fields


def define_sets(build):
    """All combinations of `-D NAME=a|b`; a name alone is defined and not defined by turns."""
    options = []
    for name, values in re.findall(r"-D\s*(\w+)(?:=([^\s(]+))?", build):
        options.append([f"-D{name}={value}" for value in values.split("|")] if values else [f"-D{name}", None])
    return [[define for define in chosen if define] for chosen in itertools.product(*options)]


def divergent_barriers(code):
    """Line numbers of barriers that some work-items of a group may miss, as far as the text alone shows it."""
    found = []
    scopes = []  # one entry per open brace: does its condition differ between work-items, can work-items have left?
    varying = set()
    for number, line in enumerate(code.splitlines(), 1):
        assigned = re.search(r"\b(\w+)\s*=[^=](.*)", line)
        if assigned and differs(assigned.group(2), varying):
            varying.add(assigned.group(1))
        condition = re.search(r"\b(?:if|while|for|switch)\s*\((.*)", line)
        here = bool(condition) and differs(condition.group(1), varying)
        if re.search(r"\breturn\b", line) and (here or any(scope["differs"] for scope in scopes)) and scopes:
            scopes[0]["left"] = True
        if re.search(r"\bbarrier\s*\(", line) and scopes:
            if here or scopes[0]["left"] or any(scope["differs"] for scope in scopes):
                found.append(number)
        for brace in re.findall(r"[{}]", line):
            if brace == "{":
                scopes.append({"differs": here or ("else" in line and was_different), "left": False})
            elif scopes:
                was_different = scopes.pop()["differs"]
                if not scopes:
                    varying.clear()
    return found


def differs(expression, varying):
    """True when the value may differ between the work-items of one group."""
    if re.search(r"\bget_(local|global)_id\b|\bget_(local|global)_linear_id\b", expression):
        return True
    return any(re.search(rf"\b{re.escape(name)}\b", expression) for name in varying)


KERNEL = re.compile(r"\bkernel\b[^;{]*?\bvoid\s+(\w+)\s*\(([^)]*)\)")
QUALIFIER = re.compile(r"const|volatile|private|unsigned|signed")
PLAIN_TYPE = re.compile(r"(u?(char|short|int|long)|float)(2|3|4|8|16)?|[A-Z][A-Z0-9_]*")  # or a macro from -D


def structs_by_value(code):
    """(line number, text) of kernel parameters that are neither pointers, nor numbers or vectors of them."""
    found = []
    for kernel in KERNEL.finditer(code):
        line = code.count("\n", 0, kernel.start()) + 1
        for parameter in filter(str.strip, kernel.group(2).split(",")):
            type_words = [word for word in parameter.split()[:-1] if not QUALIFIER.fullmatch(word)]
            if "*" not in parameter and not all(map(PLAIN_TYPE.fullmatch, type_words)):
                found.append((line, " ".join(parameter.split())))
    return found


def check_text(path, text):
    """Findings that need no compiler."""
    findings = []
    fields = header_fields(text)
    if fields is None:
        findings.append(f"{path}:1: no comment on top that says what the file is for")
    elif path.suffix == ".cl":
        missing = [name for name, required in HEADER.items() if required and name not in fields]
        if missing:
            findings.append(f"{path}:1: header lacks {', '.join(missing)}")

    code = without_comments(text)
    for number, line in enumerate(code.splitlines(), 1):
        for pattern, reason in FORBIDDEN.items():
            if re.search(pattern, line, re.I):
                findings.append(f"{path}:{number}: {reason}")
    if re.search(r"\bfloat\d*\b", code) and path.suffix == ".cl" and "#pragma OPENCL FP_CONTRACT OFF" not in text:
        if re.search(r"\bfloat\d*\b[^;]*=[^;]*[-+*/]", code):
            findings.append(f"{path}:1: float arithmetic without '#pragma OPENCL FP_CONTRACT OFF'")
    for number in divergent_barriers(code):
        findings.append(f"{path}:{number}: barrier that some work-items may not reach")
    for number, parameter in structs_by_value(code):
        findings.append(f"{path}:{number}: '{parameter}': structs have another layout on every device; pass numbers")
    return findings


def compile_findings(clang, root, path, defines):
    command = [clang, *FLAGS, f"-I{root}", *defines, *([str(path)] if path.suffix == ".cl" else ["-include", str(path), os.devnull])]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode == 0:
        return []
    first = next((line for line in result.stderr.splitlines() if "error" in line), result.stderr.strip()[:200])
    return [f"{first} [{' '.join(defines)}]"]


def lint(clang, root):
    findings = []
    jobs = []
    files = sorted(path for path in root.rglob("*") if path.suffix in (".cl", ".clh"))
    for path in files:
        text = path.read_text()
        findings += check_text(path, text)
        if path.suffix == ".cl" or path.parent == root / "anycl":  # those are for users: each compiles alone
            jobs += [(path, defines) for defines in define_sets((header_fields(text) or {}).get("Build", ""))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lambda job: compile_findings(clang, root, *job), jobs):
            findings += found
    return findings, len(files), len(jobs)


GOOD = """// Sums.
// Build    -D T=float|int -D WG=64 (power of two)
// NDRange  1-D
// Loops    1
// Memory   none
// Order    fixed
// Needs    OpenCL C 1.2
#pragma OPENCL FP_CONTRACT OFF
kernel void sum(global T* dst, const uint n) {
    local T scratch[WG];
    const size_t lid = get_local_id(0);
    scratch[lid % WG] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < n) dst[lid] = scratch[lid % WG];
}
"""

BAD = {
    "header lacks": GOOD.replace("// Loops    1\n", ""),
    "no comment": GOOD[GOOD.index("#pragma"):],
    "printf": GOOD.replace("    barrier", '    printf("here");\n    barrier'),
    "goto": GOOD.replace("    barrier", "again:\n    if (n > 5) goto again;\n    barrier"),
    "vendor": GOOD.replace("    barrier", "#ifdef NVIDIA\n#endif\n    barrier"),
    "may not reach": GOOD.replace("    barrier", "    if (lid >= n) return;\n    barrier"),
    "barrier that": GOOD.replace("    barrier(CLK_LOCAL_MEM_FENCE);", "    if (lid < 5) {\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }"),
    "unused variable": GOOD.replace("    barrier", "    int unused;\n    barrier"),
    "double precision": GOOD.replace("scratch[lid % WG] = 1;", "scratch[lid % WG] = (T)(1.5 + (T)lid);"),
    "another layout": GOOD.replace("const uint n)", "const struct pair { int a; } p, const uint n)"),
    "undeclared": GOOD.replace("% WG]", "% SIZE]"),
    "[-DT=int": GOOD.replace("    barrier", "    const T third = 1 / (T)0.5f; dst = dst + third;\n    barrier"),
}


def self_test(clang):
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        kernel = root / "sum.cl"
        kernel.write_text(GOOD)
        findings, files, variants = lint(clang, root)
        if findings or (files, variants) != (1, 2):
            failures.append(f"the good kernel: {findings}, {files} files, {variants} variants")
        for expected, text in BAD.items():
            if text == GOOD:
                failures.append(f"'{expected}': the example is not bad")
            kernel.write_text(text)
            findings = lint(clang, root)[0]
            if not any(expected in finding for finding in findings):
                failures.append(f"'{expected}' not found, but {findings}")
    for failure in failures:
        print(f"lint_kernels: self-test: {failure}", file=sys.stderr)
    return 1 if failures else 0


def main(arguments):
    clang = next(filter(None, map(shutil.which, CLANGS)), None)
    if clang is None:
        print("skipped: no clang to check kernels with; install clang-14")
        return 77
    if arguments[:1] == ["--self-test"]:
        return self_test(clang)
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).resolve().parents[2] / "cl_kernels")
    if not root.is_dir():
        print(f"lint_kernels: {root} is no folder", file=sys.stderr)
        return 1
    findings, files, variants = lint(clang, root)
    for finding in findings:
        print(finding)
    print(f"lint_kernels: {files} files, {variants} variants, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
