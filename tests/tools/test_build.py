#!/usr/bin/env python3
# Needs: a driver with compiler, threads
"""`anycl build`: what compilers say, for editors and CI, and what kernels there are."""

import os
import struct
import unittest

from anycl_command import DRIVER, CommandTest
from driver_folder import DriverFolder

GOOD = """#include "part.clh"
kernel void scale(global float* x, const float factor, local int* room) {
    room[0] = 1;
    x[get_global_id(0)] *= factor * PART;
}
kernel __attribute__((reqd_work_group_size(4, 2, 1))) void grouped(global uint* y) { y[0] = 1; }
"""
BROKEN = """kernel void broken(global int* x) {
    *x = undeclared_thing;
}
"""
# The place and the word that editors look for.
BROKEN_LINE = r"(?m)^{}:2:\d+: error: .*undeclared_thing"
# `kernel void nothing() {}`, compiled to SPIR-V 1.0. Source: SPIR-V 1.6, section 3.
MODULE = [0x07230203, 0x00010000, 0, 5, 0]  # identifiers below 5
for code, *operands in [
    (17, 4),  # OpCapability Addresses
    (17, 6),  # OpCapability Kernel
    (14, 2, 2),  # OpMemoryModel Physical64 OpenCL
    (15, 6, 3, *struct.unpack("<2I", b"nothing\0")),  # OpEntryPoint Kernel %3 "nothing"
    (19, 1),  # %1 = OpTypeVoid
    (33, 2, 1),  # %2 = OpTypeFunction %1
    (54, 1, 3, 0, 2),  # %3 = OpFunction %1 None %2
    (248, 4),  # %4 = OpLabel
    (253,),  # OpReturn
    (56,),  # OpFunctionEnd
]:
    MODULE += [(1 + len(operands)) << 16 | code, *operands]
TELLS_WARNINGS = DRIVER != "rusticl"  # of a build that works


class Build(CommandTest):
    def setUp(self):
        super().setUp()
        self.env = {"ANYCL_CACHE_DIR": str(self.folder / "kernels"), "ANYCL_CACHE": "on"}
        if DRIVER:
            self.env["ANYCL_DEVICES"] = f"{DRIVER}:0"  # one device, where a driver shows several
        self.good = self.source("good.cl", GOOD)
        self.source("part.clh", "#define PART 2\n")
        self.broken = self.source("broken.cl", BROKEN)

    def source(self, name, text):
        return self.write(name, text.encode())

    def build(self, *words, **options):
        return self.anycl("build", *words, env=self.env, **options)

    def built(self, *words, **options):
        return self.document("anycl.build", "build", *words, env=self.env, **options)["builds"]

    def test_kernels_are_listed_with_what_they_take(self):
        run = self.build(self.good)

        self.assertNotIn("error", run.stderr)
        self.assertIn(f"{self.good} for ", run.stdout)
        self.assertRegex(run.stdout, r"kernel void scale\(global float\* x, (const )?float factor, local int\* room\)")
        self.assertIn("groups of 4x2x1; ", run.stdout)
        self.assertRegex(run.stdout, r"groups of up to \d+, best multiples of \d+; \d+ B local, ")

    def test_kernels_as_a_document(self):
        (build,) = self.built(self.good)

        self.assertTrue(build["built"])
        self.assertIsNone(build["error"])
        self.assertEqual(build["messages"], [])
        self.assertEqual(build["file"], str(self.good))
        if DRIVER:
            self.assertTrue(build["device"]["driver"])
        by_name = {kernel["name"]: kernel for kernel in build["kernels"]}
        self.assertEqual(set(by_name), {"scale", "grouped"})
        scale = by_name["scale"]
        self.assertEqual([entry["name"] for entry in scale["parameters"]], ["x", "factor", "room"])
        self.assertEqual([entry["type"] for entry in scale["parameters"]], ["float*", "float", "int*"])
        self.assertEqual([entry["space"] for entry in scale["parameters"]], ["global", None, "local"])
        self.assertEqual(by_name["grouped"]["required_group"], [4, 2, 1])
        for member in ["max_group_size", "preferred_multiple", "local_bytes", "private_bytes", "signature"]:
            self.assertIn(member, scale)

    def test_an_error_is_a_line_that_editors_know(self):
        run = self.build(self.broken, expect=1)

        self.assertRegex(run.stderr, BROKEN_LINE.format(self.broken))
        self.assertRegex(run.stderr, r"\n      \*x = undeclared_thing;\n +\^")
        self.assertRegex(run.stdout, r": failed\n\Z")

    def test_a_failure_is_told_in_the_document(self):
        (build,) = self.built(self.broken, expect=1)

        self.assertFalse(build["built"])
        self.assertEqual(build["error"]["kind"], "build_error")
        errors = [entry for entry in build["messages"] if entry["severity"] == "error"]
        self.assertEqual((errors[0]["file"], errors[0]["line"]), (str(self.broken), 2))
        self.assertIn("undeclared_thing", errors[0]["text"])

    def test_one_that_fails_stops_no_other(self):
        files = [self.source("first.cl", BROKEN), self.good, self.broken]

        document = self.document("anycl.build", "build", *files, env=self.env, expect=1)

        self.assertEqual([build["built"] for build in document["builds"]], [False, True, False])
        self.assertEqual(document["failed"], 2)

    def test_a_crashing_compiler_takes_no_other_file_with_it(self):
        """Compilers run in processes of their own."""
        drivers = DriverFolder(self.folder / "drivers").add_stub("odd", "build=crash")
        env = self.env | drivers.variables | {"ANYCL_DEVICES": "", "ANYCL_CACHE": "off", "ANYCL_PROBE": "inline"}
        plain = self.source("plain.cl", "kernel void triple(global int* x, uint n) { if (n) x[0] *= 3; }\n")
        cycle = self.source("cycle.cl", '#include "cycle.cl"\n')

        document = self.document("anycl.build", "build", plain, cycle, env=env, expect=1)
        warmed = self.document("anycl.cache.warmed", "cache", "warm", plain, cycle, env=env, expect=1)

        self.assertEqual([build["file"] for build in document["builds"]], [str(plain), str(cycle)])
        self.assertIn("the process with the compiler", document["builds"][0]["error"]["message"])
        self.assertEqual(warmed["failed"], 2)

    @unittest.skipUnless(TELLS_WARNINGS, "this driver tells no warnings")
    def test_warnings_are_told_each_time_and_fail_nothing(self):
        warned = self.source("warned.cl", f"kernel void k(global int* x) {{ *x = 1; }}\n#warning told by {os.getpid()}\n")
        for store in [False, True, True]:  # built, built and stored, from the cache
            run = self.build(warned)
            self.assertRegex(run.stderr, rf"(?m)^{warned}:2:\d+: warning: .*told by {os.getpid()}$")
            self.assertEqual(run.stderr.count("warning:"), 1)
            if store:
                self.anycl("cache", "warm", warned, env=self.env)

    def test_definitions_and_folders(self):
        (self.folder / "inc dir").mkdir()
        (self.folder / "inc dir" / "deep.clh").write_text("#define DEEP 3\n")
        user = self.source(
            "user.cl",
            '#include "deep.clh"\n#if DEEP == 3 && ONE == 1 && N == 4\nkernel void chosen(global T* x) { x[0] = (T)0; }\n#endif\n',
        )
        words = ["-D", "ONE", "-DN=4", "-D", "T=unsigned int", "-I", self.folder / "inc dir"]

        (build,) = self.built(user, *words)

        self.assertEqual([kernel["name"] for kernel in build["kernels"]], ["chosen"])
        self.assertRegex(self.build(user, expect=1).stderr, rf"(?m)^{user}:1:\d+: error: .*deep\.clh")

    def test_what_is_wrong_with_includes_is_a_finding(self):
        cycle = self.source("cycle.cl", '\n#include "cycle.cl"\n')
        missing_end = self.source("open.cl", "/* no end\n")

        run = self.build(cycle, missing_end, self.good, expect=1)

        self.assertRegex(run.stderr, rf"(?m)^{cycle}:2: error: ")
        self.assertRegex(run.stderr, rf"(?m)^{missing_end}: error: a comment is not closed")
        self.assertIn("kernel void scale", run.stdout)

    def test_files_that_cannot_be_read_are_bad_usage(self):
        os.mkfifo(self.folder / "pipe.cl")
        for path, says in [
            (self.folder / "missing.cl", "missing.cl"),
            (self.folder, "folder"),
            (self.folder / "pipe.cl", "regular file"),
        ]:
            with self.subTest(str(path)):
                self.refused("build", self.good, path, says=says)
        for size in [(16 << 20) + 1, (64 << 20) + 1]:
            large = self.source("large.cl", " " * size)
            self.refused("build", large, says=["large.cl", "bytes"])
        self.refused("build", self.good, "-I", self.folder / "nowhere", says="nowhere")

    def test_bad_usage(self):
        self.refused("build", says="--help")
        self.refused("build", "-x", says=["-x", "no such option", "anycl build --help"])
        self.refused("build", self.good, "-I", "", says="-I: the name is empty")
        self.refused("build", self.good, "--emit", "nothing", says="--help")
        self.refused("build", self.good, "--device", "gpu", "--all-drivers", says="--help")
        self.refused("build", self.good, "-o", "x.bin", says="--emit")
        for definition in ["3=4", "A=/*", "A=#pragma\n", "=", ""]:
            with self.subTest(definition):
                self.refused("build", self.good, "-D", definition, says="anycl: ")
        self.refused("build", self.good, "--device", "no_such_driver", code=3, says="no_such_driver")

    def test_a_binary_is_written_whole(self):
        out = self.folder / "out"
        out.mkdir()
        run = self.build(self.good, self.broken, "--emit", "binary", "-o", out, expect=1)

        (file,) = out.iterdir()
        self.assertRegex(file.name, r"\Agood\.[A-Za-z0-9-]+\.bin\Z")
        self.assertGreater(file.stat().st_size, 100)
        self.assertIn(f"written: {file}, ", run.stdout)

    def test_a_binary_has_the_name_that_is_asked_for(self):
        file = self.write("mine.bin", b"before")

        (build,) = self.built(self.good, "--emit", "binary", "-o", file)

        self.assertEqual(build["output"], str(file))
        self.assertNotEqual(file.read_bytes(), b"before")
        self.assertEqual(sorted(self.contents()), ["broken.cl", "good.cl", "kernels", "mine.bin", "part.clh"])

    def test_a_build_that_fails_leaves_the_file_as_it_was(self):
        file = self.write("mine.bin", b"before")

        self.build(self.broken, "--emit", "binary", "-o", file, expect=1)

        self.assertEqual(file.read_bytes(), b"before")

    def test_places_that_binaries_cannot_have(self):
        emit = ["--emit", "binary"]
        self.refused("build", self.good, self.broken, *emit, "-o", self.folder / "x.bin", says="no folder")
        self.refused("build", self.good, *emit, "-o", self.folder / "no" / "x.bin", says="no folder")
        (self.folder / "sub").mkdir()
        (self.folder / "sub" / "good.cl").write_text(GOOD.split("\n", 1)[1].replace("PART", "1"))
        self.refused("build", self.good, self.folder / "sub" / "good.cl", *emit, "-o", self.folder, says="two files")

    def test_no_binary_takes_the_place_of_a_source(self):
        emit = ["--emit", "binary", "-o"]
        (self.folder / "link.bin").symlink_to("good.cl")
        (self.folder / "sub").mkdir()
        for output in [self.good, self.folder / "sub" / ".." / "good.cl", self.folder / "link.bin"]:
            with self.subTest(str(output)):
                self.refused("build", self.good, *emit, output,
                             says=[str(output), "take the place of", str(self.good)], env=self.env)

    def test_intermediate_code_is_refused_with_the_reason(self):
        self.refused("build", self.good, "--emit", "ir", says=["SPIR-V", "--emit binary"])

    def test_every_driver_is_asked_on_demand(self):
        self.env["ANYCL_DEVICES"] = ""

        builds = self.built(self.broken, "--all-drivers", expect=1)
        run = self.build(self.broken, "--all-drivers", expect=1)

        self.assertTrue(all(not build["built"] for build in builds))
        self.assertRegex(run.stderr, BROKEN_LINE.format(self.broken))
        if len(builds) > 1:
            self.assertRegex(run.stderr, r"error: .*undeclared_thing.* \[[a-z0-9, -]+\]\n")

    def test_a_module_is_built_or_refused_by_devices_that_take_none(self):
        module = self.write("nothing.spv", b"".join(word.to_bytes(4, "little") for word in MODULE))

        document = self.document("anycl.devices", "devices", env=self.env)
        (languages,) = [device["intermediate_languages"] for device in document["devices"] if device["rank"] == 0]
        run = self.build(module, expect=0 if languages else 1)

        if languages:
            self.assertIn("kernel void nothing()", run.stdout)
        else:
            self.assertRegex(run.stderr, rf"(?m)^{module}: error: build of .*SPIR-V")
        self.refused("build", module, "-D", "N=1", says="SPIR-V", env=self.env)

    def test_a_module_that_is_cut_is_a_finding(self):
        module = self.write("cut.spv", b"".join(word.to_bytes(4, "little") for word in MODULE)[:-3])

        run = self.build(module, self.good, expect=1)

        self.assertRegex(run.stderr, rf"(?m)^{module}: error: ")
        self.assertIn("kernel void scale", run.stdout)

    def test_names_cannot_drive_the_terminal(self):
        odd = self.source("bell\a\x1b[31m.cl", BROKEN)
        run = self.build(odd, expect=1)
        self.assertNotIn("\x1b", run.stdout + run.stderr)

    def test_warming_stores_what_a_build_then_finds(self):
        (self.folder / "out").mkdir()
        first = self.document("anycl.cache.warmed", "cache", "warm", self.good, env=self.env)
        second = self.document("anycl.cache.warmed", "cache", "warm", self.good, env=self.env)

        self.assertEqual((first["built"], first["stored"], first["from_disk"], first["failed"]), (1, 1, 0, 0))
        self.assertEqual((second["built"], second["from_disk"]), (0, 1))
        programs = self.document("anycl.cache", "cache", "list", env=self.env)["programs"]
        self.assertEqual([sorted(program["kernels"]) for program in programs], [["grouped", "scale"]])

    def test_warming_tells_what_it_could_not_do(self):
        run = self.anycl("cache", "warm", self.broken, self.good, env=self.env, expect=1)
        self.assertRegex(run.stderr, BROKEN_LINE.format(self.broken))
        self.assertIn("1 programs built and 1 stored, 0 were there, 1 failed", run.stdout)

        told = self.document("anycl.cache.warmed", "cache", "warm", self.broken, self.good, env=self.env, expect=1)
        (failure,) = told["failures"]
        self.assertEqual(failure["file"], str(self.broken))
        self.assertTrue(failure["device"])
        self.assertIn("undeclared_thing", " ".join(message["text"] for message in failure["messages"]))

        off = self.anycl("cache", "warm", self.good, env=self.env | {"ANYCL_CACHE": "off"}, expect=1)
        self.assertIn("not in the cache; it is off", off.stderr)
        shared = self.folder / "shared"
        shared.mkdir()
        shared.chmod(0o777)
        env = self.env | {"ANYCL_CACHE_DIR": str(shared)}
        self.document("anycl.cache.warmed", "cache", "warm", self.good, env=env, expect=1)
        full = self.env | {"ANYCL_CACHE_LIMIT": "1", "ANYCL_CACHE_DIR": str(self.folder / "small")}
        self.assertIn("over its limit of 1 B", self.anycl("cache", "warm", self.good, env=full, expect=1).stderr)


if __name__ == "__main__":
    unittest.main()
