#!/usr/bin/env python3
# Needs: a driver with compiler, threads
"""Real photos through the command equal what SciPy computes."""

import json
import pathlib
import sysconfig
import unittest

from anycl_command import DRIVER, CommandTest, need_oracle

need_oracle()

import numpy
from PIL import Image
from scipy import ndimage

PHOTOS = pathlib.Path(sysconfig.get_paths()["purelib"]) / "sklearn" / "datasets" / "images"
PIPELINE = ["gaussian(1.4)", "median(3)", "sobel", "equalize"]


def rounded(values):
    return numpy.clip(numpy.floor(values + 0.5), 0, 255).astype(numpy.uint8)


def gaussian(channel, sigma):
    return rounded(ndimage.gaussian_filter(channel.astype(float), sigma, mode="reflect", truncate=4.0))


def median(channel, k):
    return ndimage.median_filter(channel, size=k, mode="reflect")


def sobel(channel):
    across = ndimage.sobel(channel.astype(int), axis=1, mode="reflect")
    down = ndimage.sobel(channel.astype(int), axis=0, mode="reflect")
    return rounded(numpy.sqrt(across**2 + down**2))


def equalize(channel):
    counts = numpy.bincount(channel.ravel(), minlength=256)
    cumulative = numpy.cumsum(counts)
    least = cumulative[numpy.flatnonzero(counts)[0]]
    if least == channel.size:
        return channel
    table = (2 * 255 * (cumulative - least) + (channel.size - least)) // (2 * (channel.size - least))
    return table.clip(0, 255).astype(numpy.uint8)[channel]


SCIPY = {
    "gaussian(1.4)": (lambda channel: gaussian(channel, 1.4), 1),
    "gaussian(7)": (lambda channel: gaussian(channel, 7), 1),
    "median(3)": (lambda channel: median(channel, 3), 0),
    "median(5)": (lambda channel: median(channel, 5), 0),
    "median(9)": (lambda channel: median(channel, 9), 0),
    "sobel": (sobel, 0),
    "equalize": (equalize, 0),
}


def by_scipy(step, pixels):
    compute = SCIPY[step][0]
    if pixels.ndim == 2:
        return compute(pixels)
    colours = pixels.shape[2] - (pixels.shape[2] == 4)
    result = pixels.copy()
    for channel in range(colours):
        result[..., channel] = compute(pixels[..., channel])
    return result


def pixels_of(path):
    with Image.open(path) as image:
        return numpy.asarray(image)


class Photos(CommandTest):
    def filtered(self, pipeline, photo, out="out.png"):
        self.anycl("image", "run", pipeline, photo, "-o", self.folder / out)
        return pixels_of(self.folder / out)

    def assert_near(self, got, want, bound):
        self.assertEqual(got.shape, want.shape)
        self.assertLessEqual(numpy.abs(got.astype(int) - want.astype(int)).max(), bound)

    def as_png(self, pixels):
        path = self.folder / "photo.png"
        Image.fromarray(pixels).save(path)
        return path

    def test_each_filter_equals_scipy(self):
        for name in ["china.jpg", "flower.jpg"]:
            pixels = pixels_of(PHOTOS / name)
            for step, (_, bound) in SCIPY.items():
                with self.subTest(name, step=step):
                    self.assert_near(self.filtered(step, PHOTOS / name), by_scipy(step, pixels), bound)

    def test_grey_and_transparent_photos_too(self):
        colours = pixels_of(PHOTOS / "flower.jpg")[:201, :333]
        alpha = numpy.arange(colours[..., 0].size).reshape(colours.shape[:2]).astype(numpy.uint8)
        for pixels in [colours[..., 1], numpy.dstack([colours, alpha])]:
            for step, (_, bound) in SCIPY.items():
                with self.subTest(pixels.shape, step=step):
                    self.assert_near(self.filtered(step, self.as_png(pixels)), by_scipy(step, pixels), bound)

    def test_the_whole_pipeline_is_its_steps_one_by_one(self):
        photo = PHOTOS / "china.jpg"
        whole = self.filtered(" | ".join(PIPELINE), photo)

        for number, step in enumerate(PIPELINE):
            before = pixels_of(photo)
            pixels = self.filtered(step, photo, f"step {number}.png")
            self.assert_near(pixels, by_scipy(step, before), SCIPY[step][1])
            photo = self.folder / f"step {number}.png"

        self.assert_near(whole, pixels, 0)

    def test_the_report_tells_what_was_done(self):
        run = self.anycl(
            "image", "run", " | ".join(PIPELINE), PHOTOS / "china.jpg", "-o", self.folder / "out.png", "--check", "--json"
        )
        report = json.loads(run.stdout)

        self.assertEqual(report["schema"], "anycl.image.run")
        self.assertEqual(report["device"]["driver"], DRIVER)
        self.assertTrue(report["device"]["reason"])
        self.assertEqual([step["name"] for step in report["steps"]], PIPELINE)
        self.assertEqual(all(step["device_ns"] for step in report["steps"]), DRIVER != "rusticl")
        self.assertEqual(report["bytes_to_host"], 640 * 427 * 3)
        self.assertEqual(report["kernels"]["built"] + report["kernels"]["from_disk"], len(PIPELINE))
        self.assertTrue(report["check"]["passed"])
        self.assertEqual([step["difference"]["largest"] for step in report["check"]["steps"]][1:], [0, 0, 0])

    def test_the_second_run_takes_its_kernels_from_the_cache(self):
        cache = self.folder / "cache"
        cache.mkdir(mode=0o700)
        words = ["image", "run", "sobel", PHOTOS / "flower.jpg", "-o", self.folder / "out.png"]
        first, second = (
            self.document("anycl.image.run", *words, env={"ANYCL_CACHE_DIR": str(cache)})["kernels"] for _ in range(2)
        )

        self.assertEqual((first["built"], first["from_disk"]), (1, 0))
        self.assertEqual((second["built"], second["from_disk"]), (0, 1))

    def test_the_same_report_for_people(self):
        run = self.anycl("image", "run", "sobel", PHOTOS / "china.jpg", "-o", self.folder / "out.png", "--check")

        for word in ["devices", "chosen", "picture", "step", "moved", "kernels", "check", "written"]:
            self.assertRegex(run.stdout, rf"(?m)^{word} ")
        self.assertIn("largest difference 0", run.stdout)


class Scene(CommandTest):
    def test_the_scene_is_a_picture_to_filter(self):
        scene = self.folder / "scene.png"
        self.anycl("image", "scene", "--size", "300x200", "-o", scene)
        pixels = pixels_of(scene)

        self.assertEqual(pixels.shape, (200, 300, 3))
        self.assertGreater(len(numpy.unique(pixels)), 100)
        self.anycl("image", "run", " | ".join(PIPELINE), scene, "-o", self.folder / "out.png", "--check")


if __name__ == "__main__":
    unittest.main()
