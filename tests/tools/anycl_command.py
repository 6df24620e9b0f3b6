"""Runs the anycl command (path in ANYCL_COMMAND) and says what must hold for every run."""

import contextlib
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

COMMAND = os.environ.get("ANYCL_COMMAND") or sys.exit("ANYCL_COMMAND: path of the anycl command is not set")
SKIPPED = 77
# Sanitizers take address space without measure, and time.
SANITIZED = any(mark in pathlib.Path(COMMAND).read_bytes() for mark in (b"__asan_init", b"__tsan_init"))
DRIVER = os.environ.get("ANYCL_TEST_PLATFORM", "")


def need_oracle():
    """Starts this script again under the Python that has numpy, SciPy and Pillow."""
    oracle = os.environ.get("ANYCL_ORACLE_PYTHON", "")
    if os.environ.get("ANYCL_ORACLE_RUNS") == oracle and oracle:
        return
    if not oracle or not os.access(oracle, os.X_OK):
        print(f"skipped: no Python with SciPy and Pillow at ANYCL_ORACLE_PYTHON='{oracle}'; run ./scripts/test")
        sys.exit(SKIPPED)
    os.environ["ANYCL_ORACLE_RUNS"] = oracle
    os.execv(oracle, [oracle, *sys.argv])


def png_chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width, height, rows, depth=8, colour=2, interlace=0):
    """A PNG file of raw `rows`, whatever nonsense they are."""
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace)
    return (
        b"\x89PNG\r\n\x1a\n"
        + png_chunk(b"IHDR", header)
        + png_chunk(b"IDAT", zlib.compress(rows))
        + png_chunk(b"IEND", b"")
    )


def noise_png(width, height):
    rows = b"".join(b"\0" + os.urandom(3 * width) for _ in range(height))
    return png(width, height, rows)


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="anycl test ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def anycl(self, *arguments, expect=0, env=None, **options):
        words = [COMMAND, *map(str, arguments)]
        environment = os.environ | (env or {})
        options.setdefault("timeout", 120)
        run = subprocess.run(words, env=environment, capture_output=True, check=False, **options)
        run.stdout = run.stdout.decode()
        run.stderr = run.stderr.decode()
        self.assertEqual(run.returncode, expect, f"{words}\n{run.stdout}\n{run.stderr}")
        return run

    def refused(self, *arguments, code=2, says=(), **options):
        """The command fails with one line that holds all of `says`, and leaves the folder as it was."""
        before = self.contents()
        run = self.anycl(*arguments, expect=code, **options)
        self.assertEqual(run.stdout, "")
        self.assertRegex(run.stderr, r"\Aanycl: [^\n]+\n\Z")
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, run.stderr)
        self.assertEqual(self.contents(), before)
        return run

    def document(self, schema, *arguments, **options):
        """The one JSON document on stdout."""
        run = self.anycl(*arguments, "--json", **options)
        document = json.loads(run.stdout)
        self.assertEqual(document["schema"], schema)
        self.assertIsInstance(document["version"], int)
        return document

    def assert_failures_have_advice(self, document):
        """Of `anycl doctor`: who reads that something does not work reads what to do, too."""
        checks = [*document["machine"], *document["hardware"]]
        for driver in document["drivers"]:
            checks += driver["checks"]
            for device in driver["devices"]:
                checks += device["checks"]
        self.assertEqual([check for check in checks if check["status"] == "fail" and not check["advice"]], [])

    def contents(self):
        return {
            path.name: path.read_bytes() if path.is_file() else None for path in sorted(self.folder.iterdir())
        }

    def write(self, name, data):
        path = self.folder / name
        path.write_bytes(data)
        return path


@contextlib.contextmanager
def running(*arguments, **options):
    """The command started, and ended by force should the test leave it running."""
    process = subprocess.Popen([COMMAND, *map(str, arguments)], **options)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
