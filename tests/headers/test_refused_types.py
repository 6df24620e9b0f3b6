#!/usr/bin/env python3
# Needs: no driver
"""Definitions of types that kernels do not have are compile errors, and say why.

usage: test_refused_types.py COMPILER INCLUDE_FOLDER...
"""

import subprocess
import sys
import unittest

NO_WIDER = "OpenCL C has no long double and no 128-bit integer"
REFUSED = {
    "type<bool>": "bool has no size in OpenCL C",
    "type<const bool>": "bool has no size in OpenCL C",
    "type<long double>": NO_WIDER,
    "type<__int128>": NO_WIDER,
    "type<int*>": "kernels have other pointers than the host",
    "type<Struct>": "OpenCL C does not know this type",
    "type<Enumeration>": "OpenCL C does not know this type",
    "1.0L": NO_WIDER,
    "nullptr": "deleted",
    "type<Vec<float, 5>>": "OpenCL C has vectors of 2, 3, 4, 8 and 16",
    "type<Vec<bool, 4>>": "OpenCL C has no vectors of bool",
    "type<Vec<Struct, 4>>": "OpenCL C has vectors of its numbers only",
}


class RefusedTypes(unittest.TestCase):
    compiler = []

    def messages(self, value):
        text = f"""#include "anycl/program/definition.hpp"
            #include "anycl/program/vec.hpp"
            struct Struct {{ int member; }};
            enum class Enumeration {{ one }};
            using anycl::type, anycl::Vec, anycl::Half;
            anycl::Definition definition("X", {value});"""
        run = subprocess.run(self.compiler, input=text, capture_output=True, text=True, timeout=100, check=False)
        return run.returncode, run.stderr

    def test_what_kernels_have_compiles(self):
        for value in ["type<float>", "type<const unsigned>", "1.0", "true", "type<Vec<Half, 3>>", '"text"']:
            with self.subTest(value):
                self.assertEqual(self.messages(value), (0, ""))

    def test_what_they_do_not_have_is_refused_with_the_reason(self):
        for value, why in REFUSED.items():
            with self.subTest(value):
                code, messages = self.messages(value)
                self.assertNotEqual(code, 0)
                self.assertIn(why, messages)


if __name__ == "__main__":
    compiler, *folders = sys.argv[1:]
    RefusedTypes.compiler = [compiler, "-std=c++20", "-fsyntax-only", "-x", "c++", *(f"-I{folder}" for folder in folders), "-"]
    unittest.main(argv=sys.argv[:1])
