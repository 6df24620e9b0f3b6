#!/usr/bin/env python3
# Needs: a driver with compiler, threads
"""Everything that can be wrong with a request: one line, the right exit code, no partial file."""

import contextlib
import os
import pathlib
import resource
import signal
import stat
import time
import unittest

from anycl_command import COMMAND, DRIVER, SANITIZED, CommandTest, noise_png, png, running

# Set by ctest: a library to preload.
NAMES_ONLY = {"LD_PRELOAD": os.environ.get("ANYCL_TEST_NAMES_ONLY", "")}


class Refusals(CommandTest):
    def setUp(self):
        super().setUp()
        self.photo = self.write("photo.png", noise_png(17, 31))
        self.out = self.folder / "out.png"

    def run_refused(self, pipeline="sobel", photo=None, out=None, *more, **options):
        return self.refused("image", "run", pipeline, photo or self.photo, "-o", out or self.out, *more, **options)

    def test_pipelines(self):
        for pipeline in ["", "gausian(1.4)", "sobel |", "median(2)", "median(x)", "gaussian", "gaussian(-1)", "sobel(3)"]:
            with self.subTest(pipeline):
                self.run_refused(pipeline, says="pipeline")

    def test_a_misspelt_filter_is_recognised(self):
        self.run_refused("gausian(1.4)", says=["gausian", "did you mean 'gaussian'"])

    def test_input_files(self):
        cases = {
            "missing.png": (None, "No such file"),
            "empty.png": (b"", "empty"),
            "text.png": (b"hello, world\n", "neither a PNG nor a JPEG"),
            "no pixels.png": (png(0, 5, b""), "PNG"),
            "no rows.png": (png(5, 0, b""), "PNG"),
            "too wide.png": (png(16385, 1, b"\0" * (3 * 16385 + 1)), "16384"),
            "too high.png": (png(1, 16385, b"\0" * (4 * 16385)), "16384"),
            "wide beyond measure.png": (png(2**31 - 1, 2**31 - 1, b""), "PNG"),
        }
        for name, (data, says) in cases.items():
            with self.subTest(name):
                path = self.folder / name if data is None else self.write(name, data)
                self.run_refused("sobel", path, says=[name, says])

    def test_things_that_are_no_files(self):
        os.mkfifo(self.folder / "pipe.png")
        for path, says in [(self.folder, "folder"), ("/dev/zero", "regular file"), (self.folder / "pipe.png", "regular file")]:
            with self.subTest(str(path)):
                self.run_refused("sobel", path, says=says)

    def test_output_places(self):
        (self.folder / "dir.png").mkdir()
        cases = {
            self.folder / "dir.png": "folder",
            self.folder: "extension",
            self.folder / "no folder" / "out.png": "no folder",
            self.photo / "out.png": "Not a directory",
            self.folder / "out.bmp": "unknown extension '.bmp'",
            self.folder / "out": "no extension",
            self.folder / ("x" * 300 + ".png"): "too long",
            "/proc/out.png": "/proc/out.png",
        }
        for out, says in cases.items():
            with self.subTest(str(out)):
                self.run_refused("sobel", self.photo, out, says=says)

    def test_a_folder_that_is_not_ours(self):
        nobody = self.nobody()
        os.chmod(self.folder, 0o755)
        self.run_refused(says="Permission denied", **nobody)

    def test_a_read_only_file_is_not_replaced(self):
        nobody = self.nobody()
        self.write("out.png", b"mine")
        os.chmod(self.out, 0o444)
        os.chmod(self.folder, 0o777)
        self.run_refused(says="Permission denied", **nobody)

    def nobody(self):
        """To run as somebody who may do nothing here."""
        if os.geteuid() != 0:
            self.skipTest("needs root, to be somebody else")
        if not all(stat.S_IXOTH & os.stat(folder).st_mode for folder in folders_of(os.path.realpath(COMMAND))):
            self.skipTest(f"{COMMAND} is not for everybody to run")
        # Where a coverage build would write its counts is not for nobody either.
        return {"user": 65534, "group": 65534, "extra_groups": [], "env": {"LLVM_PROFILE_FILE": "/dev/null"}}

    def test_jpeg_takes_no_alpha(self):
        rgba = self.write("rgba.png", png(1, 1, b"\0\1\2\3\4", colour=6))
        self.run_refused("sobel", rgba, self.folder / "out.jpg", says=["JPEG", "alpha"])

    def test_missing_words(self):
        for words in [[], ["sobel"], ["sobel", self.photo], ["sobel", "-o", self.out]]:
            with self.subTest(words):
                self.refused("image", "run", *words, says="anycl image run --help")

    def test_devices_that_are_not_there(self):
        self.run_refused("sobel", self.photo, self.out, "--device", "nonesuch", code=3, says="not named by selection")
        self.run_refused("sobel", self.photo, self.out, "--device", "a:b:c:d", says="selection")

    def test_scene_sizes(self):
        for size in ["", "0x5", "5x0", "5", "5x", "x5", "5x5x5", "-5x5", "16385x1", "99999999999999999999x1", "a x b"]:
            with self.subTest(size):
                self.refused("image", "scene", "-o", self.out, "--size", size, says="--size")

    def test_a_name_cannot_break_the_line(self):
        self.run_refused("sobel", self.folder / "two\nlines\x1b[31m.png", says="two\\nlines\\x1b[31m.png")

    def test_failures_as_documents(self):
        document = self.document("anycl.error", "image", "run", "nonsense", self.photo, "-o", self.out, expect=2)

        self.assertEqual(document["error"]["kind"], "invalid_argument")
        self.assertIn("nonsense", document["error"]["message"])
        self.assertFalse(self.out.exists())

    @unittest.skipIf(SANITIZED, "sanitizers take more address space than the limit")
    def test_too_little_host_memory(self):
        large = self.write("large.png", png(16384, 16384, b"", colour=6))
        limit = 512 << 20
        self.run_refused(
            "sobel", large, says="memory", code=3,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        )

    def test_too_little_device_memory(self):
        if DRIVER != "pocl":
            self.skipTest("only PoCL can be told to have less memory")
        side = 9500
        large = self.write("large.png", png(side, side, b"\0" * ((3 * side + 1) * side)))
        self.run_refused("sobel", large, code=3, env={"POCL_MEMORY_LIMIT": "1"}, says=[str(3 * side * side), "268435456"])

    def test_a_device_without_what_a_filter_needs(self):
        layer = os.environ["ANYCL_TEST_LAYER_FILE"]  # set by ctest
        environment = {"OPENCL_LAYERS": layer, "ANYCL_TEST_LAYER": "answer CL_DEVICE_LOCAL_MEM_SIZE number=0"}

        self.run_refused("equalize", env=environment, code=3, says=["bytes of local memory needed", "use another device"])

    def test_no_room_for_the_result(self):
        large = self.write("large.png", noise_png(1500, 1500))
        limit = 4 << 20
        self.anycl("image", "run", "median(1)", self.photo, "-o", self.folder / "warm.png")  # drivers write files, too
        self.run_refused(
            "median(1)", large, says=["out.png", "File too large"],
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        )


class Ends(CommandTest):
    """Programs that end before their result is complete leave nothing, not even a temporary file."""

    # Before and after drivers and their compilers have put up signal handlers of their own.
    DELAYS = [0, 0.7]

    def test_no_end_leaves_anything_behind(self):
        for number in [signal.SIGKILL, signal.SIGTERM]:
            for delay in self.DELAYS:
                with self.subTest(number, delay=delay):
                    self.interrupt(number, delay)

    @unittest.skipIf(SANITIZED, "the sanitizer's runtime must be loaded first")
    def test_a_signal_leaves_nothing_behind_where_files_need_names(self):
        for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
            for delay in self.DELAYS:
                with self.subTest(number, delay=delay):
                    self.interrupt(number, delay, names_only=True)

    @unittest.skipIf(SANITIZED, "the sanitizer's runtime must be loaded first")
    def test_a_result_where_files_need_names(self):
        self.write("photo.png", noise_png(16, 16))

        self.anycl("image", "run", "sobel", self.folder / "photo.png", "-o", self.folder / "out.png", env=NAMES_ONLY)

        self.assertEqual(list(self.contents()), ["out.png", "photo.png"])

    def interrupt(self, number, delay, names_only=False):
        photo = self.write("photo.png", noise_png(1600, 1600))
        pipeline = " | ".join(["gaussian(100)"] * 50)
        environment = os.environ | (NAMES_ONLY if names_only else {})
        with running("image", "run", pipeline, photo, "-o", self.folder / "out.png", env=environment) as anycl:
            while not self.is_writing(anycl):
                self.assertIsNone(anycl.poll())
                time.sleep(0.001)
            if names_only:
                self.assertEqual(len(os.listdir(self.folder)), 2, "the preloaded library is not at work")
            time.sleep(delay)
            anycl.send_signal(number)

            self.assertEqual(anycl.wait(timeout=60), -number)
        self.assertEqual(os.listdir(self.folder), ["photo.png"])

    def is_writing(self, process):
        """A file of the folder is open that is not the photo, with or without a name."""
        open_files = pathlib.Path("/proc", str(process.pid), "fd")
        for descriptor in os.listdir(open_files):
            with contextlib.suppress(FileNotFoundError):
                path = pathlib.Path(os.readlink(open_files / descriptor))
                if path.parent == self.folder and path.name != "photo.png":
                    return True
        return False


def folders_of(path):
    while path != os.path.dirname(path):
        path = os.path.dirname(path)
        yield path


if __name__ == "__main__":
    unittest.main()
