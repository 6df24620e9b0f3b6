#!/usr/bin/env python3
# Needs: a driver with compiler, threads
"""The command with standard streams that are closed or full: results stay whole, and exit codes say what happened."""

import subprocess
import unittest

from anycl_command import COMMAND, CommandTest, noise_png


def run_in_shell(redirection, *words):
    """The exit code of the command with e.g. `2>&-`, which no argument of subprocess can make."""
    return subprocess.run(["sh", "-c", f'"$@" {redirection}', "sh", COMMAND, *words], check=False).returncode


class Streams(CommandTest):
    def setUp(self):
        super().setUp()
        self.photo = str(self.write("photo.png", noise_png(17, 31)))
        self.out = self.folder / "out.png"

    def test_log_lines_never_end_in_a_picture(self):
        code = run_in_shell(">/dev/null 2>&-", "image", "run", "sobel", self.photo, "-o", str(self.out))

        self.assertEqual(code, 0)
        self.assertEqual(self.out.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_an_error_that_cannot_be_said_keeps_its_exit_code(self):
        for redirection in ("2>&-", "2>/dev/full"):
            with self.subTest(redirection):
                code = run_in_shell(redirection, "image", "run", "sobel", "nope.png", "-o", str(self.out))
                self.assertEqual(code, 2)
                self.assertFalse(self.out.exists())

    def test_a_result_that_cannot_be_said_is_an_error(self):
        for redirection in (">&-", ">/dev/full"):
            for words in (["devices"], ["devices", "--json"], ["--version"], ["image", "filters"]):
                with self.subTest(redirection, words=words):
                    self.assertEqual(run_in_shell(redirection + " 2>/dev/null", *words), 2)


if __name__ == "__main__":
    unittest.main()
