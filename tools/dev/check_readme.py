#!/usr/bin/env python3
"""Checks that README.md shows code that runs: each ```cpp block is cut from a program of examples/.

In the README a comment before the block names it:   <!-- example: NAME -->
In the example two comments enclose the same lines:  // [readme:NAME] ... // [/readme]
Leading blanks that all lines of a part share do not count; parts of one name in one file are joined.
A ```cmake block is checked in the same way against tests/consumer/CMakeLists.txt, with # in place of //.

usage: check_readme.py [FOLDER] | --self-test
"""

import pathlib
import re
import sys
import textwrap

BLOCK = re.compile(r"^```(cpp|c\+\+|cmake)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
LABEL = re.compile(r"<!-- example: ([\w-]+) -->\s*\Z")
SNIPPET = re.compile(r"^[ \t]*(?://|#) \[readme:([\w-]+)\]\n(.*?)^[ \t]*(?://|#) \[/readme\]", re.MULTILINE | re.DOTALL)
OPENER = re.compile(r"\[readme:")


def snippets_of(sources):
    """name -> text, from {file name: text}; and a line per thing that is wrong."""
    snippets = {}
    problems = []
    for file, text in sources.items():
        found = SNIPPET.findall(text)
        if len(found) != len(OPENER.findall(text)):
            problems.append(f"{file}: a [readme:NAME] without its [/readme]")
        own = {}
        for name, body in found:
            own[name] = own.get(name, "") + textwrap.dedent(body)
        problems += [f"{file}: a second [readme:{name}]" for name in own if name in snippets]
        snippets.update(own)
    return snippets, problems


def check(readme, sources):
    snippets, problems = snippets_of(sources)
    blocks = 0
    for block in BLOCK.finditer(readme):
        blocks += 1
        line = readme.count("\n", 0, block.start()) + 1
        label = LABEL.search(readme, 0, block.start())
        if label is None:
            problems.append(f"README.md:{line}: code without <!-- example: NAME --> before it")
        elif label.group(1) not in snippets:
            problems.append(f"README.md:{line}: no [readme:{label.group(1)}] in examples/")
        elif block.group(2) != snippets[label.group(1)]:
            problems.append(f"README.md:{line}: differs from [readme:{label.group(1)}] in examples/")
    return blocks, problems


def self_test():
    example = {"a.cpp": "int main() {\n  // [readme:one]\n  int x = 1;\n    f(x);\n  // [/readme]\n}\n"}
    shown = "<!-- example: one -->\n```cpp\nint x = 1;\n  f(x);\n```\n"
    cases = [
        (shown, example, None),
        (shown.replace("x = 1", "x = 2"), example, "differs"),
        (shown.replace("one", "two"), example, "no [readme:two]"),
        ("text\n```cpp\nint x;\n```\n", example, "without <!-- example"),
        ("", {"a.cpp": "// [readme:one]\n"}, "without its [/readme]"),
        ("", {"a.cpp": example["a.cpp"], "b.cpp": example["a.cpp"]}, "a second"),
        ("<!-- example: p -->\n```cmake\na()\nb()\n```\n", {"c": "# [readme:p]\na()\n# [/readme]\n" * 2}, "differs"),
        ("```sh\n./scripts/demo\n```\n", {}, None),
    ]
    failures = 0
    for number, (readme, sources, want) in enumerate(cases, start=1):
        _, problems = check(readme, sources)
        right = len(problems) == 1 and want in problems[0] if want else not problems
        if not right:
            failures += 1
            print(f"case {number}: wanted {want or 'no complaint'}, got {problems or 'none'}")
    print(f"check_readme self-test: {failures} wrong answers")
    return failures


def main(arguments):
    if arguments == ["--self-test"]:
        return 1 if self_test() else 0
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parents[2]
    if not (root / "README.md").is_file():
        print(f"{root}/README.md does not exist")
        return 1
    files = sorted((root / "examples").glob("*.cpp")) + [root / "tests/consumer/CMakeLists.txt"]
    sources = {str(file.relative_to(root)): file.read_text(encoding="utf-8") for file in files}
    blocks, problems = check((root / "README.md").read_text(encoding="utf-8"), sources)
    print("\n".join(problems + [f"{blocks} blocks of code in README.md, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
