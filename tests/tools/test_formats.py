#!/usr/bin/env python3
# Needs: a driver with compiler, threads
"""Every kind of PNG and JPEG keeps its pixels and channels. Pillow makes and reads the files."""

import io
import os
import unittest

from anycl_command import CommandTest, need_oracle, png

need_oracle()

import numpy
from PIL import Image

SEED = 7


def noise(*shape, dtype=numpy.uint8):
    return numpy.random.default_rng(SEED).integers(0, numpy.iinfo(dtype).max, shape, dtype, endpoint=True)


class Formats(CommandTest):
    """median(1) leaves each pixel as it is: what goes in must come out."""

    def pixels_through(self, photo, out="out.png"):
        self.anycl("image", "run", "median(1)", photo, "-o", self.folder / out, "--check")
        return self.pixels(self.folder / out)

    def save(self, image, name="photo.png", **options):
        image.save(self.folder / name, **options)
        return self.folder / name

    @staticmethod
    def pixels(path):
        with Image.open(path) as image:
            return numpy.asarray(image)

    def assert_same(self, got, want):
        self.assertEqual(got.shape, want.shape)
        numpy.testing.assert_array_equal(got, want)

    def test_channels_stay_as_they_are(self):
        for mode, shape in [("L", (31, 17)), ("LA", (31, 17, 2)), ("RGB", (31, 17, 3)), ("RGBA", (31, 17, 4))]:
            with self.subTest(mode):
                want = noise(*shape)
                self.assert_same(self.pixels_through(self.save(Image.fromarray(want, mode))), want)

    def test_odd_sizes(self):
        for width, height in [(1, 1), (1, 7), (7, 1), (16384, 1), (1, 16384)]:
            with self.subTest((width, height)):
                want = noise(height, width, 3)
                self.assert_same(self.pixels_through(self.save(Image.fromarray(want))), want)

    def test_palettes_become_colours(self):
        image = Image.fromarray(noise(31, 17, 3)).quantize(19)
        self.assert_same(self.pixels_through(self.save(image)), numpy.asarray(image.convert("RGB")))

    def test_a_transparent_palette_entry_becomes_alpha(self):
        image = Image.fromarray(noise(31, 17, 3)).quantize(19)
        image.info["transparency"] = 3
        got = self.pixels_through(self.save(image, transparency=3))

        want = numpy.asarray(image.convert("RGBA"))
        self.assertEqual(got.shape, want.shape)
        self.assert_same(got[..., 3], want[..., 3])
        self.assert_same(got[want[..., 3] > 0], want[want[..., 3] > 0])

    def test_a_transparent_colour_becomes_alpha(self):
        pixels = noise(31, 17, 3)
        got = self.pixels_through(self.save(Image.fromarray(pixels), transparency=tuple(map(int, pixels[5, 5]))))

        self.assert_same(got[..., :3], pixels)
        self.assertEqual(got[5, 5, 3], 0)
        self.assertEqual(got[5, 6, 3], 255)

    def test_one_bit_becomes_grey(self):
        image = Image.fromarray(noise(31, 17)).convert("1")
        self.assert_same(self.pixels_through(self.save(image)), numpy.asarray(image.convert("L")))

    def test_sixteen_bits_are_scaled_to_eight(self):
        deep = noise(31, 17, dtype=numpy.uint16)
        got = self.pixels_through(self.save(Image.fromarray(deep)))

        self.assert_same(got, numpy.floor(deep.astype(float) * 255 / 65535 + 0.5).astype(numpy.uint8))

    def test_interlaced(self):
        # Pillow cannot write these; the passes are written here, rows unfiltered.
        want = noise(13, 11, 3)
        rows = b""
        for x0, y0, dx, dy in [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]:
            for row in want[y0::dy, x0::dx]:
                rows += b"\0" + row.tobytes()
        self.assert_same(self.pixels_through(self.write("photo.png", png(11, 13, rows, interlace=1))), want)

    def test_contents_matter_not_the_name(self):
        want = noise(31, 17, 3)
        photo = self.save(Image.fromarray(want), "photo.jpg", format="PNG")
        self.assert_same(self.pixels_through(photo), want)

    def test_jpeg_input(self):
        smooth = Image.fromarray(noise(8, 8, 3)).resize((160, 120), Image.Resampling.BICUBIC)
        for options in [{}, {"progressive": True}, {"subsampling": 0}, {"subsampling": 2, "quality": 60}]:
            for mode in ["RGB", "L"]:
                with self.subTest(mode=mode, **options):
                    photo = self.save(smooth.convert(mode), "photo.jpg", **options)
                    self.assert_same(self.pixels_through(photo), self.pixels(photo))

    def test_jpeg_output_keeps_full_colour_resolution(self):
        for mode in ["RGB", "L"]:
            with self.subTest(mode):
                image = Image.fromarray(noise(8, 8, 3)).resize((160, 120), Image.Resampling.BICUBIC).convert(mode)
                got = self.pixels_through(self.save(image), "out.jpeg")

                with Image.open(self.folder / "out.jpeg") as written:
                    self.assertEqual((written.format, written.mode), ("JPEG", mode))
                    self.assertEqual({layer[1:3] for layer in written.layer}, {(1, 1)})
                self.assertLess(numpy.abs(got.astype(int) - numpy.asarray(image)).mean(), 2)

    def test_cmyk_is_refused_with_advice(self):
        photo = self.save(Image.fromarray(noise(31, 17, 3)).convert("CMYK"), "photo.jpg")
        self.refused("image", "run", "sobel", photo, "-o", self.folder / "out.png", says=["CMYK", "RGB"])


class Files(CommandTest):
    def setUp(self):
        super().setUp()
        stream = io.BytesIO()
        Image.fromarray(noise(31, 17, 3)).save(stream, "PNG")
        self.photo = self.write("photo.png", stream.getvalue())

    def test_the_output_may_be_the_input(self):
        self.anycl("image", "run", "sobel", self.photo, "-o", self.folder / "out.png")
        self.anycl("image", "run", "sobel", self.photo, "-o", self.photo)

        self.assertEqual(self.photo.read_bytes(), (self.folder / "out.png").read_bytes())
        self.assertEqual(set(os.listdir(self.folder)), {"photo.png", "out.png"})

    def test_a_replaced_file_keeps_its_permissions_and_links(self):
        out = self.write("out.png", b"old")
        os.chmod(out, 0o640)
        (self.folder / "link.png").symlink_to("out.png")
        self.anycl("image", "run", "sobel", self.photo, "-o", self.folder / "link.png")

        self.assertTrue((self.folder / "link.png").is_symlink())
        self.assertEqual(out.stat().st_mode & 0o777, 0o640)
        self.assertTrue(out.read_bytes().startswith(b"\x89PNG"))

    def test_a_new_file_obeys_the_umask(self):
        self.anycl("image", "run", "sobel", self.photo, "-o", self.folder / "out.png", umask=0o027)

        self.assertEqual((self.folder / "out.png").stat().st_mode & 0o777, 0o640)

    def test_a_name_without_folder_means_this_folder(self):
        self.anycl("image", "run", "sobel", "photo.png", "-o", "out.PNG", cwd=self.folder)

        self.assertTrue((self.folder / "out.PNG").exists())

    def test_strange_names(self):
        for name in ["run", "devices", "-dash", "quo'te\"", "новый", "[x]", "a=b", "%s{}"]:
            with self.subTest(name):
                self.write(name, self.photo.read_bytes())
                self.anycl("image", "run", "-o", f"{name}.png", "--", "sobel", name, cwd=self.folder)
                self.assertTrue((self.folder / f"{name}.png").exists())


if __name__ == "__main__":
    unittest.main()
