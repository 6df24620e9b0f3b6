#!/usr/bin/env python3
# Needs: no driver
# Cases: OCL-104
"""Types that kernels do not have, or see otherwise, are compile errors in definitions, launches and descriptions, and say why.

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

SAY_DESCRIBE = "say ANYCL_DESCRIBE(Type, members...) behind its definition"
# What a launch gets, and why it does not take it.
REFUSED_ARGUMENTS = {
    "Struct{}": SAY_DESCRIBE,
    "Union{}": SAY_DESCRIBE,
    "Derived{}": SAY_DESCRIBE,
    "std::array<float, 4>{}": SAY_DESCRIBE,
    "std::string()": "an argument of launch must be a number",
    "new float": "an argument of launch must be a number",
    "1.0L": NO_WIDER,
}
# The members of a struct, and why ANYCL_DESCRIBE does not take them.
REFUSED_MEMBERS = {
    "bool m;": "bool has no size in OpenCL C",
    "bool m[4];": "bool has no size in OpenCL C",
    "long double m;": NO_WIDER,
    "__int128 m;": NO_WIDER,
    "Vec<float, 3> m;": "a vector of three takes the room of four",
    "Vec<char, 3> m[2];": "a vector of three takes the room of four",
    "float* m;": "a pointer of the host means nothing on a device",
    "void* m[2];": "a pointer of the host means nothing on a device",
    "int Described::* m;": "a pointer of the host means nothing on a device",
    "int& m;": "a reference means nothing on a device",
    "Struct m;": "a struct that is described itself",
    "Union m;": "a struct that is described itself",
    "int m; Type(); Type(const Type&);": "it must be trivially copyable",
    "int m; virtual int f();": "the struct must be of standard layout",
    "int later; int m;": "name the members in the order",
}


class RefusedTypes(unittest.TestCase):
    compiler = []

    def compile(self, text):
        run = subprocess.run(self.compiler, input=text, capture_output=True, text=True, timeout=100, check=False)
        return run.returncode, run.stderr

    def messages(self, value):
        return self.compile(f"""#include "anycl/program/definition.hpp"
            #include "anycl/program/vec.hpp"
            struct Struct {{ int member; }};
            enum class Enumeration {{ one }};
            using anycl::type, anycl::Vec, anycl::Half;
            anycl::Definition definition("X", {value});""")

    TYPES = """#include "anycl/program/describe.hpp"
        using anycl::Vec;
        struct Struct { int member; };
        union Union { int member; float other; };
        struct Described { int member; };
        ANYCL_DESCRIBE(Described, member);
        struct Derived : Described {};"""

    def messages_of_argument(self, value):
        return self.compile(f"""#include <array>
            #include <string>
            #include "anycl/program/launch.hpp"
            {self.TYPES}
            void f(anycl::Queue& queue, const anycl::Kernel& kernel) {{ launch(queue, kernel, 1, {value}); }}""")

    def messages_of_members(self, members, named):
        return self.compile(f"""{self.TYPES}
            struct Type {{ {members} }};
            ANYCL_DESCRIBE(Type, {named});""")

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

    def test_a_launch_takes_numbers_vectors_and_described_structs(self):
        for value in ["1", "Vec<float, 3>{}", "Described{}", "anycl::Half(1)", "nullptr", "anycl::local<int>(4)"]:
            with self.subTest(value):
                self.assertEqual(self.messages_of_argument(value), (0, ""))

    def test_what_a_launch_does_not_take_is_refused_with_the_reason(self):
        for value, why in REFUSED_ARGUMENTS.items():
            with self.subTest(value):
                code, messages = self.messages_of_argument(value)
                self.assertNotEqual(code, 0)
                self.assertIn(why, messages)

    def test_members_without_one_layout_are_refused_with_the_reason(self):
        for members, why in REFUSED_MEMBERS.items():
            with self.subTest(members):
                named = "m, later" if "later" in members else "m"
                code, messages = self.messages_of_members(members, named)
                self.assertNotEqual(code, 0)
                self.assertIn(why, messages)


if __name__ == "__main__":
    compiler, *folders = sys.argv[1:]
    RefusedTypes.compiler = [compiler, "-std=c++20", "-fsyntax-only", "-x", "c++", *(f"-I{folder}" for folder in folders), "-"]
    unittest.main(argv=sys.argv[:1])
