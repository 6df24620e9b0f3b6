#!/usr/bin/env python3
# Needs: a driver with compiler
"""`anycl run`: kernels of files on arguments from the command line, and all that can be wrong with those."""

import ast
import os
import struct
import unittest

from anycl_command import DRIVER, CommandTest

KERNELS = """
kernel void saxpy(const float a, global const float* x, global float* y, const uint n) {
    const size_t i = get_global_id(0);
    if (i < n) y[i] += a * x[i];
}
kernel void sums(global const int* x, global int* y, local int* room) {
    const size_t i = get_local_id(0);
    room[i] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 0) {
        int sum = 0;
        for (size_t k = 0; k < get_local_size(0); ++k) sum += room[k];
        y[get_group_id(0)] = sum;
    }
}
kernel void place(global uint* y) {
    y[get_global_id(1) * get_global_size(0) + get_global_id(0)] = (uint)(get_global_id(1) * 100 + get_global_id(0));
}
kernel void vectors(const float4 v, global float4* y) { y[get_global_id(0)] = v * (float4)(N); }
kernel void is_null(global int* x, global uchar* y) { y[0] = x == 0; }
kernel void same(global T* x) { x[get_global_id(0)] += 0; }
"""
NPY_TYPES = {"char": "|i1", "uchar": "|u1", "short": "<i2", "ushort": "<u2", "int": "<i4", "uint": "<u4", "long": "<i8", "ulong": "<u8"}
FORMATS = {"|i1": "b", "|u1": "B", "<i2": "h", "<u2": "H", "<i4": "i", "<u4": "I", "<i8": "q", "<u8": "Q", "<f4": "f", "<f8": "d"}


def npy(descr, shape, data, version=1, order="False", header=None):
    """A .npy file, whatever nonsense its header is."""
    header = header or f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}"
    text = header.encode() + b"\n"
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(text)) + text + data


def read_npy(data):
    """Type, shape and numbers, as the format's specification has it."""
    assert data[:8] == b"\x93NUMPY\x01\x00" and data[data.index(b"\n") + 1 :] is not None
    (size,) = struct.unpack("<H", data[8:10])
    assert (10 + size) % 64 == 0 and data[9 + size] == ord("\n")
    header = ast.literal_eval(data[10 : 10 + size].decode())
    assert set(header) == {"descr", "fortran_order", "shape"} and header["fortran_order"] is False
    letter = FORMATS[header["descr"]]
    numbers = data[10 + size :]
    return header["descr"], header["shape"], list(struct.unpack(f"<{len(numbers) // struct.calcsize(letter)}{letter}", numbers))


class Run(CommandTest):
    def setUp(self):
        super().setUp()
        self.env = {"ANYCL_DEVICES": f"{DRIVER}:0"} if DRIVER else {}
        self.write("kernels.cl", KERNELS.encode())  # one name: what is built once is found in the cache

    def words(self, kernel, size, *specs, more=()):
        arguments = [word for spec in specs for word in ("--arg", spec)]
        return ["run", "kernels.cl", kernel, "--global", size, *arguments, "-DN=2", *more]

    def run_kernel(self, *words, **options):
        return self.anycl(*self.words(*words, **options), env=self.env, cwd=self.folder)

    def result(self, *words, **options):
        return self.document("anycl.run", *self.words(*words, **options), env=self.env, cwd=self.folder)

    def run_refused(self, kernel, size, *specs, says, more=(), code=2):
        more = more if any("-DT" in str(word) for word in more) else [*more, "-DT=int"]
        run = self.anycl(*self.words(kernel, size, *specs, more=more), env=self.env, cwd=self.folder, expect=code)
        self.assertEqual(run.stdout, "")
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, run.stderr)
        self.assertEqual(len([line for line in run.stderr.splitlines() if line.startswith("anycl: ")]), 1)

    def values(self, document, index):
        return document["arguments"][index]["values"]

    T = ("-DT=int",)

    def test_a_kernel_runs_on_generated_arguments(self):
        run = self.run_kernel("saxpy", 10, "2", "iota:10", "zeros:10", "10", more=self.T)

        self.assertRegex(run.stdout, r"(?m)^kernel +kernel void saxpy\(float a, ")
        self.assertRegex(run.stdout, r"(?m)^time +[0-9.]+ [nmu]?s")
        self.assertRegex(run.stdout, r"(?m)^y +float\[10\]: 0(\.0)? 2(\.0)? 4(\.0)? .* 14(\.0)? \.\.\.$")
        self.assertNotRegex(run.stdout, r"(?m)^x ")

    def test_the_document_has_times_and_values(self):
        document = self.result("saxpy", 10, "2", "iota:10", "zeros:10", "0xa", more=[*self.T, "--repeat", 3])

        self.assertEqual(len(document["times_ns"]), 3)
        self.assertEqual(document["median_ns"], sorted(document["times_ns"])[1])
        self.assertIn(document["clock"], ["device", "host"])
        self.assertEqual(document["global"], [10])
        self.assertIsNone(document["local"])
        self.assertEqual(document["kernel"]["name"], "saxpy")
        # Three runs on the same contents: what one leaves.
        self.assertEqual(self.values(document, 2), [2.0 * i for i in range(8)])
        self.assertEqual([entry["changed"] for entry in document["arguments"]], [False, False, True, False])
        self.assertEqual([entry["name"] for entry in document["arguments"]], ["a", "x", "y", "n"])

    def test_groups_and_local_memory(self):
        document = self.result("sums", 16, "iota:16", "zeros:2", "local:32", more=[*self.T, "--local", "8"])

        self.assertEqual(self.values(document, 1), [28, 92])
        self.assertEqual(document["local"], [8])

    def test_dimensions(self):
        document = self.result("place", "3,2", "zeros:6", more=self.T)

        self.assertEqual(self.values(document, 0), [0, 1, 2, 100, 101, 102])

    def test_vectors(self):
        document = self.result("vectors", 2, "1,2.5,-3,4e1", "zeros:2", more=self.T)
        self.assertEqual(self.values(document, 1), [2, 5, -6, 80] * 2)
        document = self.result("vectors", 1, "3", f"zeros:1@{self.folder}/v.npy", more=self.T)
        self.assertEqual(read_npy((self.folder / "v.npy").read_bytes()), ("<f4", (1, 4), [6.0] * 4))

    def threes(self, *specs, size=2):
        own = self.write("threes.cl", b"kernel void k(float3 v, global float3* y) { y[get_global_id(0)] += v; }\n")
        words = ["--global", size, *(word for spec in specs for word in ("--arg", spec))]
        return self.document("anycl.run", "run", own, "k", *words, env=self.env)["arguments"]

    def test_vectors_of_three_are_three_numbers(self):
        out = self.folder / "out.npy"
        v, y = self.threes("1,2,3", f"iota:2@{out}")
        self.assertEqual((v["type"], v["values"]), ("float3", [1, 2, 3]))
        self.assertEqual((y["type"], y["values"]), ("float3[2]", [1, 3, 5, 4, 6, 8]))
        self.assertEqual(read_npy(out.read_bytes()), ("<f4", (2, 3), [1, 3, 5, 4, 6, 8]))
        raw = self.folder / "out.bin"
        self.threes("1", f"zeros:2@{raw}")
        self.assertEqual(raw.stat().st_size, 32)

    def test_arrays_of_vectors_of_three(self):
        out = self.folder / "out.npy"
        for last, numbers, want in [(3, [1, 2, 3, 4, 5, 6], [2, 3, 4, 5, 6, 7]), (4, [1, 2, 3, 0, 4, 5, 6, 0], [2, 3, 4, 5, 6, 7])]:
            array = self.write("in.npy", npy("<f4", (2, last), struct.pack(f"<{2 * last}f", *numbers)))
            y = self.threes("1", f"{array}@{out}")[1]
            self.assertEqual(y["values"], want)
            self.assertEqual(read_npy(out.read_bytes())[1], (2, last))
        array = self.write("in.npy", npy("<f4", (6,), bytes(24)))
        self.write("threes.cl", b"kernel void k(global float3* y) { y[0] = 0; }\n")
        self.refused("run", "threes.cl", "k", "--global", 1, "--arg", array, env=self.env, cwd=self.folder, says="last dimension")

    def test_null_pointers(self):
        self.assertEqual(self.values(self.result("is_null", 1, "null", "zeros:1", more=self.T), 1), [1])
        self.assertEqual(self.values(self.result("is_null", 1, "zeros:1", "zeros:1", more=self.T), 1), [0])

    def test_a_generated_array_is_written(self):
        out = self.folder / "out.npy"
        self.result("same", 3, f"iota:3@{out}", more=["-DT=uchar"])
        self.assertEqual(read_npy(out.read_bytes()), ("|u1", (3,), [0, 1, 2]))

    def test_every_integer_type_is_read_and_written(self):
        out = self.folder / "out.npy"
        for word, descr in NPY_TYPES.items():
            with self.subTest(word):
                low = -(1 << (8 * struct.calcsize(FORMATS[descr]) - 1)) if FORMATS[descr].islower() else 0
                data = struct.pack(f"<2{FORMATS[descr]}", low, 100)
                array = self.write("in.npy", npy(descr, (1, 2), data))
                self.result("same", 2, f"{array}@{out}", more=[f"-DT={word}"])
                self.assertEqual(read_npy(out.read_bytes()), (descr, (1, 2), [low, 100]))

    def test_random_numbers_are_the_same_for_a_seed(self):
        def numbers(spec, kind="uint"):
            return self.values(self.result("same", 8, spec, more=[f"-DT={kind}"]), 0)

        self.assertEqual(numbers("random:8"), numbers("random:8:1"))
        self.assertNotEqual(numbers("random:8"), numbers("random:8:2"))
        self.assertEqual(len(set(numbers("random:8"))), 8)
        self.assertTrue(all(0 <= number < 1 for number in numbers("random:8", "float")))

    def test_raw_files_and_outputs(self):
        raw = self.write("raw@bytes.bin", struct.pack("<3i", 7, 8, 9))
        out = self.folder / "out.bin"

        document = self.result("same", 3, f"raw:{raw}@{out}", more=self.T)

        self.assertEqual(out.read_bytes(), raw.read_bytes())
        self.assertEqual(document["arguments"][0]["saved"], str(out))
        self.assertEqual(self.values(self.result("same", 3, f"raw:{raw}@", more=self.T), 0), [7, 8, 9])

    def test_outputs_with_an_at_in_their_name(self):
        out = self.folder / "a@b.npy"
        for spec in ["zeros:1", "int:iota:1", "random:1:2"]:
            self.result("same", 1, f"{spec}@{out}", more=self.T)
            self.assertEqual(read_npy(out.read_bytes())[1], (1,))
            out.unlink()

    def test_version_2_and_headers_in_another_order(self):
        header = '{"shape": (2, ), "fortran_order" : False, "descr": "<i4"}   '
        for array in [npy("<i4", (2,), b"\1\0\0\0\2\0\0\0", version=2), npy("", "", b"\1\0\0\0\2\0\0\0", header=header)]:
            path = self.write("in.npy", array)
            self.assertEqual(self.values(self.result("same", 2, str(path), more=self.T), 0), [1, 2])

    def test_arrays_that_cannot_be_read(self):
        four = b"\0\0\0\0"
        cases = {
            "empty": (b"", "no .npy file"),
            "text": (b"1 2 3\n", "no .npy file"),
            "version 3": (npy("<i4", (1,), four, version=3), "version is 3.0"),
            "cut header": (npy("<i4", (1,), b"")[:30], "cut"),
            "cut numbers": (npy("<i4", (2,), four), "do not agree"),
            "more numbers": (npy("<i4", (1,), four + b"\0"), "do not agree"),
            "big-endian": (npy(">i4", (1,), four), "little-endian"),
            "complex": (npy("<c8", (1,), four * 2), "floating-point"),
            "objects": (npy("|O", (1,), four), "floating-point"),
            "records": (npy("", "", four, header="{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1,), }"), "records"),
            "Fortran": (npy("<i4", (1, 1), four, order="True"), "Fortran"),
            "overflow": (npy("<i4", (2**63, 2**63), four), "do not agree"),
            "negative": (npy("<i4", (-1,), four), "no size"),
            "too large a size": (npy("<i4", (2**70,), four), "no size"),
            "key twice": (npy("", "", four, header="{'descr': '<i4', 'descr': '<i4', 'fortran_order': False, 'shape': (1,)}"), "descr"),
            "no shape": (npy("", "", four, header="{'descr': '<i4', 'fortran_order': False}"), "lacks"),
            "code": (npy("", "", four, header="__import__('os')"), "no '{'"),
            "many dimensions": (npy("<i4", (1,) * 65, four), "dimensions"),
        }
        for name, (data, says) in cases.items():
            with self.subTest(name):
                path = self.write("bad.npy", data)
                self.run_refused("same", 1, str(path), says=["argument 0", says])

    def test_arguments_that_cannot_be(self):
        for spec, says in [
            ("zero:3", "zeros:N"),
            ("zeros:", "no number of elements"),
            ("zeros:-1", "no number of elements"),
            ("zeros:1.5", "no number of elements"),
            ("random:3:x", "no seed"),
            ("local:x", "no number of bytes"),
            ("raw:", "needs a file"),
            ("", "none of"),
            ("quux", "none of"),
            ("zeros:2@", "no file is named"),
            ("x.npy@", "no file is named"),
            ("3@x.npy", "only a buffer"),
            ("null@x.npy", "only a buffer"),
            ("int:null", "TYPE:"),
            ("zeros:999999999999999999T", "no number of elements"),
            ("zeros:16000000T", "more than any memory"),
        ]:
            with self.subTest(spec):
                self.run_refused("same", 1, spec, says=["--arg", "argument 0", says])

    def test_arguments_that_the_kernel_does_not_take(self):
        good = ["2", "iota:3", "zeros:3", "3"]
        for index, spec, says in [
            (0, "2x", "argument 0 'a'"),
            (0, "1,2", "argument 0 'a'"),
            (0, "zeros:3", "argument 0 'a'"),
            (1, "2", "argument 1 'x'"),
            (1, "int:iota:3", "argument 1 'x'"),
            (1, "local:12", "argument 1 'x'"),
            (3, "-1", "argument 3 'n'"),
            (3, "4294967296", "argument 3 'n'"),
            (3, "1.5", "argument 3 'n'"),
            (3, "-1", "'-1' does not fit a uint: 0 to 4294967295"),
            (3, "0x1ffffffff", "does not fit a uint"),
            (3, "1x", "'1x' is no uint"),
            (0, "1e39", "'1e39' does not fit a float: 1e-45 to 3.4028235e+38"),
            (0, "1e-60", "does not fit a float"),
            (1, "int:iota:3", "these are numbers of type int, but the kernel takes global float*"),
            (3, "null", "argument 3 'n'"),
        ]:
            with self.subTest(spec):
                self.run_refused("saxpy", 3, *good[:index], spec, *good[index + 1 :], says=says)
        self.run_refused("saxpy", 3, *good[:3], says=["takes 4 arguments", "3 are given"])
        array = self.write("doubles.npy", npy("<f8", (3,), bytes(24)))
        self.run_refused("saxpy", 3, "2", str(array), "zeros:3", "3", says=["argument 1 'x'", "doubles.npy holds numbers of type double, but the kernel takes global float*"])

    def test_types_that_the_kernel_does_not_tell(self):
        own = self.write("own.cl", b"typedef struct { int a; } my_t;\nkernel void k(global my_t* x) { x[0].a = 5; }\n")
        words = ["run", own, "k", "--global", 1, "--arg"]
        self.refused(*words, "zeros:1", env=self.env, says=["argument 0 'x'", "my_t", "float:zeros"])
        document = self.document("anycl.run", *words, "int:zeros:1", env=self.env)
        self.assertEqual(self.values(document, 0), [5])

    def test_images_are_not_given(self):
        own = self.write("image.cl", b"kernel void k(read_only image2d_t i, global float* y) { y[0] = get_image_width(i); }\n")
        words = ["run", own, "k", "--global", 1, "--arg"]
        for spec in ["1", "zeros:4", "null"]:
            run = self.anycl(*words, spec, "--arg", "zeros:1", env=self.env, expect=2)
            self.assertRegex(run.stderr, r"argument 0 'i': the kernel takes .*image2d_t; 'anycl run' gives no images, samplers")

    def test_structs_are_not_given(self):
        own = self.write("own.cl", b"typedef struct { int a, b; } my_t;\nkernel void k(my_t x) {}\n")
        self.refused("run", own, "k", "--global", 1, "--arg", "1", env=self.env, says=["my_t", "struct"])

    def test_numbers_that_are_none_are_words_in_json(self):
        own = self.write("odd.cl", b"kernel void k(global float* y) { y[0] = NAN; y[1] = INFINITY; y[2] = -INFINITY; y[3] = 1; }\n")
        document = self.document("anycl.run", "run", own, "k", "--global", 1, "--arg", "zeros:4", env=self.env)
        self.assertEqual(self.values(document, 0), ["nan", "inf", "-inf", 1])

    def test_sizes(self):
        for size in ["", "x", "1,", "1,2,3,4", "-1", "1.5"]:
            with self.subTest(size):
                self.run_refused("same", size, "zeros:1", says="--global")
        self.run_refused("same", "10", "zeros:10", more=["--local", "x"], says="--local")
        self.run_refused("same", "10", "zeros:10", more=["--local", "3"], says=["--local 3 does not divide --global 10", "whole groups"])
        self.run_refused("same", "10", "zeros:10", more=["--repeat", "0"], says="--help")
        self.assertEqual(self.values(self.result("same", "0", "zeros:3", more=self.T), 0), [0, 0, 0])

    def test_outputs_are_whole_or_not_there(self):
        out = self.write("out.npy", b"before")
        self.run_refused("same", 1, f"zeros:1@{self.folder}/no/x.npy", says="no folder")
        self.run_refused("is_null", 1, f"zeros:1@{out}", f"zeros:1@{out}", says="two buffers")
        self.run_refused("saxpy", 3, "2", "iota:3", f"zeros:3@{out}", "x", says="argument 3")
        self.run_refused("nothing", 1, f"zeros:1@{out}", says=["nothing", "saxpy"])
        self.assertEqual(out.read_bytes(), b"before")
        self.assertEqual(sorted(self.contents()), ["kernels.cl", "out.npy"])

    def test_no_output_takes_the_place_of_what_is_read(self):
        array = self.write("in.npy", npy("<i4", (1,), b"\1\0\0\0"))
        self.write("bytes.bin", b"\1\0\0\0")
        (self.folder / "link").symlink_to("kernels.cl")
        before = self.contents()
        for specs, both in [
            (["zeros:1@kernels.cl"], "kernels.cl would take the place of kernels.cl"),
            (["zeros:1@./kernels.cl"], "./kernels.cl would take the place of kernels.cl"),
            (["zeros:1@link"], "link would take the place of kernels.cl"),
            (["in.npy", f"zeros:1@{array}"], f"{array} would take the place of in.npy"),
            (["zeros:1@bytes.bin", "raw:bytes.bin"], "bytes.bin would take the place of bytes.bin"),
            (["in.npy@kernels.cl"], "kernels.cl would take the place of kernels.cl"),
            (["zeros:1@new.bin", "zeros:1@./new.bin"], ["two buffers", "./new.bin"]),
        ]:
            with self.subTest(specs):
                self.run_refused("same", 1, *specs, says=both)
        self.assertEqual(self.contents(), before)

    def test_an_array_may_be_changed_in_place(self):
        array = self.write("in.npy", npy("<i4", (1,), b"\0\0\0\0"))
        self.result("same", 1, f"{array}@{array}", more=self.T)
        self.assertEqual(read_npy(array.read_bytes()), ("<i4", (1,), [0]))

    def test_a_source_that_does_not_build(self):
        self.run_refused("same", 1, "zeros:1", more=["-DT=no_such_type"], code=1, says="no_such_type")

    def test_files_that_cannot_be_read(self):
        os.mkfifo(self.folder / "pipe.npy")
        for path, says in [("missing.npy", "No such file"), ("pipe.npy", "regular file")]:
            self.run_refused("same", 1, str(self.folder / path), says=[path, says])
        self.refused("run", self.folder / "missing.cl", "k", "--global", 1, says="missing.cl")


if __name__ == "__main__":
    unittest.main()
