#!/usr/bin/env python3
# Needs: a driver with compiler, threads
"""Damaged and malicious picture files: a line and exit code 2, or a picture; never a crash, never a partial file."""

import os
import random
import struct
import unittest
import zlib

from anycl_command import CommandTest, noise_png, png, png_chunk

SEED = 20240229


class HostileFiles(CommandTest):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out.png"

    def run_refused(self, data, says="photo"):
        return self.refused("image", "run", "median(1)", self.write("photo", data), "-o", self.out, says=says)

    def run_any(self, data):
        """A damaged file may still be a picture."""
        photo = self.write("photo", data)
        self.out.unlink(missing_ok=True)
        run = self.anycl_any("image", "run", "median(1)", photo, "-o", self.out)
        left = {"photo"} if run == 2 else {"photo", "out.png"}
        self.assertEqual({path.name for path in self.folder.iterdir()}, left)

    def anycl_any(self, *words):
        for code in (2, 0):
            try:
                return self.anycl(*words, expect=code).returncode
            except AssertionError as wrong:
                failure = wrong
        raise failure

    def scene_jpeg(self):
        path = self.folder / "scene.jpg"
        self.anycl("image", "scene", "--size", "40x24", "-o", path)
        data = path.read_bytes()
        path.unlink()
        return data

    def test_a_png_cut_anywhere_is_refused(self):
        whole = noise_png(5, 4)
        for length in range(0, len(whole)):
            with self.subTest(length):
                self.run_refused(whole[:length])

    def test_a_jpeg_cut_anywhere_is_refused(self):
        whole = self.scene_jpeg()
        lengths = [*range(1, 40), *range(40, len(whole) - 4, 23), *range(len(whole) - 4, len(whole))]
        for length in lengths:
            with self.subTest(length):
                self.run_refused(whole[:length])

    def test_random_bytes_are_refused(self):
        generator = random.Random(SEED)
        for head in [b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"\xff\xd8\xff\xe0\x00\x10JFIF\0"]:
            for size in [1, 50, 3000]:
                with self.subTest(head=head, size=size):
                    self.run_refused(head + generator.randbytes(size))

    def test_flipped_bytes_never_crash(self):
        generator = random.Random(SEED)
        for whole in [noise_png(9, 7), self.scene_jpeg()]:
            for _ in range(25):
                damaged = bytearray(whole)
                for _ in range(generator.randint(1, 4)):
                    damaged[generator.randrange(3, len(damaged))] = generator.randrange(256)
                with self.subTest(bytes(damaged)):
                    self.run_any(bytes(damaged))

    def test_declared_sizes_without_pixels_are_refused(self):
        for width, height in [(16384, 16384), (16384, 1), (2**32 - 1, 1), (2**31, 2**31), (1000001, 1)]:
            with self.subTest((width, height)):
                self.run_refused(png(width, height, b"\0" * 10))

    def test_a_jpeg_that_declares_more_than_it_has_is_refused(self):
        whole = bytearray(self.scene_jpeg())
        at = whole.index(b"\xff\xc0") + 5
        for height, width in [(24, 65535), (65535, 40), (0, 40), (24, 0), (16384, 16384)]:
            whole[at : at + 4] = struct.pack(">HH", height, width)
            with self.subTest((height, width)):
                self.run_refused(bytes(whole))

    def test_chunks_that_lie_are_refused(self):
        signature, header = b"\x89PNG\r\n\x1a\n", struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)
        rows = zlib.compress(b"\0" * 14)
        whole = png_chunk(b"IHDR", header) + png_chunk(b"IDAT", rows) + png_chunk(b"IEND", b"")
        cases = {
            "no header": png_chunk(b"IDAT", rows) + png_chunk(b"IEND", b""),
            "no pixels": png_chunk(b"IHDR", header) + png_chunk(b"IEND", b""),
            "length beyond the file": whole.replace(struct.pack(">I", len(rows)), b"\x7f\xff\xff\xff", 1),
            "length beyond 2^31": whole.replace(struct.pack(">I", len(rows)), b"\xff\xff\xff\xff", 1),
            "wrong checksum": whole[:-20] + b"\0\0\0\0" + whole[-16:],
            "unknown colours": png_chunk(b"IHDR", header[:9] + b"\5" + header[10:]) + whole[25:],
            "palette without palette": png_chunk(b"IHDR", header[:9] + b"\3" + header[10:]) + whole[25:],
        }
        for name, chunks in cases.items():
            with self.subTest(name):
                self.run_refused(signature + chunks)


if __name__ == "__main__":
    unittest.main()
