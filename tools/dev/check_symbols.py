#!/usr/bin/env python3
"""Checks that a libanycl.so shows the world anycl's own names and nothing else.

A name that leaks, of spdlog or an OpenCL call, would meet its namesake in the program that links us.
Weak names of the C++ library are let through: every C++ library has some.

usage: check_symbols.py libanycl.so
"""

import re
import subprocess
import sys

OURS = re.compile(r"((vtable|typeinfo|typeinfo name|guard variable|VTT|construction vtable) for )?anycl::")
STANDARD = re.compile(r"([\w ]+ for )?(std|__gnu_cxx)::|.*\b(std|__gnu_cxx)::")
FOREIGN = re.compile(r"\b(spdlog|fmt|nlohmann|cl)::|\b(cl[A-Z]|sodium_|crypto_)\w*")


def exported_symbols(library):
    command = ["nm", "--dynamic", "--defined-only", "--demangle", library]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    for line in lines:
        _, kind, name = line.split(maxsplit=2)
        yield kind, name


def is_leak(kind, name):
    if FOREIGN.search(name.split("(")[0]):
        return True
    if OURS.match(name):
        return False
    return not (kind in "VWu" and (STANDARD.match(name) or "anycl::" in name))


def main(arguments):
    if len(arguments) != 1:
        print("usage: check_symbols.py libanycl.so", file=sys.stderr)
        return 2
    symbols = list(exported_symbols(arguments[0]))
    leaks = [f"{kind} {name}" for kind, name in symbols if is_leak(kind, name)]
    print("\n".join(leaks + [f"{len(symbols)} exported names, {len(leaks)} of them not anycl's"]))
    return 1 if leaks or not symbols else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
